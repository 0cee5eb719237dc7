/* German of connected apps, sessions, mails and the organization in the settings. */
export const access = {
  "Permanently delete {name} ({number})? This cannot be undone. Tasks lost: {tasks}. Entries of history lost: {history}. Photos and files lost: {files}.":
    "{name} ({number}) endgültig löschen? Das lässt sich nicht rückgängig machen. Verlorene Aufgaben: {tasks}. Verlorene Einträge im Verlauf: {history}. Verlorene Fotos und Dateien: {files}.",
  "Remove {name} from the organization, and end the connections of their apps?":
    "{name} aus der Organisation entfernen und die Verbindungen der Apps dieser Person beenden?",
  // Connected apps
  "Unverified, {target}": "Nicht überprüft, {target}",
  "Described by <strong>{host}</strong> (verified), {target}":
    "Beschrieben von <strong>{host}</strong> (überprüft), {target}",
  "Acts for <strong>{name}</strong>": "Handelt für <strong>{name}</strong>",
  "What it did": "Was sie getan hat",
  Disconnect: "Trennen",
  "What {app} did from {organization}": "Was {app} von {organization} getan hat",
  "What {app} did of {person}": "Was {app} von {person} getan hat",
  "Undo what {app} did from {organization}":
    "Rückgängig machen, was {app} von {organization} getan hat",
  "Undo what {app} did of {person}": "Rückgängig machen, was {app} von {person} getan hat",
  "Disconnect {app} from {organization}": "{app} von {organization} trennen",
  "May||what an app is allowed": "Darf",
  "Connected||when": "Verbunden",
  "Until||an app has access": "Bis",
  "Last used": "Zuletzt benutzt",
  Never: "Nie",
  "Last 7 days": "Letzte 7 Tage",
  "Changed nothing": "Nichts geändert",
  "Made {count, plural, one {# change} other {# changes}}":
    "{count, plural, one {# Änderung} other {# Änderungen}} gemacht",
  "Made more than {count, plural, one {# change} other {# changes}}":
    "Mehr als {count, plural, one {# Änderung} other {# Änderungen}} gemacht",
  "An admin disconnected {app}": "Ein Admin hat {app} getrennt",
  "{at}: An admin ended the access that this app had in your name to {organization}. Ask before you connect it again.":
    "{at}: Ein Admin hat den Zugang beendet, den diese App in Ihrem Namen zu {organization} hatte. Fragen Sie nach, bevor Sie sie wieder verbinden.",
  "{at}: {who} ended the access that this app had in your name to {organization}. Ask before you connect it again.":
    "{at}: {who} hat den Zugang beendet, den diese App in Ihrem Namen zu {organization} hatte. Fragen Sie nach, bevor Sie sie wieder verbinden.",
  "The time of {app} is over": "Die Zeit von {app} ist abgelaufen",
  "{at}: its access to {organization} ended, as you chose when you connected it. If you still use the app, connect it again.":
    "{at}: Der Zugang zu {organization} ist beendet, wie Sie es beim Verbinden gewählt haben. Wenn Sie die App noch benutzen, verbinden Sie sie wieder.",
  "{app} was disconnected for safety": "{app} wurde zur Sicherheit getrennt",
  "{at}: an old key of this app was used a second time for {organization}. That happens when a key was copied, or when the app was restored from a backup. If you still use the app, connect it again; if you do not know why this happened, tell an admin of your organization.":
    "{at}: Ein alter Schlüssel dieser App wurde für {organization} ein zweites Mal verwendet. Das geschieht, wenn ein Schlüssel kopiert oder die App aus einer Sicherung wiederhergestellt wurde. Wenn Sie die App noch benutzen, verbinden Sie sie wieder; wenn Sie nicht wissen, warum es geschah, sagen Sie es einem Admin Ihrer Organisation.",
  "{app} was disconnected already.": "{app} war schon getrennt.",
  "{app} is disconnected. Its access ended at once.":
    "{app} ist getrennt. Der Zugang endete sofort.",
  "{app} is disconnected. Its access ended at once. It acted for {person}, who is told.":
    "{app} ist getrennt. Der Zugang endete sofort. Die App handelte für {person}; dorthin geht eine Nachricht.",
  "Apps that act for you": "Apps, die für Sie handeln",
  "They can do what is listed until you disconnect them, or their time is over. Names are what the apps call themselves.":
    "Sie dürfen, was hier steht, bis Sie sie trennen oder ihre Zeit abläuft. Die Namen geben sich die Apps selbst.",
  "Pages of your apps": "Seiten Ihrer Apps",
  "No app is connected": "Keine App ist verbunden",
  "Connect an assistant to ask about assets and maintenance, and to get work done, in your own words. It appears here as soon as you have allowed it.":
    "Verbinden Sie einen Assistenten, um in Ihren eigenen Worten nach Anlagen und Wartung zu fragen und Arbeit zu erledigen. Er erscheint hier, sobald Sie ihn erlaubt haben.",
  "See how to connect one": "So wird einer verbunden",
  "Apps of others in {organization}": "Apps von anderen in {organization}",
  "You can end any of these at once, as an admin. Whoever connected the app is told that you did.":
    "Als Admin können Sie jede davon sofort trennen. Wer die App verbunden hat, erfährt, dass Sie es waren.",
  "Nobody else has connected an app.": "Niemand sonst hat eine App verbunden.",
  "No person and no app matches your search.": "Keine Person und keine App passt zur Suche.",
  "Apps of others": "Apps von anderen",
  "Search by person or app": "Nach Person oder App suchen",
  "Disconnect {app}": "{app} trennen",
  "Disconnect {app} of {person}": "{app} von {person} trennen",
  "Disconnect {app}?": "{app} trennen?",
  "Disconnect {app} of {person}?": "{app} von {person} trennen?",
  "It acts for <strong>{person}</strong>, who is told that you ended it and could connect it again.":
    "Die App handelt für <strong>{person}</strong>. Die Person erfährt, dass Sie sie getrennt haben, und könnte sie wieder verbinden.",
  "It loses its access to {organization} at once. What it has changed stays as it is.":
    "Die App verliert den Zugang zu {organization} sofort. Was sie geändert hat, bleibt, wie es ist.",
  "You can connect it again at any time.": "Sie können sie jederzeit wieder verbinden.",
  "Keep it connected": "Verbunden lassen",

  // Sessions
  "You are signed in nowhere else.": "Sie sind sonst nirgends angemeldet.",
  "You are signed out of {count, plural, one {# other browser} other {# other browsers}}.":
    "Sie sind in {count, plural, one {# anderen Browser} other {# anderen Browsern}} abgemeldet.",
  "That session has ended.": "Die Sitzung ist beendet.",
  "That session had ended already.": "Die Sitzung war schon beendet.",
  "End all others": "Alle anderen beenden",
  "These are the browsers in which you are signed in. If you do not know one of them, end it and <password>change your password</password>. What apps may do is under <apps>Connected Apps</apps>.":
    "In diesen Browsern sind Sie angemeldet. Wenn Sie einen davon nicht kennen, beenden Sie die Sitzung und <password>ändern Sie Ihr Passwort</password>. Was Apps dürfen, steht unter <apps>Verbundene Apps</apps>.",
  "This one||session": "Diese",
  "End the session in {browser} of {moment}": "Sitzung in {browser} beenden ({moment})",
  "End||a session": "Beenden",
  Now: "Jetzt",
  "Signed in||when": "Angemeldet",
  "From address": "Von Adresse",
  "End a session": "Sitzung beenden",
  "End session": "Sitzung beenden",
  "End the session in {browser}?": "Sitzung in {browser} beenden?",
  "Whoever uses that browser has to sign in again. What was typed there and not saved is lost. Apps you have connected stay connected.":
    "Wer diesen Browser benutzt, muss sich neu anmelden. Was dort eingegeben und nicht gespeichert wurde, geht verloren. Verbundene Apps bleiben verbunden.",
  "End all other sessions": "Alle anderen Sitzungen beenden",
  "End {count, plural, =1 {the other session} other {# other sessions}}?":
    "{count, plural, =1 {Die andere Sitzung} other {# andere Sitzungen}} beenden?",
  "You stay signed in here. Every other browser has to sign in again, and what was typed there and not saved is lost. Calendar addresses of yours end. Apps you have connected stay connected.":
    "Sie bleiben hier angemeldet. In allen anderen Browsern müssen Sie sich neu anmelden; was dort eingegeben und nicht gespeichert wurde, geht verloren. Ihre Kalenderadressen werden ungültig. Verbundene Apps bleiben verbunden.",

  // Mail
  "No mail server is set": "Kein Mailserver eingestellt",
  "Invitations are kept here. Copy the link of each and send it to that person yourself; it lets whoever opens it join in their place. To let Fettle send mails, whoever runs the server sets <code>SMTP_URL</code> and <code>MAIL_FROM</code> and starts it again.":
    "Einladungen bleiben hier liegen. Kopieren Sie jeden Link und senden Sie ihn der Person selbst; wer ihn öffnet, kann an ihrer Stelle beitreten. Damit Fettle E-Mails versendet, setzt der Betreiber des Servers <code>SMTP_URL</code> und <code>MAIL_FROM</code> und startet ihn neu.",
  "To be sent by hand": "Von Hand zu senden",
  "No mail is waiting for you": "Keine E-Mail wartet auf Sie",
  "Invitations that the mail server refuses appear here, with their links.":
    "Einladungen, die der Mailserver ablehnt, erscheinen hier mit ihren Links.",
  "Invite somebody, and the link appears here.":
    "Laden Sie jemanden ein, dann erscheint der Link hier.",
  "Invite a person": "Person einladen",
  "Invited by {person}, {at}. Valid until {end}.":
    "Eingeladen von {person}, {at}. Gültig bis {end}.",
  "The mail was not delivered.": "Die E-Mail wurde nicht zugestellt.",
  "Its link cannot be read any more, because the secret key of the server was changed. <a>Send it again</a> to get a new one.":
    "Der Link ist nicht mehr lesbar, weil der geheime Schlüssel des Servers geändert wurde. <a>Senden Sie die Einladung erneut</a>, um einen neuen zu erhalten.",
  "Link <hidden>for {recipient}</hidden>": "Link <hidden>für {recipient}</hidden>",
  "Give it to this person only.": "Geben Sie ihn nur dieser Person.",
  "Invitation to {organization}": "Einladung zu {organization}",
  "Invitation to {place} in {organization}, as {role}":
    "Einladung zu {place} in {organization}, als {role}",
  "Recent mails": "Letzte E-Mails",
  "Sent {at}": "Gesendet {at}",
  "On its way": "Unterwegs",
  "Tried again {at}": "Neuer Versuch {at}",

  // The organization
  "Enter a name.": "Geben Sie einen Namen ein.",
  "Choose a time zone.": "Wählen Sie eine Zeitzone.",
  "Choose a currency.": "Wählen Sie eine Währung.",
  "Anybody with the label may report a problem": "Wer das Etikett hat, darf ein Problem melden",
  "{name} is saved.": "{name} ist gespeichert.",
  "Admins of the organization can change this.": "Admins der Organisation können das ändern.",
  "Reports without an account": "Meldungen ohne Konto",
  Allowed: "Erlaubt",
  "Not allowed": "Nicht erlaubt",
  "Dates are read in it: what is due today, what is overdue, and the times of the history. Changing it changes how they are shown, not what is stored.":
    "Danach richtet sich, was heute fällig und was überfällig ist, und die Zeiten im Verlauf. Eine Änderung ändert die Anzeige, nicht das Gespeicherte.",
  "For new amounts. Amounts that are stored already keep their currency.":
    "Für neue Beträge. Gespeicherte Beträge behalten ihre Währung.",
  "Fixed, because inventory numbers like {number} were given with it.":
    "Fest, weil Inventarnummern wie {number} damit vergeben wurden.",
  "1 to 8 letters and digits. New assets get numbers like {number}; with the first of them the prefix is fixed.":
    "1 bis 8 Buchstaben und Ziffern. Neue Anlagen erhalten Nummern wie {number}; mit der ersten steht das Präfix fest.",
  "Whoever scans a label without an account sees what the label says, and can report what is wrong. Somebody decides on each report under Reports; what cannot be used any more is out of service at once.":
    "Wer ein Etikett ohne Konto scannt, sieht, was darauf steht, und kann melden, was nicht stimmt. Über jede Meldung wird unter Meldungen entschieden; was nicht mehr benutzbar ist, ist sofort außer Betrieb.",
  "Save organization": "Organisation speichern",

  // Rules for second factors
  "Second factor": "Zweiter Faktor",
  "Owners and admins need a second factor": "Inhaber und Admins brauchen einen zweiten Faktor",
  "Letting an app delete permanently needs a second factor":
    "Einer App endgültiges Löschen zu erlauben, verlangt einen zweiten Faktor",
  "The rules for second factors are saved.": "Die Regeln für zweite Faktoren sind gespeichert.",
  "You have no second factor yourself. <a>Set one up</a> before you ask others for it.":
    "Sie haben selbst keinen zweiten Faktor. <a>Richten Sie einen ein</a>, bevor Sie ihn von anderen verlangen.",
  "Who has none sets one up before the next change as an owner or admin, and before connecting an app. {without} of {admins, plural, one {# owner or admin has} other {# owners and admins have}} none now.":
    "Wer keinen hat, richtet einen ein, bevor er als Inhaber oder Admin wieder etwas ändert oder eine App verbindet. {without} von {admins, plural, one {# Inhaber oder Admin} other {# Inhabern und Admins}} ohne zweiten Faktor.",
  "Asked on the consent page, and again whenever an app deletes. Apps that are connected already stay connected; {count, plural, one {# person has} other {# people have}} one that may delete permanently, but no second factor: it is refused until they set one up.":
    "Wird auf der Seite der Zustimmung verlangt und wieder, sooft eine App löscht. Verbundene Apps bleiben verbunden; {count, plural, one {# Person hat} other {# Personen haben}} eine, die endgültig löschen darf, aber keinen zweiten Faktor: Das Löschen wird abgelehnt, bis er eingerichtet ist.",
  Needed: "Verlangt",
  "Not needed": "Nicht verlangt",
  "For owners and admins": "Von Inhabern und Admins",
  "For letting an app delete permanently": "Um einer App endgültiges Löschen zu erlauben",
} as const;
