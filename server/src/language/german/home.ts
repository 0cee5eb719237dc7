/** The home page, how an assistant is connected, samples, and what an app asks to confirm. */
export const home = {
  // What needs attention
  "Needs attention": "Braucht Aufmerksamkeit",
  "There is too much here to put in order while you wait. Begin with <tasks>what is overdue</tasks> and <assets>what is out of service</assets>.":
    "Hier ist zu viel, um es zu ordnen, während Sie warten. Beginnen Sie mit dem, <tasks>was überfällig ist</tasks>, und dem, <assets>was außer Betrieb ist</assets>.",
  "You're all caught up. Nothing is broken or overdue, and everything urgent or due soon has an assignee.":
    "Alles erledigt. Nichts ist defekt oder überfällig, und für alles Dringende oder bald Fällige ist jemand zuständig.",
  "Showing the {shown} most pressing of {total}. See also <a>all overdue tasks</a>.":
    "Die {shown} dringendsten von {total}. Siehe auch <a>alle überfälligen Aufgaben</a>.",
  "Show all {count}": "Alle {count} zeigen",
  "and {count} more": "und {count} mehr",
  Assign: "Zuweisen",
  "More||acts": "Mehr",
  "Critical asset": "Kritische Anlage",

  "{title} overdue by {count, plural, one {# day} other {# days}}":
    "{title}: seit {count, plural, one {# Tag} other {# Tagen}} überfällig",
  "Reported as unusable: {what}": "Als unbenutzbar gemeldet: {what}",
  "{days, plural, =0 {Out of service since today: {title}} one {Out of service for # day: {title}} other {Out of service for # days: {title}}}":
    "{days, plural, =0 {Seit heute außer Betrieb: {title}} one {Seit # Tag außer Betrieb: {title}} other {Seit # Tagen außer Betrieb: {title}}}",
  "{days, plural, =0 {Out of service since today, no repair planned} one {Out of service for # day, no repair planned} other {Out of service for # days, no repair planned}}":
    "{days, plural, =0 {Seit heute außer Betrieb, keine Reparatur geplant} one {Seit # Tag außer Betrieb, keine Reparatur geplant} other {Seit # Tagen außer Betrieb, keine Reparatur geplant}}",
  "{days, plural, =0 {In maintenance since today: {title}} one {In maintenance for # day: {title}} other {In maintenance for # days: {title}}}":
    "{days, plural, =0 {Seit heute in Wartung: {title}} one {Seit # Tag in Wartung: {title}} other {Seit # Tagen in Wartung: {title}}}",
  "{days, plural, =0 {In maintenance since today, no repair planned} one {In maintenance for # day, no repair planned} other {In maintenance for # days, no repair planned}}":
    "{days, plural, =0 {Seit heute in Wartung, keine Reparatur geplant} one {Seit # Tag in Wartung, keine Reparatur geplant} other {Seit # Tagen in Wartung, keine Reparatur geplant}}",
  "{title} is urgent, and is unassigned": "{title}: dringend, nicht zugewiesen",
  "{title} has high priority, and is unassigned": "{title}: hohe Priorität, nicht zugewiesen",
  "{title} is urgent and is due {when}, and is unassigned":
    "{title}: dringend, {when} fällig, nicht zugewiesen",
  "{title} has high priority and is due {when}, and is unassigned":
    "{title}: hohe Priorität, {when} fällig, nicht zugewiesen",
  "{title} is due {when}, and is unassigned": "{title}: {when} fällig, nicht zugewiesen",
  "{count, plural, one {Failed # time in the last 365 days} other {Failed # times in the last 365 days}}":
    "{count, plural, one {# Ausfall in den letzten 365 Tagen} other {# Ausfälle in den letzten 365 Tagen}}",
  "Warranty ends {when}": "Garantie endet {when}",
  "Look at task": "Aufgabe ansehen",
  "View report": "Meldung ansehen",
  Complete: "Erledigen",

  "Look at asset": "Anlage ansehen",

  // How an assistant is connected
  "Steps for your assistant": "Schritte für Ihren Assistenten",
  "Open Settings > Connectors, and choose “Add custom connector”. In a browser, claude.ai has the same.":
    "Öffnen Sie „Settings > Connectors“ und wählen Sie „Add custom connector“. Im Browser hat claude.ai dasselbe.",
  "Paste the server address, choose “Connect”, and sign in here. It has to be reached from the internet.":
    "Fügen Sie die Serveradresse ein, wählen Sie „Connect“ und melden Sie sich hier an. Die Adresse muss aus dem Internet erreichbar sein.",
  "If it cannot be reached: Open Settings > Developer > Edit Config, and add this to <file>claude_desktop_config.json</file>. Then quit Claude Desktop and start it again. It needs Node.js.":
    "Ist sie nicht erreichbar: Öffnen Sie „Settings > Developer > Edit Config“ und fügen Sie dies in <file>claude_desktop_config.json</file> ein. Beenden Sie dann Claude Desktop und starten Sie es neu. Dafür braucht es Node.js.",
  "Open Settings > Developer > Edit Config, and add this to <file>claude_desktop_config.json</file>. Then quit Claude Desktop and start it again. It needs Node.js.":
    "Öffnen Sie „Settings > Developer > Edit Config“ und fügen Sie dies in <file>claude_desktop_config.json</file> ein. Beenden Sie dann Claude Desktop und starten Sie es neu. Dafür braucht es Node.js.",
  "In a terminal, run:": "Führen Sie in einem Terminal aus:",
  "Start Claude Code, type <file>/mcp</file>, and choose fettle to sign in here.":
    "Starten Sie Claude Code, tippen Sie <file>/mcp</file> und wählen Sie fettle, um sich hier anzumelden.",
  "Open Settings > Apps & Connectors > Advanced settings, and turn on developer mode.":
    "Öffnen Sie „Settings > Apps & Connectors > Advanced settings“ und schalten Sie den Entwicklermodus ein.",
  "Go back, choose “Create”, and paste the server address. Authentication is OAuth. It has to be reached from the internet.":
    "Gehen Sie zurück, wählen Sie „Create“ und fügen Sie die Serveradresse ein. Die Authentifizierung ist OAuth. Die Adresse muss aus dem Internet erreichbar sein.",
  "Choose “Connect”, and sign in here.": "Wählen Sie „Connect“ und melden Sie sich hier an.",
  "ChatGPT takes addresses with https on the internet only, so not this one.":
    "ChatGPT nimmt nur Adressen mit https im Internet an, also diese nicht.",
  "Add this to <file>~/.cursor/mcp.json</file>:":
    "Fügen Sie dies in <file>~/.cursor/mcp.json</file> ein:",
  "Start Cursor again. In its settings for MCP, choose fettle to sign in here.":
    "Starten Sie Cursor neu. Wählen Sie in dessen Einstellungen für MCP fettle, um sich hier anzumelden.",
  "Add this to <file>.vscode/mcp.json</file> of your project, or by the command “MCP: Open User Configuration” for all of them:":
    "Fügen Sie dies in <file>.vscode/mcp.json</file> Ihres Projekts ein, oder mit dem Befehl „MCP: Open User Configuration“ für alle:",
  "Run the command “MCP: List Servers”, start fettle there, and sign in here.":
    "Führen Sie den Befehl „MCP: List Servers“ aus, starten Sie dort fettle und melden Sie sich hier an.",
  "Others that start a program (stdio)": "Andere, die ein Programm starten (stdio)",
  "As the program to start, give the bridge, which needs Node.js and signs in for it:":
    "Geben Sie als Programm die Brücke an; sie braucht Node.js und übernimmt die Anmeldung:",
  "Most keep it in a file of settings like this:":
    "Bei den meisten steht das in einer Datei mit Einstellungen wie dieser:",
  "Or let the bridge write it into the settings of all the clients that it finds:":
    "Oder lassen Sie es die Brücke in die Einstellungen aller Clients schreiben, die sie findet:",
  "Connect another assistant": "Weiteren Assistenten verbinden",
  "Connect your assistant": "Verbinden Sie Ihren Assistenten",
  "Claude, ChatGPT and every other assistant that speaks MCP can look things up here and keep them up to date. You decide what each of them may do.":
    "Claude, ChatGPT und jeder andere Assistent, der MCP spricht, kann hier nachsehen und alles aktuell halten. Sie entscheiden, was jeder von ihnen darf.",
  "How to connect an assistant, step by step": "Einen Assistenten verbinden, Schritt für Schritt",
  "{count, plural, one {See your connected app} other {See your # connected apps}}":
    "{count, plural, one {Ihre verbundene App ansehen} other {Ihre # verbundenen Apps ansehen}}",
  "Server address": "Serveradresse",
  "Select it and copy it.": "Markieren und kopieren Sie sie.",
  "Connect an assistant": "Assistenten verbinden",

  "Claude, ChatGPT and every other assistant that speaks MCP can look things up here, add assets and keep them up to date. You decide what each of them may do.":
    "Claude, ChatGPT und jeder andere Assistent, der MCP spricht, kann hier nachsehen, Anlagen hinzufügen und aktuell halten. Sie entscheiden, was jeder von ihnen darf.",
  "In your assistant, open the settings and add a connector or MCP server. It asks for an address: paste the one above.":
    "Öffnen Sie in Ihrem Assistenten die Einstellungen und fügen Sie einen Connector oder MCP-Server hinzu. Er fragt nach einer Adresse: Fügen Sie die von oben ein.",
  "Your assistant opens a page of Fettle. Sign in, choose the organization, and tick what the assistant may do.":
    "Ihr Assistent öffnet eine Seite von Fettle. Melden Sie sich an, wählen Sie die Organisation und kreuzen Sie an, was der Assistent darf.",
  "Go back to your assistant and ask: “Which warranties end this year?”":
    "Gehen Sie zurück zu Ihrem Assistenten und fragen Sie: „Welche Garantien enden dieses Jahr?“",
  "What you connect is listed under <a>Connected Apps</a>, and you can disconnect it there at any time.":
    "Was Sie verbinden, steht unter <a>Verbundene Apps</a>, und Sie können es dort jederzeit trennen.",

  // The week and the figures
  "Your work": "Ihre Arbeit",
  "See all {count} open tasks of yours": "Alle {count} offenen Aufgaben von Ihnen ansehen",
  "Due in the next 7 days": "In den nächsten 7 Tagen fällig",
  "No open task is due until {day}.": "Bis {day} ist keine offene Aufgabe fällig.",
  "{count, plural, one {See more than # task due in the next 7 days} other {See more than # tasks due in the next 7 days}}":
    "{count, plural, one {Mehr als # Aufgabe ansehen, die in den nächsten 7 Tagen fällig ist} other {Mehr als # Aufgaben ansehen, die in den nächsten 7 Tagen fällig sind}}",
  "{count, plural, one {See all # task due in the next 7 days} other {See all # tasks due in the next 7 days}}":
    "{count, plural, one {Die # Aufgabe ansehen, die in den nächsten 7 Tagen fällig ist} other {Alle # Aufgaben ansehen, die in den nächsten 7 Tagen fällig sind}}",
  "Your part of {organization}": "Ihr Teil von {organization}",

  "Due in 7 days": "In 7 Tagen fällig",
  "Open||tasks": "Offen",
  "All||assets": "Alle",
  "Last {count} days": "Letzte {count} Tage",
  "Completed tasks": "Erledigte Aufgaben",
  "Planned work on time": "Geplante Arbeit pünktlich",
  Availability: "Verfügbarkeit",
  "Between failures (MTBF)": "Zwischen Ausfällen (MTBF)",
  "To repair (MTTR)": "Bis zur Reparatur (MTTR)",
  "{count, plural, one {of # task due} other {of # tasks due}}":
    "{count, plural, one {von # fälligen Aufgabe} other {von # fälligen Aufgaben}}",
  "{count, plural, one {over # asset} other {over # assets}}":
    "{count, plural, one {über # Anlage} other {über # Anlagen}}",
  "{count, plural, one {from # failure} other {from # failures}}":
    "{count, plural, one {aus # Ausfall} other {aus # Ausfällen}}",
  "{count, plural, one {from # repair} other {from # repairs}}":
    "{count, plural, one {aus # Reparatur} other {aus # Reparaturen}}",
  "Too much to add up while you wait. An assistant can ask for the figures of one workspace.":
    "Zu viel, um es zusammenzuzählen, während Sie warten. Ein Assistent kann nach den Zahlen eines Arbeitsbereichs fragen.",
  "Good to see you, {name}": "Willkommen, {name}",

  // First steps
  "You belong to no workspace yet": "Sie gehören noch keinem Arbeitsbereich an",

  "Ask an owner or admin of {organization} to add you to one. Its assets and tasks appear here then.":
    "Bitten Sie einen Inhaber oder Admin von {organization}, Sie zu einem hinzuzufügen. Dann erscheinen hier dessen Anlagen und Aufgaben.",
  "Your workspaces hold no assets and no tasks. Add the first asset, and what needs attention appears here.":
    "Ihre Arbeitsbereiche enthalten keine Anlagen und keine Aufgaben. Fügen Sie die erste Anlage hinzu, und was Aufmerksamkeit braucht, erscheint hier.",
  "The workspaces that you may look at hold no assets and no tasks. What needs attention appears here as soon as somebody adds them.":
    "Die Arbeitsbereiche, die Sie ansehen dürfen, enthalten keine Anlagen und keine Aufgaben. Was Aufmerksamkeit braucht, erscheint hier, sobald jemand welche hinzufügt.",
  "Add an asset": "Anlage hinzufügen",
  "Add a workspace": "Arbeitsbereich hinzufügen",
  "Add another workspace": "Weiteren Arbeitsbereich hinzufügen",
  "A site, a building, a fleet: people see the assets and tasks of the workspaces they belong to.":
    "Ein Standort, ein Gebäude, ein Fuhrpark: Alle sehen die Anlagen und Aufgaben der Arbeitsbereiche, denen sie angehören.",
  "Add another asset": "Weitere Anlage hinzufügen",
  "Every asset gets its own inventory number, a history and a QR label. Work that is planned for it appears here when it is due.":
    "Jede Anlage bekommt eine eigene Inventarnummer, einen Verlauf und ein QR-Etikett. Arbeit, die für sie geplant ist, erscheint hier, wenn sie fällig ist.",
  "Invite people": "Personen einladen",

  "Invite another person": "Weitere Person einladen",
  "You choose what each of them sees and may change. They get a link with which they join.":
    "Sie wählen, was jede Person sieht und ändern darf. Sie bekommt einen Link, mit dem sie beitritt.",
  "See how": "So geht es",
  "Connect another": "Weiteren verbinden",
  "Claude, ChatGPT and other assistants can add assets from a list or a photo that you give them, and answer questions about them.":
    "Claude, ChatGPT und andere Assistenten können Anlagen aus einer Liste oder einem Foto hinzufügen, die Sie ihnen geben, und Fragen dazu beantworten.",
  "First steps for {organization}": "Erste Schritte für {organization}",
  "{count, plural, one {{names} is there.} other {{names} are there.}}":
    "{count, plural, one {{names} ist schon da.} other {{names} sind schon da.}}",
  "First steps": "Erste Schritte",
  "Done:": "Erledigt:",
  "Hide the first steps": "Erste Schritte ausblenden",
  "The first steps are hidden.": "Die ersten Schritte sind ausgeblendet.",

  // Sample organizations
  "Sample organization": "Beispielorganisation",
  "The sample organization is deleted.": "Die Beispielorganisation ist gelöscht.",
  "Delete the sample organization": "Beispielorganisation löschen",
  "Delete the sample organization?": "Beispielorganisation löschen?",
  "Everything in {name} goes, with what you and others added to it, and apps that are connected to it lose access. Your other organizations stay as they are. You can make a new sample at any time.":
    "Alles in {name} wird gelöscht, auch was Sie und andere hinzugefügt haben, und damit verbundene Apps verlieren den Zugang. Ihre anderen Organisationen bleiben, wie sie sind. Sie können jederzeit ein neues Beispiel anlegen.",
  "Delete it": "Löschen",
  Organizations: "Organisationen",
  "It is being made": "Sie wird angelegt",
  "{percent} % are there. This page goes on by itself.":
    "{percent} % sind da. Diese Seite geht von selbst weiter.",
  Progress: "Fortschritt",
  "It was interrupted": "Das Anlegen wurde unterbrochen",
  "The server stopped while it was made, at {percent} %.":
    "Der Server hielt währenddessen an, bei {percent} %.",

  "An organization of your own to look around and play in: 200 assets in 30 workspaces, with two years of work and history by 26 invented people. Change whatever you like, and connect an assistant to it. Nothing in it touches your other organizations, and none of its people gets mail.":
    "Eine eigene Organisation zum Umsehen und Ausprobieren: 200 Anlagen in 30 Arbeitsbereichen, mit Arbeit und Verlauf aus zwei Jahren von 26 erfundenen Personen. Ändern Sie, was Sie möchten, und verbinden Sie einen Assistenten damit. Nichts darin berührt Ihre anderen Organisationen, und keine der Personen bekommt E-Mails.",
  "Make a sample organization": "Beispielorganisation anlegen",
  "Owners and admins of an organization can make one.":
    "Inhaber und Admins einer Organisation können eine anlegen.",
  "{name} is there: 200 assets in 30 workspaces, with two years of work and history. You own it; nobody else is in it but its invented people.":
    "{name} ist bereit: 200 Anlagen in 30 Arbeitsbereichen, mit Arbeit und Verlauf aus zwei Jahren. Sie sind Inhaber; außer den erfundenen Personen ist niemand darin.",
  "To its home page": "Zu ihrer Startseite",
  "Want to look around first? <a>Make a sample organization</a> to play in.":
    "Möchten Sie sich erst umsehen? <a>Legen Sie eine Beispielorganisation an</a>, um alles auszuprobieren.",
  "A <a>sample organization</a> to play in.": "Eine <a>Beispielorganisation</a> zum Ausprobieren.",
  "Sample, to keep or delete": "Beispiel, behalten oder löschen",

  // What an app asks to confirm
  "To confirm, type it": "Zur Bestätigung eintippen",
  Confirmed: "Bestätigt",
  "Go back to {app} and let it try again. It can do this once, within five minutes.":
    "Gehen Sie zurück zu {app} und lassen Sie es noch einmal versuchen. Das geht einmal, innerhalb von fünf Minuten.",
  "Go to the home page": "Zur Startseite",
  "Confirm a deletion": "Löschung bestätigen",
  "Delete this?": "Das löschen?",
  "{app} asks, in the organization {organization}:":
    "{app} fragt in der Organisation {organization}:",
  "Type {text}": "Tippen Sie {text}",

  "Nothing is deleted when you close this page. If you did not ask for it, look at <a>Connected Apps</a>.":
    "Es wird nichts gelöscht, wenn Sie diese Seite schließen. Haben Sie nicht darum gebeten, sehen Sie unter <a>Verbundene Apps</a> nach.",

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
