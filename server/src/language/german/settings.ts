/* German of settings. */
export const settings = {
  // Sections
  Settings: "Einstellungen",
  "You||heading of own settings": "Persönlich",
  "Your account": "Ihr Konto",
  "Sign-in and security": "Anmeldung und Sicherheit",
  Sessions: "Sitzungen",
  "Connected Apps": "Verbundene Apps",
  "Activity||the log": "Aktivität",
  Notifications: "Benachrichtigungen",
  Members: "Mitglieder",
  Organization: "Organisation",
  Organizations: "Organisationen",
  Mail: "E-Mail",
  Webhooks: "Webhooks",

  // Buttons
  Save: "Speichern",
  Change: "Ändern",
  "Nothing was changed.": "Es wurde nichts geändert.",

  // Account
  Profile: "Profil",
  "Sign-in": "Anmeldung",
  "Enter your name.": "Geben Sie Ihren Namen ein.",
  "Your name is saved.": "Ihr Name ist gespeichert.",
  "Colleagues see it on assets and tasks. What happened before keeps your earlier name.":
    "Kollegen sehen ihn an Anlagen und Aufgaben. Was vorher geschah, behält Ihren früheren Namen.",
  "An email cannot be changed. If you have a new address, ask an admin to invite it, and connect your apps again with the new account.":
    "Eine E-Mail-Adresse lässt sich nicht ändern. Wenn Sie eine neue haben, bitten Sie einen Admin, diese einzuladen, und verbinden Sie Ihre Apps neu mit dem neuen Konto.",
  "You are in no organization. Ask an admin of yours for an invitation to <b>your email</b>.":
    "Sie gehören zu keiner Organisation. Bitten Sie einen Admin um eine Einladung an <b>Ihre E-Mail-Adresse</b>.",

  // Password
  "Change password": "Passwort ändern",
  "Current password": "Aktuelles Passwort",
  "New password": "Neues Passwort",
  "Enter your current password.": "Geben Sie Ihr aktuelles Passwort ein.",
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
} as const;
