/* German of settings. */
export const settings = {
  // Sections

  "You||heading of own settings": "Persönlich",

  Sessions: "Sitzungen",
  "Connected Apps": "Verbundene Apps",
  "Activity||the log": "Aktivität",
  Notifications: "Benachrichtigungen",
  Members: "Mitglieder",

  Mail: "E-Mail",
  Webhooks: "Webhooks",

  // Buttons

  // Account
  Profile: "Profil",
  "Sign-in": "Anmeldung",
  "Enter your name.": "Geben Sie Ihren Namen ein.",
  "Your account is saved.": "Ihr Konto ist gespeichert.",
  "That of the organization": "Die der Organisation",
  "Of the times that you read and enter. What is due on which day goes by the organization.":
    "Für die Uhrzeiten, die Sie lesen und eingeben. An welchem Tag etwas fällig ist, richtet sich nach der Organisation.",
  "Colleagues see it on assets and tasks. What happened before keeps your earlier name.":
    "Kollegen sehen ihn an Anlagen und Aufgaben. Was vorher geschah, behält Ihren früheren Namen.",
  "An email cannot be changed. If you have a new address, ask an admin to invite it, and connect your apps again with the new account.":
    "Eine E-Mail-Adresse lässt sich nicht ändern. Wenn Sie eine neue haben, bitten Sie einen Admin, diese einzuladen, und verbinden Sie Ihre Apps neu mit dem neuen Konto.",
  "You are in no organization. Ask an admin of yours for an invitation to <b>your email</b>.":
    "Sie gehören zu keiner Organisation. Bitten Sie einen Admin um eine Einladung an <b>Ihre E-Mail-Adresse</b>.",

  // Password

  "Enter the new password.": "Geben Sie das neue Passwort ein.",
  "You stay signed in here and are signed out of every other browser. Calendar addresses of yours end. Apps you have connected stay connected.":
    "Sie bleiben hier angemeldet und werden in allen anderen Browsern abgemeldet. Ihre Kalenderadressen werden ungültig. Verbundene Apps bleiben verbunden.",
  "What to do when you have forgotten the current one": "Aktuelles Passwort vergessen?",
  "Your password is changed. You were signed in nowhere else.":
    "Ihr Passwort ist geändert. Sie waren sonst nirgends angemeldet.",
  "Your password is changed. You are signed out of {count, plural, one {# other browser} other {# other browsers}}.":
    "Ihr Passwort ist geändert. Sie sind in {count, plural, one {# anderen Browser} other {# anderen Browsern}} abgemeldet.",

  // Deletions by apps
  "Deletions by apps": "Löschen durch Apps",
  "A person confirms what an app deletes": "Eine Person bestätigt, was eine App löscht",
  "The rule for deletions by apps is saved.":
    "Die Regel für das Löschen durch Apps ist gespeichert.",
  "Confirmed by a person": "Von einer Person bestätigt",
  Always: "Immer",
  "Where the app can ask": "Wo die App fragen kann",
  "Before an app deletes an asset permanently, deletes a workspace, or removes somebody from the organization, the person whose app it is types its name or number on a page here that the app links to. Without this rule apps ask by themselves, where they can.":
    "Bevor eine App eine Anlage endgültig löscht, einen Arbeitsbereich löscht oder jemanden aus der Organisation entfernt, gibt die Person, der die App gehört, den Namen oder die Nummer auf einer Seite hier ein, auf die die App verweist. Ohne diese Regel fragen Apps selbst, wo sie es können.",

  // Export
  "Download everything": "Alles herunterladen",
  "Take everything with you": "Alles mitnehmen",
  "Assets, tasks, people, history, photos and files in one ZIP file.":
    "Anlagen, Aufgaben, Personen, Verlauf, Fotos und Dateien in einer ZIP-Datei.",
  "One ZIP file with all that {name} has here: assets, tasks, members and workspaces as tables for a spreadsheet, all photos and files, and every record with its history as JSON Lines for other programs. Passwords, keys and the codes of labels are not in it.":
    "Eine ZIP-Datei mit allem, was {name} hier hat: Anlagen, Aufgaben, Mitglieder und Arbeitsbereiche als Tabellen, alle Fotos und Dateien sowie jeder Datensatz mit seinem Verlauf als JSON Lines für andere Programme. Passwörter, Schlüssel und die Codes der Etiketten sind nicht enthalten.",
  "It names people and what they did, so keep it where only those can read it who need it. That you downloaded it stands in the activity log.":
    "Sie nennt Personen und was sie getan haben. Bewahren Sie sie so auf, dass nur lesen kann, wer sie braucht. Dass Sie sie heruntergeladen haben, steht im Aktivitätsprotokoll.",

  // Notifications
  Mails: "E-Mails",
  "Work that is assigned to me": "Arbeit, die mir zugewiesen wird",
  "My work that is due tomorrow": "Meine Arbeit, die morgen fällig ist",
  "My work that is overdue": "Meine überfällige Arbeit",
  "Answers to what I reported": "Antworten auf meine Meldungen",
  "The week at a glance": "Wochenüberblick",
  "By somebody else. What comes within a few minutes is one mail.":
    "Von jemand anderem. Was innerhalb weniger Minuten kommt, ist eine E-Mail.",
  "One mail in the morning, with all of it.": "Eine E-Mail am Morgen, mit allem zusammen.",
  "In the same mail: when it has become overdue, and on Mondays while it is.":
    "In derselben E-Mail: sobald sie überfällig ist, und montags, solange sie es bleibt.",
  "What became of a problem that you have reported.":
    "Was aus einem Problem wurde, das Sie gemeldet haben.",
  "On Mondays: what is overdue, due and done, as far as you see it. Meant for those who manage others' work.":
    "Montags: was überfällig, fällig und erledigt ist, soweit Sie es sehen. Gedacht für alle, die die Arbeit anderer leiten.",
  "Your choice of mails is saved.": "Ihre Auswahl der E-Mails ist gespeichert.",
  "About the work of {organization}, to {email}. You are told of nothing that you cannot see, and not of what you do yourself.":
    "Über die Arbeit von {organization}, an {email}. Sie erfahren nichts, was Sie nicht sehen können, und nichts, was Sie selbst tun.",
  "This server sends no mails now. What you choose counts from when it does.":
    "Dieser Server versendet derzeit keine E-Mails. Ihre Auswahl gilt, sobald er es tut.",
  "Send me mails about": "E-Mails senden über",

  // Calendar
  Calendar: "Kalender",
  "My tasks": "Meine Aufgaben",
  "All tasks that I see": "Alle Aufgaben, die ich sehe",
  "What is due, in the calendar program of your phone or computer: Google Calendar, Outlook, Apple Calendar and others read it from an address of yours.":
    "Was fällig ist, im Kalenderprogramm Ihres Telefons oder Computers: Google Kalender, Outlook, Apple Kalender und andere lesen es von einer Adresse, die nur Ihnen gehört.",
  "Make a calendar address": "Kalenderadresse erstellen",
  "Make a new calendar address": "Neue Kalenderadresse erstellen",
  "Make a new address": "Neue Adresse erstellen",
  "Make address": "Adresse erstellen",

  Made: "Erstellt",
  "Last read": "Zuletzt gelesen",

  "The address was shown when it was made, and is kept nowhere. If you do not have it any more, make a new one.":
    "Die Adresse wurde nur beim Erstellen angezeigt und ist nirgends gespeichert. Wenn Sie sie nicht mehr haben, erstellen Sie eine neue.",
  Revoke: "Widerrufen",
  "Revoke<rest> the calendar address</rest>": "Widerrufen<rest>: Kalenderadresse</rest>",
  "Revoke the calendar address": "Kalenderadresse widerrufen",
  "Revoke the calendar address?": "Kalenderadresse widerrufen?",
  "The calendar address is revoked.": "Die Kalenderadresse ist widerrufen.",
  "Programs that read your calendar at it stop to get anything, at once.":
    "Programme, die Ihren Kalender dort lesen, bekommen sofort nichts mehr.",
  "Calendar address": "Kalenderadresse",
  "Your calendar address": "Ihre Kalenderadresse",
  "What the calendar shows": "Was der Kalender zeigt",
  "Choose what the calendar shows.": "Wählen Sie, was der Kalender zeigt.",
  "Whoever has the address reads the tasks of {organization} that you see, until you revoke it, leave, or are signed out everywhere, as with another password. Give it to your calendar program and to nobody else.":
    "Wer die Adresse hat, liest die Aufgaben von {organization}, die Sie sehen: bis Sie sie widerrufen, ausscheiden oder überall abgemeldet werden, etwa durch ein neues Passwort. Geben Sie sie nur Ihrem Kalenderprogramm und niemandem sonst.",
  "The address that you have now stops working at once.":
    "Ihre jetzige Adresse gilt dann sofort nicht mehr.",
  "The open tasks that you are responsible for.":
    "Die offenen Aufgaben, für die Sie zuständig sind.",
  "The open tasks of everybody, in the workspaces that you belong to.":
    "Die offenen Aufgaben aller, in den Arbeitsbereichen, zu denen Sie gehören.",
  "Subscribe to this address in your calendar program: in Google Calendar “From URL”, in Outlook “Subscribe from web”, on Apple devices the button.":
    "Abonnieren Sie diese Adresse in Ihrem Kalenderprogramm: in Google Kalender „Per URL“, in Outlook „Aus dem Internet abonnieren“, auf Apple-Geräten mit der Schaltfläche.",
  "It is shown only now.": "Wird nur jetzt angezeigt.",
  "Open in the calendar program": "Im Kalenderprogramm öffnen",
  "I have it, continue": "Notiert, weiter",
  "Calendar programs read it again every hour or less often, so that changes come late. Tasks that are done or cancelled go from the calendar.":
    "Kalenderprogramme lesen sie stündlich oder seltener neu, Änderungen kommen also später an. Erledigte oder abgesagte Aufgaben verschwinden aus dem Kalender.",

  // Webhooks
  Webhook: "Webhook",
  "Asset added": "Anlage hinzugefügt",
  "Asset changed": "Anlage geändert",
  "State of an asset changed": "Status einer Anlage geändert",
  "Asset retired": "Anlage ausgemustert",
  "Asset restored": "Anlage wiederhergestellt",
  "Asset permanently deleted": "Anlage endgültig gelöscht",
  "Task added": "Aufgabe hinzugefügt",
  "Task changed": "Aufgabe geändert",
  "State of a task changed": "Status einer Aufgabe geändert",
  "Task completed": "Aufgabe erledigt",
  "Task cancelled": "Aufgabe abgesagt",
  "Problem reported": "Problem gemeldet",
  "Report decided": "Meldung entschieden",
  "Add a webhook": "Webhook hinzufügen",
  "Add webhook": "Webhook hinzufügen",
  "Change the webhook": "Webhook ändern",
  "The webhook is saved.": "Der Webhook ist gespeichert.",
  "Enter an https address.": "Geben Sie eine https-Adresse ein.",
  "Of a server on the public Internet, with https. It answers with a status of 200 to 299 within 5 seconds; redirects are not followed.":
    "Eines Servers im öffentlichen Internet, mit https. Er antwortet innerhalb von 5 Sekunden mit einem Status von 200 bis 299; Weiterleitungen wird nicht gefolgt.",
  "Tell it of": "Mitteilen",
  "New secret": "Neues Secret",
  "Make a new secret?": "Neues Secret erstellen?",
  "Make a new secret": "Neues Secret erstellen",
  "From then on messages are signed with it alone. Until the receiver knows it, messages are refused there, and sent again for a day.":
    "Ab dann werden Nachrichten nur noch damit signiert. Bis der Empfänger es kennt, lehnt er Nachrichten ab; sie werden einen Tag lang erneut gesendet.",
  "The secret": "Das Secret",
  Secret: "Secret",
  "The receiver verifies with it that a message comes from here, for example with a library of Standard Webhooks.":
    "Damit prüft der Empfänger, dass eine Nachricht von hier kommt, zum Beispiel mit einer Bibliothek von Standard Webhooks.",
  "A test is on its way. Load this page again in some seconds to see how it was answered.":
    "Ein Test ist unterwegs. Laden Sie diese Seite in einigen Sekunden neu, um die Antwort zu sehen.",
  "It is told of nothing any more, until you resume it.":
    "Dem Webhook wird nichts mehr mitgeteilt, bis Sie ihn fortsetzen.",
  "It is told of what happens from now on.": "Dem Webhook wird mitgeteilt, was ab jetzt geschieht.",
  "The webhook is deleted.": "Der Webhook ist gelöscht.",
  "Delete the webhook": "Webhook löschen",
  "Delete the webhook to {host}?": "Webhook zu {host} löschen?",
  "It is told of nothing any more, also of what waits. Its secret is forgotten.":
    "Ihm wird nichts mehr mitgeteilt, auch nicht, was noch wartet. Sein Secret wird vergessen.",

  "Other systems are told when something happens here: Fettle posts a short signed message to their https address (Standard Webhooks).":
    "Andere Systeme erfahren, wenn hier etwas geschieht: Fettle sendet eine kurze signierte Nachricht an ihre https-Adresse (Standard Webhooks).",
  "No address is told of anything yet": "Noch keine Adresse erhält Mitteilungen",
  Active: "Aktiv",
  Stopped: "Angehalten",
  "Failing, stopped": "Gestört, angehalten",
  "It did not answer well, for a day or with “gone” (410), and is stopped since {at}. Send a test, and resume it when that arrives. What happened in between is not told later.":
    "Angehalten seit: {at}. Der Webhook hat einen Tag lang nicht richtig oder mit „gone“ (410) geantwortet. Senden Sie einen Test und setzen Sie ihn fort, wenn dieser ankommt. Was dazwischen geschah, wird nicht nachgereicht.",
  Events: "Ereignisse",

  "Send a test": "Test senden",
  Stop: "Anhalten",
  Resume: "Fortsetzen",
  Waiting: "Wartet",
  Delivered: "Zugestellt",
  "Failed||a delivery": "Fehlgeschlagen",
  "Last deliveries": "Letzte Zustellungen",
  "Last deliveries, as a table": "Letzte Zustellungen, als Tabelle",
  "It was told of nothing in the last 7 days.": "In den letzten 7 Tagen wurde nichts mitgeteilt.",
  Test: "Test",
  Event: "Ereignis",
  When: "Wann",
  Tries: "Versuche",
  "Answer||of a receiver": "Antwort",

  // Members

  "Choose a role.": "Wählen Sie eine Rolle.",
  "Owners do everything admins do, and decide who the owners are.":
    "Inhaber dürfen alles, was Admins dürfen, und entscheiden, wer Inhaber ist.",
  "Admins see and change everything, invite people, and set up workspaces.":
    "Admins sehen und ändern alles, laden Personen ein und richten Arbeitsbereiche ein.",
  "Members see and do what their role in each of their workspaces allows.":
    "Mitglieder sehen und tun, was ihre Rolle in dem jeweiligen Arbeitsbereich erlaubt.",
  "Admins also invite people into it, members add and change things, viewers only look.":
    "Admins laden auch Personen ein, Mitglieder fügen hinzu und ändern, Betrachter sehen nur.",
  "Longest not active": "Lange nicht aktiv",
  "You see the people of your workspaces, and the admins of the organization.":
    "Sie sehen die Personen Ihrer Arbeitsbereiche und die Admins der Organisation.",

  "Sort by": "Sortieren nach",
  "Search by name or email": "Nach Name oder E-Mail suchen",

  "Nobody is found": "Niemand gefunden",
  "Try other words, or fewer of them.": "Versuchen Sie es mit anderen oder weniger Wörtern.",
  "Nobody is called that. Near: {names}.": "Niemand heißt so. Ähnlich: {names}.",
  "Show all members": "Alle Mitglieder anzeigen",
  "(you)": "(Sie)",
  "Cannot sign in": "Kann sich nicht anmelden",
  "Never active": "Nie aktiv",
  "Active {at}": "Zuletzt aktiv: {at}",
  "No open tasks": "Keine offenen Aufgaben",
  "Every workspace": "Alle Arbeitsbereiche",
  "No workspace": "Kein Arbeitsbereich",
  "{name} (admin)": "{name} (Admin)",
  "{name} (member)": "{name} (Mitglied)",
  "{name} (viewer)": "{name} (Betrachter)",
  "{place} and 9 or more more": "{place} und 9 oder mehr weitere",
  "{place} and {count, plural, one {# more} other {# more}}":
    "{place} und {count, plural, one {# weiterer} other {# weitere}}",

  "Only what the person chosen can see goes to them.":
    "Es geht nur über, was die gewählte Person sehen kann.",
  "{name} is not responsible for any open task or asset in {organization}.":
    "{name} ist in {organization} für keine offene Aufgabe oder Anlage zuständig.",
  "{name} is not responsible for any open task or asset there.":
    "{name} ist dort für keine offene Aufgabe oder Anlage zuständig.",
  "{name} is not responsible for any open task or asset in workspaces they will not see.":
    "{name} ist für keine offene Aufgabe oder Anlage in Arbeitsbereichen zuständig, die dann nicht mehr sichtbar sind.",
  "{name} is responsible for {what} in {organization}. Choose who takes over, or they are left without anybody.":
    "{name} ist in {organization} zuständig für {what}. Wählen Sie, wer übernimmt, sonst ist niemand mehr zuständig.",
  "{name} is responsible for {what} there. Choose who takes over, or they are left without anybody.":
    "{name} ist dort zuständig für {what}. Wählen Sie, wer übernimmt, sonst ist niemand mehr zuständig.",
  "{name} is responsible for {what} in workspaces they will not see. Choose who takes over, or they are left without anybody.":
    "{name} ist in Arbeitsbereichen, die dann nicht mehr sichtbar sind, zuständig für {what}. Wählen Sie, wer übernimmt, sonst ist niemand mehr zuständig.",
  "{name} sees none of it, so nobody is responsible for {what} now.":
    "{name} sieht nichts davon. Für {what} ist jetzt niemand zuständig.",
  "{name} takes over {what}.": "{name} übernimmt {what}.",
  "Nobody is responsible for {what} now.": "Für {what} ist jetzt niemand zuständig.",

  // A member
  "This is you": "Das sind Sie",
  "This account cannot sign in. Whoever runs the server can activate it again.":
    "Mit diesem Konto ist keine Anmeldung möglich. Wer den Server betreibt, kann es wieder aktivieren.",
  "Member since": "Mitglied seit",
  "Invited by": "Eingeladen von",
  "Last active": "Zuletzt aktiv",

  "None||open tasks": "Keine",
  "Responsible for": "Zuständig für",
  "No asset": "Keine Anlage",
  "New role": "Neue Rolle",
  "Change role": "Rolle ändern",
  "Change the role": "Rolle ändern",
  "Change the role in {name}": "Rolle in {name} ändern",
  "The role of {name} in {workspace}": "Rolle von {name} in {workspace}",

  "Sees and changes every workspace as owner of the organization. Roles in workspaces count when that ends.":
    "Sieht und ändert als Inhaber der Organisation alle Arbeitsbereiche. Rollen in Arbeitsbereichen zählen, wenn das endet.",
  "Sees and changes every workspace as admin of the organization. Roles in workspaces count when that ends.":
    "Sieht und ändert als Admin der Organisation alle Arbeitsbereiche. Rollen in Arbeitsbereichen zählen, wenn das endet.",
  "{name} belongs to no workspace.": "{name} gehört zu keinem Arbeitsbereich.",
  "{name} belongs to no workspace that you see.":
    "{name} gehört zu keinem Arbeitsbereich, den Sie sehen.",

  "Remove {name}": "{name} entfernen",
  "Remove {name} from {place}": "{name} aus {place} entfernen",
  "Remove {name} from {place}?": "{name} aus {place} entfernen?",
  "Remove from {place}": "Aus {place} entfernen",
  "Back to {name}": "Zurück zu {name}",
  "this workspace": "diesem Arbeitsbereich",
  "{name} was removed from {place}.": "{name} wurde aus {place} entfernt.",
  "{name} loses access to {organization} at once. The account stays, and so does everything in the history. Open invitations that they sent are withdrawn. They can be invited again.":
    "{name} verliert sofort den Zugang zu {organization}. Das Konto bleibt, ebenso alles im Verlauf. Offene Einladungen, die {name} gesendet hat, werden zurückgezogen. Eine neue Einladung ist möglich.",
  "{name} loses access to {organization} at once, in the browser and through apps. The account itself stays, and everything they did stays in the history.":
    "{name} verliert sofort den Zugang zu {organization}, im Browser und durch Apps. Das Konto selbst bleibt, und alles Getane bleibt im Verlauf.",
  "{count, plural, one {# connected app} other {# connected apps}} of theirs will be disconnected.":
    "{count, plural, one {# verbundene App dieser Person wird getrennt.} other {# verbundene Apps dieser Person werden getrennt.}}",
  "{name} stays an owner of the organization and goes on to see every workspace.":
    "{name} bleibt Inhaber der Organisation und sieht weiterhin alle Arbeitsbereiche.",
  "{name} stays an admin of the organization and goes on to see every workspace.":
    "{name} bleibt Admin der Organisation und sieht weiterhin alle Arbeitsbereiche.",
  "{name} no longer sees what is in {workspace}, will belong to no workspace that you see, and stays a member of the organization.":
    "{name} sieht nicht mehr, was in {workspace} ist, gehört dann zu keinem Arbeitsbereich, den Sie sehen, und bleibt Mitglied der Organisation.",
  "{name} no longer sees what is in {workspace}, and goes on to belong to {others}.":
    "{name} sieht nicht mehr, was in {workspace} ist, und gehört weiterhin zu {others}.",
  "End access": "Zugang beenden",
  "Set the last day": "Letzten Tag festlegen",
  "Change the last day": "Letzten Tag ändern",
  "{name} is in for as long as nobody removes them.":
    "{name} bleibt dabei, bis jemand den Zugang beendet.",
  "{name} has access until the end of {day}.": "{name} hat Zugang bis einschließlich {day}.",
  "Until when is {name} in {organization}?": "Bis wann gehört {name} zu {organization}?",
  "After that day they lose access at once, in the browser and through apps. Open tasks and assets that they are responsible for are left without anybody. The account itself stays, and so does the history.":
    "Nach diesem Tag endet der Zugang sofort, im Browser und durch Apps. Für offene Aufgaben und Anlagen dieser Person ist dann niemand zuständig. Das Konto selbst bleibt, ebenso der Verlauf.",
  "By the calendar of the organization. Empty for as long as they stay.":
    "Nach dem Kalender der Organisation. Leer, solange die Person bleibt.",

  // Roles
  "Choose the role on the page of the person.": "Wählen Sie die Rolle auf der Seite der Person.",
  "{name} is an owner already.": "{name} ist bereits Inhaber.",
  "{name} is an admin already.": "{name} ist bereits Admin.",
  "{name} is a member already.": "{name} ist bereits Mitglied.",
  "{name} is an owner of the organization now.": "{name} ist jetzt Inhaber der Organisation.",
  "{name} is an admin of the organization now.": "{name} ist jetzt Admin der Organisation.",
  "{name} is a member of the organization now.": "{name} ist jetzt Mitglied der Organisation.",
  "{name} is an owner of {organization} now.": "{name} ist derzeit Inhaber von {organization}.",
  "{name} is an admin of {organization} now.": "{name} ist derzeit Admin von {organization}.",
  "{name} is a member of {organization} now.": "{name} ist derzeit Mitglied von {organization}.",
  "Make {name} an owner of the organization?": "{name} zum Inhaber der Organisation machen?",
  "Make {name} an admin of the organization?": "{name} zum Admin der Organisation machen?",
  "Make {name} a member of the organization?": "{name} zum Mitglied der Organisation machen?",
  "Make an owner": "Zum Inhaber machen",
  "Make an admin": "Zum Admin machen",
  "Make a member": "Zum Mitglied machen",
  "{name} belongs to no workspace, so they will see none until somebody adds them to one.":
    "{name} gehört zu keinem Arbeitsbereich und sieht keinen, bis jemand das ändert.",
  "They will see only {workspaces}.": "Sichtbar bleibt nur: {workspaces}.",
  "Open invitations that they could not send as a member are withdrawn.":
    "Offene Einladungen, die ein Mitglied nicht senden könnte, werden zurückgezogen.",

  "{name} is an admin in {workspace} now.": "{name} ist jetzt Admin in {workspace}.",
  "{name} is a member in {workspace} now.": "{name} ist jetzt Mitglied in {workspace}.",
  "{name} is a viewer in {workspace} now.": "{name} ist jetzt Betrachter in {workspace}.",
  "Add to a workspace": "Zu Arbeitsbereich hinzufügen",
  "Add to the workspace": "Hinzufügen",
  "Add {name} to a workspace": "{name} zu einem Arbeitsbereich hinzufügen",
  "Nothing to add to": "Kein weiterer Arbeitsbereich",
  "{name} belongs to every workspace that you decide on.":
    "{name} gehört schon zu allen Arbeitsbereichen, über die Sie entscheiden.",

  // Invitations

  "Open invitations": "Offene Einladungen",
  "All invitations": "Alle Einladungen",
  "Nobody is invited at the moment.": "Zurzeit ist niemand eingeladen.",
  "No invitation here": "Hier ist keine Einladung",
  "Invite people to look after assets together. An invitation is valid for 7 days.":
    "Laden Sie Personen ein, um sich gemeinsam um Anlagen zu kümmern. Eine Einladung gilt 7 Tage.",
  "Open||an invitation": "Offen",
  Accepted: "Angenommen",
  Expired: "Abgelaufen",
  Withdrawn: "Zurückgezogen",
  "Accepted.": "Angenommen.",
  "Withdrawn.": "Zurückgezogen.",
  "Expired {at}.": "Abgelaufen: {at}.",
  "Valid until {at}.": "Gültig bis {at}.",
  "Invited by {person}, {at}.": "Eingeladen von {person}, {at}.",
  "Send again": "Erneut senden",
  Withdraw: "Zurückziehen",
  "Withdraw invitation": "Einladung zurückziehen",
  "Send the invitation of {email} again": "Einladung von {email} erneut senden",
  "Send the invitation of {email} again?": "Einladung von {email} erneut senden?",
  "Withdraw the invitation of {email}": "Einladung von {email} zurückziehen",
  "Withdraw the invitation of {email}?": "Einladung von {email} zurückziehen?",

  "Admin of the organization, and admin in {place}": "Admin der Organisation und Admin in {place}",
  "Admin of the organization, and member in {place}":
    "Admin der Organisation und Mitglied in {place}",
  "Admin of the organization, and viewer in {place}":
    "Admin der Organisation und Betrachter in {place}",
  "Admin in {place}": "Admin in {place}",
  "Member in {place}": "Mitglied in {place}",
  "Viewer in {place}": "Betrachter in {place}",
  "The mail was sent.": "Die E-Mail wurde gesendet.",
  "The mail is on its way.": "Die E-Mail ist unterwegs.",
  "The mail is on its way, and tried again: {reason}":
    "Die E-Mail ist unterwegs und wird erneut versucht: {reason}",

  "No mail was sent, because no mail server is set.":
    "Es wurde keine E-Mail gesendet, weil kein Mailserver eingestellt ist.",
  "<a>Copy its link from Settings > Mail</a>.":
    "<a>Kopieren Sie den Link unter Einstellungen > E-Mail</a>.",
  "An admin of the organization finds its link under Settings > Mail.":
    "Ein Admin der Organisation findet den Link unter Einstellungen > E-Mail.",
  "Settings > Mail": "Einstellungen > E-Mail",
  "Copy its link and send it yourself:": "Kopieren Sie den Link und senden Sie ihn selbst:",
  "No mail server is set: you find the new link under Settings > Mail.":
    "Es ist kein Mailserver eingestellt: Sie finden den neuen Link unter Einstellungen > E-Mail.",
  "The new link is valid for 7 days, and the link sent before stops working.":
    "Der neue Link gilt 7 Tage, der vorher gesendete gilt dann nicht mehr.",
  "Its link stops working at once. The same person can be invited again at any time.":
    "Der Link gilt sofort nicht mehr. Dieselbe Person kann jederzeit wieder eingeladen werden.",
  "The invitation of {email} is withdrawn. Its link does not work any more.":
    "Die Einladung von {email} ist zurückgezogen. Der Link gilt nicht mehr.",
  "The invitation to {email} is on its way.": "Die Einladung an {email} ist unterwegs.",
  "The invitation to {email} is kept, because no mail server is set.":
    "Die Einladung an {email} wird aufbewahrt, weil kein Mailserver eingestellt ist.",
  "This invitation was accepted already, so there is nothing left to do with it.":
    "Diese Einladung wurde bereits angenommen, es ist nichts mehr damit zu tun.",
  "This invitation was withdrawn already, so there is nothing left to do with it.":
    "Diese Einladung wurde bereits zurückgezogen, es ist nichts mehr damit zu tun.",

  "Enter the email address of the person.": "Geben Sie die E-Mail-Adresse der Person ein.",
  "Personal line": "Persönliche Zeile",
  "They get a mail with a link that is valid for 7 days.":
    "Die Person bekommt eine E-Mail mit einem Link, der 7 Tage gilt.",
  "No mail server is set, so no mail is sent. You get a link that is valid for 7 days, to send it yourself.":
    "Es ist kein Mailserver eingestellt, daher wird keine E-Mail gesendet. Sie bekommen einen Link, der 7 Tage gilt, um ihn selbst zu senden.",
  "<resend>Send the open invitation again</resend>, or <withdraw>withdraw it</withdraw> to invite them with other roles.":
    "<resend>Senden Sie die offene Einladung erneut</resend>, oder <withdraw>ziehen Sie sie zurück</withdraw>, um mit anderen Rollen einzuladen.",
  "For contractors and the like. Empty for as long as they stay.":
    "Für Fremdfirmen und Ähnliches. Leer, solange die Person bleibt.",
  "Stands in the invitation. Links are taken out.":
    "Steht in der Einladung. Links werden entfernt.",
  "Send invitation": "Einladung senden",
  "Create invitation": "Einladung erstellen",
  "None yet": "Noch keiner",
  "Shows||a calendar": "Zeigt",
} as const;
