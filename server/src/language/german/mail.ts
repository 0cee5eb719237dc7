/* German of mail. */
export const mail = {
  "It answered with status {status}.": "Die Adresse hat mit dem Status {status} geantwortet.",
  "It could not be reached, or its answer took too long.":
    "Die Adresse war nicht zu erreichen, oder ihre Antwort dauerte zu lange.",
  "{host} has a private address.": "{host} hat eine private Adresse.",
  "{host} is a private address.": "{host} ist eine private Adresse.",
  "The server's administrator can allow it with ALLOWED_PRIVATE_NETWORKS.":
    "Die Serveradministration kann sie mit ALLOWED_PRIVATE_NETWORKS erlauben.",
  "Its secret was encrypted with a key that is gone: make a new one.":
    "Das Secret ist mit einem Schlüssel verschlüsselt, den es nicht mehr gibt: Erstellen Sie ein neues.",
  "The webhook was stopped.": "Der Webhook wurde angehalten.",
  "The mail server refused it ({problem}, {status}).":
    "Der Mailserver hat sie abgelehnt ({problem}, {status}).",
  "The mail server could not be reached or did not answer ({problem}).":
    "Der Mailserver war nicht zu erreichen oder hat nicht geantwortet ({problem}).",
  "It could not be written; the server's log says why.":
    "Sie ließ sich nicht schreiben; das Protokoll des Servers sagt, warum.",
  "It was encrypted with a key that is no longer among SECRET_KEYS.":
    "Sie ist mit einem Schlüssel verschlüsselt, der nicht mehr in SECRET_KEYS steht.",

  // Invitations
  "{inviter} invites you to {organization} on Fettle, where people look after assets and their maintenance together.":
    "{inviter} lädt Sie auf Fettle zu {organization} ein. Dort kümmert man sich gemeinsam um Anlagen und ihre Wartung.",
  "{inviter} invites you to the workspace {workspace} of {organization} on Fettle, where people look after assets and their maintenance together.":
    "{inviter} lädt Sie auf Fettle in den Arbeitsbereich {workspace} von {organization} ein. Dort kümmert man sich gemeinsam um Anlagen und ihre Wartung.",
  "Accept the invitation:": "Einladung annehmen:",
  "The link is valid until {end}. It is meant for you only: do not pass it on.":
    "Der Link gilt bis {end}. Er ist nur für Sie bestimmt: Geben Sie ihn nicht weiter.",
  "If you did not expect this, ignore this message and nothing happens.":
    "Wenn Sie das nicht erwartet haben, ignorieren Sie diese Nachricht; dann geschieht nichts.",

  // Mails about work
  "Choose which mails you get: {link}": "Wählen, welche E-Mails Sie bekommen: {link}",
  "No more of these mails: {link}": "Keine solchen E-Mails mehr: {link}",
  "<choose>Choose which mails you get</choose> or <end>get no more of these mails</end>.":
    "<choose>Wählen Sie, welche E-Mails Sie bekommen</choose>, oder <end>bestellen Sie diese E-Mails ab</end>.",
  "Assigned to you: {what}": "Ihnen zugewiesen: {what}",
  "{who} assigned {count, plural, one {a task} other {# tasks}} to you in {organization}.":
    "{who} hat Ihnen bei {organization} {count, plural, one {eine Aufgabe} other {# Aufgaben}} zugewiesen.",
  "Your new tasks": "Ihre neuen Aufgaben",
  "You get this mail because others assign work to you.":
    "Sie bekommen diese E-Mail, weil andere Ihnen Aufgaben zuweisen.",
  "Your work: {tomorrow, plural, one {# task} other {# tasks}} due tomorrow":
    "Ihre Arbeit: {tomorrow, plural, one {# Aufgabe} other {# Aufgaben}} morgen fällig",
  "Your work: {overdue, plural, one {# task} other {# tasks}} overdue":
    "Ihre Arbeit: {overdue, plural, one {# Aufgabe} other {# Aufgaben}} überfällig",
  "Your work: {tomorrow, plural, one {# task} other {# tasks}} due tomorrow, {overdue, plural, one {# task} other {# tasks}} overdue":
    "Ihre Arbeit: {tomorrow, plural, one {# Aufgabe} other {# Aufgaben}} morgen fällig, {overdue, plural, one {# Aufgabe} other {# Aufgaben}} überfällig",
  "This is your work in {organization} that is due next.":
    "Das ist Ihre Arbeit bei {organization}, die als Nächstes fällig ist.",
  "Due tomorrow": "Morgen fällig",
  "You get this mail because you are responsible for these tasks: on the day before they are due, when they have become overdue, and on Mondays while they are.":
    "Sie bekommen diese E-Mail, weil Sie für diese Aufgaben zuständig sind: am Tag vor der Fälligkeit, sobald sie überfällig sind, und solange sie es sind, jeden Montag.",
  "What became of the problem with {asset}": "Was aus dem Problem mit {asset} geworden ist",
  "What became of the problem with {count, plural, one {# asset} other {# assets}}":
    "Was aus dem Problem mit {count, plural, one {# Anlage} other {# Anlagen}} geworden ist",
  "You reported a problem to {organization}.": "Sie haben {organization} ein Problem gemeldet.",
  "Your reports": "Ihre Meldungen",
  "You get this mail because you have reported a problem.":
    "Sie bekommen diese E-Mail, weil Sie ein Problem gemeldet haben.",
  "{organization}: {overdue, plural, one {# task} other {# tasks}} overdue, {due} due this week":
    "{organization}: {overdue, plural, one {# Aufgabe} other {# Aufgaben}} überfällig, {due} diese Woche fällig",
  "This is the week in {organization}, as far as you see it.":
    "Das ist die Woche bei {organization}, soweit Sie sie sehen.",
  "In short": "Kurz gesagt",
  "Open and unassigned": "Offen und nicht zugewiesen",
  "Completed in the last 7 days": "In den letzten 7 Tagen erledigt",
  "Overdue for longest": "Am längsten überfällig",
  unassigned: "nicht zugewiesen",
  "You get this mail on Mondays, by default as somebody who manages an organization or a workspace.":
    "Sie bekommen diese E-Mail montags; voreingestellt ist das für alle, die eine Organisation oder einen Arbeitsbereich verwalten.",
  "and {rest} more: {link}": "und {rest} weitere: {link}",
  "no due day": "ohne Fälligkeit",
  "due {date}": "fällig am {date}",
  "due {date}, {days, plural, one {# day} other {# days}} overdue":
    "fällig am {date}, {days, plural, one {# Tag} other {# Tage}} überfällig",

  // Mails about an account
  "If that was not you, ignore this message and nothing happens.":
    "Wenn Sie das nicht waren, ignorieren Sie diese Nachricht; dann geschieht nichts.",
  "A new password for Fettle": "Ein neues Passwort für Fettle",
  "Somebody asked for a new password for your account on Fettle.":
    "Jemand hat ein neues Passwort für Ihr Konto auf Fettle angefordert.",
  "Choose a new password:": "Neues Passwort wählen:",
  "The link works once, within one hour. It is meant for you only: do not pass it on.":
    "Der Link gilt einmal, eine Stunde lang. Er ist nur für Sie bestimmt: Geben Sie ihn nicht weiter.",
  "Your password stays as it is.": "Ihr Passwort bleibt, wie es ist.",
  "Confirm your address for Fettle": "Ihre Adresse für Fettle bestätigen",
  "Somebody wants to create an account on Fettle with this address.":
    "Jemand möchte mit dieser Adresse ein Konto auf Fettle anlegen.",
  "If it was you, confirm the address:": "Wenn Sie das sind, bestätigen Sie die Adresse:",
  "The link works once, within 24 hours. It is meant for you only: do not pass it on.":
    "Der Link gilt einmal, 24 Stunden lang. Er ist nur für Sie bestimmt: Geben Sie ihn nicht weiter.",
  "Without the link there is no account.": "Ohne den Link entsteht kein Konto.",
  "You have an account on Fettle": "Sie haben ein Konto auf Fettle",
  "Somebody wanted to create an account on Fettle with this address, but you have one already. Nothing was changed.":
    "Jemand wollte mit dieser Adresse ein Konto auf Fettle anlegen, aber Sie haben schon eines. Es wurde nichts geändert.",
  "Sign in:": "Anmelden:",
  "If you do not remember the password, ask for a new one:":
    "Wenn Sie das Passwort nicht mehr wissen, fordern Sie ein neues an:",
  "If that was not you, you need not do anything.":
    "Wenn Sie das nicht waren, müssen Sie nichts tun.",
  "An app was disconnected from Fettle": "Eine App wurde von Fettle getrennt",
  "The app {app} was connected to {organization} in your name. We have ended this connection, because a key that the app had used already was used again: it may have been copied.":
    "Die App {app} war in Ihrem Namen mit {organization} verbunden. Wir haben diese Verbindung getrennt, weil ein Schlüssel, den die App schon verwendet hatte, noch einmal verwendet wurde: Er könnte kopiert worden sein.",
  "If you still trust the app, connect it again from the app itself. If you do not know it, leave it disconnected, and look at what it has done.":
    "Wenn Sie der App weiter vertrauen, verbinden Sie sie in der App selbst noch einmal. Wenn Sie sie nicht kennen, lassen Sie sie getrennt und sehen Sie nach, was sie getan hat.",
  "Your connected apps:": "Ihre verbundenen Apps:",
  "If that was you, you need not do anything. If not, change your password at once, and look at your second factors and sessions.":
    "Wenn Sie das waren, müssen Sie nichts tun. Wenn nicht, ändern Sie sofort Ihr Passwort und prüfen Sie Ihre zweiten Faktoren und Sitzungen.",
  "Sign-in and security:": "Anmeldung und Sicherheit:",
  "Passwords and passkeys work again on Fettle": "Passwörter und Passkeys gelten auf Fettle wieder",
  "{who} has ended the rule that people of {organization} sign in with its identity provider alone. They can use their passwords and passkeys again.":
    "{who} hat die Regel beendet, dass man sich bei {organization} nur über den Identitätsanbieter anmeldet. Passwörter und Passkeys gelten jetzt wieder.",
  "You get this message because you are an owner. If this should not have happened, switch the rule on again.":
    "Sie bekommen diese Nachricht, weil Sie Inhaber sind. Wenn das nicht hätte geschehen sollen, schalten Sie die Regel wieder ein.",
  "Sign-in with your identity provider:": "Anmeldung über Ihren Identitätsanbieter:",
  "You reported a problem with {asset} to {organization}.":
    "Sie haben {organization} ein Problem mit {asset} gemeldet.",
  "Your report:": "Ihre Meldung:",
  "You get this message because this address was given with the report.":
    "Sie bekommen diese Nachricht, weil diese Adresse in der Meldung angegeben wurde.",
  "Wrong codes were entered for your account on Fettle":
    "Für Ihr Konto auf Fettle wurden falsche Codes eingegeben",
  "Somebody got past the first step of signing in to your account, which is your password or your organization's sign-in, and then entered several wrong codes in place of your second factor. They are not signed in.":
    "Jemand ist bei der Anmeldung an Ihrem Konto über den ersten Schritt hinausgekommen, also Ihr Passwort oder die Anmeldung Ihrer Organisation, und hat dann als zweiten Faktor mehrere falsche Codes eingegeben. Angemeldet ist dadurch niemand.",
  "If that was you, you need not do anything. If not, somebody knows your password: change it at once.":
    "Wenn Sie das waren, müssen Sie nichts tun. Wenn nicht, kennt jemand Ihr Passwort: Ändern Sie es sofort.",

  // Second factors
  "An authenticator app was set up for Fettle":
    "Eine Authenticator-App wurde für Fettle eingerichtet",
  "An authenticator app was set up for your account on Fettle. Its codes are asked for after your password.":
    "Für Ihr Konto auf Fettle wurde eine Authenticator-App eingerichtet. Nach Ihrem Passwort wird nach ihren Codes gefragt.",
  "The authenticator app was removed from Fettle":
    "Die Authenticator-App wurde von Fettle entfernt",
  "The authenticator app was removed for your account on Fettle. Its codes do not count any more.":
    "Die Authenticator-App wurde aus Ihrem Konto auf Fettle entfernt. Ihre Codes gelten nicht mehr.",
  "A passkey was added to Fettle": "Ein Passkey wurde zu Fettle hinzugefügt",
  "The passkey {name} was added for your account on Fettle. It signs in without a password.":
    "Der Passkey {name} wurde zu Ihrem Konto auf Fettle hinzugefügt. Er meldet ohne Passwort an.",
  "A passkey was removed from Fettle": "Ein Passkey wurde von Fettle entfernt",
  "The passkey {name} was removed for your account on Fettle.":
    "Der Passkey {name} wurde aus Ihrem Konto auf Fettle entfernt.",
  "A passkey for Fettle may have been copied": "Ein Passkey für Fettle wurde vielleicht kopiert",
  "The passkey {name} was refused: it counted fewer uses than it had before, as a copy of it would. Remove it, and add a new one.":
    "Der Passkey {name} wurde abgelehnt: Er zählte weniger Verwendungen als zuvor, wie es eine Kopie täte. Entfernen Sie ihn und fügen Sie einen neuen hinzu.",
  "New recovery codes for Fettle": "Neue Wiederherstellungscodes für Fettle",
  "New recovery codes were made for your account on Fettle. Those before do not count any more.":
    "Für Ihr Konto auf Fettle wurden neue Wiederherstellungscodes erzeugt. Die bisherigen gelten nicht mehr.",
  "A recovery code for Fettle was used": "Ein Wiederherstellungscode für Fettle wurde verwendet",
  "A recovery code was used for your account on Fettle in place of a second factor.":
    "Für Ihr Konto auf Fettle wurde statt eines zweiten Faktors ein Wiederherstellungscode verwendet.",
  "Your second factors for Fettle were removed": "Ihre zweiten Faktoren für Fettle wurden entfernt",
  "The person who runs the server has removed all passkeys, the authenticator app and the recovery codes for your account on Fettle. Your password alone signs you in until you set up a second factor again.":
    "Wer den Server betreibt, hat alle Passkeys, die Authenticator-App und die Wiederherstellungscodes Ihres Kontos auf Fettle entfernt. Bis Sie wieder einen zweiten Faktor einrichten, melden Sie sich nur mit Ihrem Passwort an.",
} as const;
