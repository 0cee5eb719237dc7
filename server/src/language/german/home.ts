/** German of the home page, trends, samples, unsubscribing and confirmations. */
export const home = {
  // Unsubscribe
  "Fettle sends you mails when somebody assigns work to you.":
    "Fettle schickt Ihnen E-Mails, wenn jemand Ihnen Arbeit zuweist.",
  "Fettle sends you mails about work that is due tomorrow or overdue.":
    "Fettle schickt Ihnen E-Mails über Arbeit, die morgen fällig oder überfällig ist.",
  "Fettle sends you mails about what became of problems that you have reported.":
    "Fettle schickt Ihnen E-Mails darüber, was aus Ihren Meldungen wurde.",
  "Fettle sends you mails about the week, on Mondays.":
    "Fettle schickt Ihnen montags E-Mails mit dem Wochenüberblick.",
  "You get no mails when somebody assigns work to you.":
    "Sie bekommen keine E-Mails, wenn jemand Ihnen Arbeit zuweist.",
  "You get no mails about work that is due tomorrow or overdue.":
    "Sie bekommen keine E-Mails über Arbeit, die morgen fällig oder überfällig ist.",
  "You get no mails about what became of problems that you have reported.":
    "Sie bekommen keine E-Mails darüber, was aus Ihren Meldungen wurde.",
  "You get no mails about the week, on Mondays.":
    "Sie bekommen montags keine E-Mails mit dem Wochenüberblick.",
  "Get no more of these mails?": "Keine solchen E-Mails mehr bekommen?",
  "Get no more of them": "Abbestellen",
  "Choose which mails I get": "E-Mails auswählen",
  "These mails have ended": "Diese E-Mails sind abbestellt",
  "This link does not work": "Dieser Link funktioniert nicht",
  "<a>Choose which mails you get</a> at any time, after signing in.":
    "Nach dem Anmelden können Sie jederzeit <a>wählen, welche E-Mails Sie bekommen</a>.",
  "It was not copied as a whole, or it is very old. Sign in and <a>choose which mails you get</a>.":
    "Er wurde nicht ganz kopiert oder ist sehr alt. Melden Sie sich an und <a>wählen Sie, welche E-Mails Sie bekommen</a>.",
} as const;
