/** Getting in: set-up, sign-up, sign-in, invitations; how somebody signs in; and the consent to apps. */
export const account = {
  "An app without a name": "Eine App ohne Namen",
  "{name} asks to connect": "{name} möchte sich verbinden",
  unverified: "nicht geprüft",
  "The answer goes to an app on this computer.":
    "Die Antwort geht an eine App auf diesem Computer.",
  "Any program on it can say that {host} made it.":
    "Jedes Programm darauf kann behaupten, von {host} zu stammen.",
  "Continue only if you have just started this there yourself.":
    "Fahren Sie nur fort, wenn Sie das gerade selbst dort begonnen haben.",
  "Described by {host} (verified)": "Beschrieben von {host} (geprüft)",
  "The name resembles that of {resembled}, but every app chooses its own name. Only the address it returns to says who it is.":
    "Der Name ähnelt dem von {resembled}, aber jede App wählt ihren Namen selbst. Nur die Adresse, zu der sie zurückkehrt, sagt, wer sie ist.",
  "The name resembles that of {resembled}, but every app chooses its own name. Only the verified address says who it is.":
    "Der Name ähnelt dem von {resembled}, aber jede App wählt ihren Namen selbst. Nur die geprüfte Adresse sagt, wer sie ist.",
  "returns to an app on this computer ({name})":
    "kehrt zu einer App auf diesem Computer zurück ({name})",
  "returns to the app that opens {name} addresses on this device":
    "kehrt zu der App zurück, die auf diesem Gerät {name}-Adressen öffnet",
  "The app sent contradictory details about itself.":
    "Die App hat widersprüchliche Angaben über sich gesendet.",
  "The app did not say which app it is.": "Die App hat nicht gesagt, welche App sie ist.",
  "This server does not know the app that sent you here.":
    "Dieser Server kennt die App nicht, die Sie hierher geschickt hat.",
  "This server could not find out about the app that sent you here.":
    "Dieser Server konnte nichts über die App erfahren, die Sie hierher geschickt hat.",
  "The app did not say where to return to.":
    "Die App hat nicht gesagt, wohin sie zurückkehren will.",
  "The app asked to return to an address that it has not registered.":
    "Die App wollte zu einer Adresse zurückkehren, die sie nicht registriert hat.",
  "The organization": "Die Organisation",
  "When it ends": "Das Ende",
  "Choose the organization that the app may work in.":
    "Wählen Sie die Organisation, in der die App arbeiten darf.",
  "Choose at least one thing the app may do, or deny.":
    "Wählen Sie mindestens ein Recht für die App, oder lehnen Sie ab.",
  "Choose only from what is listed here.": "Wählen Sie nur aus dem, was hier aufgeführt ist.",
  "Confirm that you understand what permanent deletion means, or untick it.":
    "Bestätigen Sie, dass Sie wissen, was endgültiges Löschen bedeutet, oder kreuzen Sie dieses Recht nicht an.",
  "Choose one of the times listed here.": "Wählen Sie eine der hier aufgeführten Zeiten.",
  "Connect an app": "App verbinden",
  "You can end it at any time: it lasts until you disconnect it under Settings > Connected Apps. What the app does, it does in your name and never more than you may do yourself.":
    "Sie können das jederzeit beenden: Die Verbindung besteht, bis Sie sie unter Einstellungen > Verbundene Apps trennen. Was die App tut, tut sie in Ihrem Namen und nie mehr, als Sie selbst dürfen.",
  "Your account": "Ihr Konto",
  "Use another account": "Anderes Konto verwenden",
  Organization: "Organisation",
  "Choose one": "Bitte wählen",
  "Already connected to {name} since {when}": "Bereits mit {name} verbunden seit {when}",
  "Already connected since {when}": "Bereits verbunden seit {when}",
  "Allowing adds a connection, and this one stays as it is.":
    "Wenn Sie zustimmen, kommt eine Verbindung hinzu; die bisherige bleibt, wie sie ist.",
  "Ends by itself": "Endet von selbst",

  "After one year": "Nach einem Jahr",
  "After {days} days": "Nach {days} Tagen",
  Deny: "Ablehnen",
  Allow: "Erlauben",
  "No organization yet": "Noch keine Organisation",
  "You are not in an organization": "Sie gehören keiner Organisation an",
  "Apps work in one organization at a time, and your account {email} is in none. Ask an owner or admin of yours to invite you, then connect the app again.":
    "Apps arbeiten jeweils in einer Organisation, und Ihr Konto {email} gehört keiner an. Bitten Sie einen Inhaber oder Admin, Sie einzuladen, und verbinden Sie die App dann erneut.",
  "Back to the app": "Zurück zur App",
  "What it may do": "Was sie tun darf",
  "It sees the assets, tasks, history and people that you can see.":
    "Sie sieht die Anlagen, Aufgaben, Verläufe und Personen, die Sie sehen können.",

  "It adds, changes and retires assets and tasks, and it adds and removes workspaces, invitations and members, as far as you may; all of it is recorded.":
    "Sie fügt Anlagen und Aufgaben hinzu, ändert sie und mustert sie aus, und sie fügt Arbeitsbereiche, Einladungen und Mitglieder hinzu und entfernt sie, soweit Sie das dürfen; alles wird aufgezeichnet.",
  "It erases assets for good, and nobody can bring them back.":
    "Sie löscht Anlagen für immer, und niemand kann sie zurückholen.",
  "It erases assets for good, and nobody can bring them back. The app did not ask for it.":
    "Sie löscht Anlagen für immer, und niemand kann sie zurückholen. Die App hat nicht darum gebeten.",
  "I understand that permanently deleted assets cannot be recovered":
    "Mir ist klar, dass endgültig gelöschte Anlagen nicht wiederherstellbar sind",
  "This request to connect was answered already, is too old, or belongs to someone else.":
    "Diese Verbindungsanfrage wurde schon beantwortet, ist zu alt oder gehört jemand anderem.",
  "Choose Allow or Deny.": "Wählen Sie „Erlauben“ oder „Ablehnen“.",
  "You are not a member of this organization any more.":
    "Sie sind nicht mehr Mitglied dieser Organisation.",
  "This app cannot connect": "Diese App kann sich nicht verbinden",
  "Go back to the app and start connecting again. If that does not help, remove this server from the app and add it anew.":
    "Gehen Sie zur App zurück und beginnen Sie die Verbindung neu. Hilft das nicht, entfernen Sie diesen Server aus der App und fügen Sie ihn neu hinzu.",
  "As owner": "Als Inhaber",
  "As admin": "Als Admin",
  "As member": "Als Mitglied",
  "As owner of {names}": "Als Inhaber von {names}",
  "As admin of {names}": "Als Admin von {names}",
  "As member of {names}": "Als Mitglied von {names}",
  "{who}: {reach}.": "{who}: {reach}.",
  "In your other organizations: as far as your role there.":
    "In Ihren anderen Organisationen: soweit Ihre Rolle dort reicht.",
  everything: "alles",
  "any asset": "jede Anlage",
  "everything, people included": "alles, auch Personen",
  "everything but what is for owners": "alles außer dem, was Inhabern vorbehalten ist",
  "only assets that are in no workspace": "nur Anlagen, die in keinem Arbeitsbereich sind",
  "your {count, plural, one {# workspace} other {# workspaces}}, and assets in none":
    "{count, plural, one {Ihr # Arbeitsbereich} other {Ihre # Arbeitsbereiche}} und Anlagen ohne Arbeitsbereich",
  "nothing, as you may only look": "nichts, da Sie nur ansehen dürfen",
  "in your {count, plural, one {# workspace} other {# workspaces}}":
    "{count, plural, one {in Ihrem # Arbeitsbereich} other {in Ihren # Arbeitsbereichen}}",
  "in {some} of your {count, plural, one {# workspace} other {# workspaces}}":
    "in {some} von {count, plural, one {Ihrem # Arbeitsbereich} other {Ihren # Arbeitsbereichen}}",
  "nothing, as you administer no workspace": "nichts, da Sie keinen Arbeitsbereich verwalten",
  "assets in your {count, plural, one {# workspace} other {# workspaces}}":
    "{count, plural, one {Anlagen in Ihrem # Arbeitsbereich} other {Anlagen in Ihren # Arbeitsbereichen}}",
  "assets in {some} of your {count, plural, one {# workspace} other {# workspaces}}":
    "Anlagen in {some} von {count, plural, one {Ihrem # Arbeitsbereich} other {Ihren # Arbeitsbereichen}}",
  "Your name": "Ihr Name",
  "Organization name": "Name der Organisation",
  "You sign in with it.": "Damit melden Sie sich an.",
  "The company, site or team whose assets you look after. You become its owner.":
    "Die Firma, der Standort oder das Team, um dessen Anlagen Sie sich kümmern. Sie werden Inhaber.",
  "Dates and times are read in it. You can change it later, like the currency.":
    "Daten und Uhrzeiten gelten in dieser Zone. Sie können sie später ändern, ebenso die Währung.",
  "Create account": "Konto anlegen",
  "At least 10 characters. A few unrelated words are a good choice.":
    "Mindestens 10 Zeichen. Einige Wörter ohne Zusammenhang sind eine gute Wahl.",
  "Create your account": "Legen Sie Ihr Konto an",
  "You sign in with {email}": "Sie melden sich an mit {email}",
  "Create account and join": "Konto anlegen und beitreten",
  "There is an account for {email}. Sign in with it, then you come back here.":
    "Für {email} gibt es ein Konto. Melden Sie sich damit an, dann kommen Sie hierher zurück.",
  "Sign in to join": "Anmelden und beitreten",
  "{organizationName} signs its people in with its own identity provider. You need no password here; signing in there accepts the invitation.":
    "Bei {organizationName} meldet man sich mit dem eigenen Identitätsanbieter an. Sie brauchen hier kein Passwort; mit der Anmeldung dort nehmen Sie die Einladung an.",
  "You are a member already": "Sie sind schon Mitglied",
  "You have all that this invitation to {organization} offers, so there is nothing left to accept.":
    "Sie haben schon alles, was diese Einladung zu {organization} bietet; es gibt nichts mehr anzunehmen.",
  "Go to {organization}": "Zu {organization}",
  "You are signed in as {name}, {email}": "Sie sind angemeldet als {name}, {email}",
  "Join {organization}": "{organization} beitreten",
  "This invitation is for somebody else": "Diese Einladung gilt jemand anderem",
  Invited: "Eingeladen",
  "Signed in": "Angemeldet",
  "To accept it, sign out first. If you want to join with your present account, ask {inviterName} to invite {email}.":
    "Um sie anzunehmen, melden Sie sich zuerst ab. Wollen Sie mit Ihrem jetzigen Konto beitreten, bitten Sie {inviterName}, {email} einzuladen.",
  "Sign out and go on": "Abmelden und weiter",
  "Stay signed in": "Angemeldet bleiben",

  "Sign in": "Anmelden",
  "You belong to {organization}. There is nothing left to accept.":
    "Sie gehören zu {organization}. Es gibt nichts mehr anzunehmen.",
  "This invitation was used already": "Diese Einladung wurde schon benutzt",
  "An invitation works once, and this one to {organization} was accepted. If that was you, sign in.":
    "Eine Einladung gilt einmal, und diese zu {organization} wurde angenommen. Wenn Sie das waren, melden Sie sich an.",
  "This invitation was withdrawn": "Diese Einladung wurde zurückgezogen",
  "The invitation to {organization} can no longer be accepted. If you think that is a mistake, ask {inviter}, or another admin there, to invite you again.":
    "Die Einladung zu {organization} kann nicht mehr angenommen werden. Wenn Sie das für ein Versehen halten, bitten Sie {inviter} oder einen anderen Admin dort, Sie erneut einzuladen.",
  "This invitation has expired": "Diese Einladung ist abgelaufen",
  "The invitation to {organization} was valid for a week. Ask {inviter} to send it again: the new mail has a new link.":
    "Die Einladung zu {organization} galt eine Woche. Bitten Sie {inviter}, sie erneut zu senden: Die neue E-Mail enthält einen neuen Link.",
  "There is no such invitation": "Diese Einladung gibt es nicht",
  "When an invitation is sent again, only the link in the newest mail works. Look for that mail, and see that the whole link was copied.":
    "Wird eine Einladung erneut gesendet, gilt nur der Link in der neuesten E-Mail. Suchen Sie diese E-Mail, und achten Sie darauf, dass der ganze Link kopiert wurde.",
  "If there is no newer mail, ask the person who invited you to send it again.":
    "Gibt es keine neuere E-Mail, bitten Sie die Person, die Sie eingeladen hat, sie erneut zu senden.",
  "{inviter} invites you to Fettle, where people look after assets and their maintenance together.":
    "{inviter} lädt Sie zu Fettle ein, wo man sich gemeinsam um Anlagen und ihre Instandhaltung kümmert.",
  Role: "Rolle",
  "Role there": "Rolle dort",
  "Valid until": "Gültig bis",
  "You are a member of {organization} now. Sign in with its identity provider to go on.":
    "Sie sind jetzt Mitglied von {organization}. Melden Sie sich mit dem Identitätsanbieter der Organisation an, um fortzufahren.",
  "Welcome to {organization}.": "Willkommen bei {organization}.",
  "You are now in {name}.": "Sie sind jetzt in {name}.",
  "Your organizations": "Ihre Organisationen",

  "Pages are about one organization at a time. What you connect to an assistant stays with the organization that you allowed it for.":
    "Die Seiten zeigen jeweils eine Organisation. Was Sie mit einem Assistenten verbinden, bleibt bei der Organisation, für die Sie es erlaubt haben.",
  "You are here": "Sie sind hier",
  "Go there": "Wechseln",
  "The passkey was not accepted. It may have taken too long, or not belong to an account here. Try again.":
    "Der Passkey wurde nicht angenommen. Vielleicht hat es zu lange gedauert, oder er gehört zu keinem Konto hier. Versuchen Sie es noch einmal.",
  "That passkey belongs to another account than the password that you entered.":
    "Dieser Passkey gehört zu einem anderen Konto als das Passwort, das Sie eingegeben haben.",
  "Sign in with a passkey": "Mit Passkey anmelden",
  "Your browser asks for your fingerprint, face or PIN. A passkey needs no password and no code.":
    "Ihr Browser fragt nach Fingerabdruck, Gesicht oder PIN. Ein Passkey braucht kein Passwort und keinen Code.",
  "Use a passkey": "Passkey verwenden",
  "Sign in with your password": "Mit Passwort anmelden",
  "No passkeys here": "Hier gibt es keine Passkeys",
  "Browsers use passkeys only at an https address with a name, which this server has not.":
    "Browser verwenden Passkeys nur an einer https-Adresse mit Namen, und die hat dieser Server nicht.",
  "We have looked for an account of {email}.": "Wir haben nach einem Konto von {email} gesucht.",
  "New password": "Neues Passwort",
  "Your password is changed. Sign in with the new one.":
    "Ihr Passwort ist geändert. Melden Sie sich mit dem neuen an.",
  "Forgot your password": "Passwort vergessen",
  "Forgot your password?": "Passwort vergessen?",
  "We send you a link with which you choose a new one.":
    "Wir senden Ihnen einen Link, mit dem Sie ein neues wählen.",
  "The address that you sign in with.": "Die Adresse, mit der Sie sich anmelden.",
  "Send the link": "Link senden",
  "This server sends no mail, so it cannot send you a link. Ask the person who runs the server to give your account a new password. They use this command:":
    "Dieser Server sendet keine E-Mails und kann Ihnen daher keinen Link schicken. Bitten Sie die Person, die den Server betreibt, Ihrem Konto ein neues Passwort zu geben. Sie verwendet diesen Befehl:",
  "A new password signs you out of every browser and ends calendar addresses of yours. Apps you have connected stay connected.":
    "Ein neues Passwort meldet Sie in allen Browsern ab und beendet Ihre Kalenderadressen. Verbundene Apps bleiben verbunden.",
  "Look into your mail": "Sehen Sie in Ihre E-Mails",
  "If there is an account with this address, a mail with a link is on its way. The link works once, within one hour.":
    "Gibt es ein Konto mit dieser Adresse, ist eine E-Mail mit einem Link unterwegs. Der Link gilt einmal, innerhalb einer Stunde.",
  "Nothing there after a few minutes? Look into the spam folder, and whether it is the address that you sign in with. An address gets at most three of these mails an hour.":
    "Nach einigen Minuten noch nichts da? Sehen Sie im Spam-Ordner nach, und ob es die Adresse ist, mit der Sie sich anmelden. Eine Adresse erhält höchstens drei dieser E-Mails pro Stunde.",
  "Ask again": "Erneut anfordern",
  "Choose a new password": "Neues Passwort wählen",
  "For the account {email}": "Für das Konto {email}",
  "Set new password": "Neues Passwort setzen",
  "You are signed out of every browser then, and calendar addresses of yours end. Apps you have connected stay connected.":
    "Sie werden dann in allen Browsern abgemeldet, und Ihre Kalenderadressen enden. Verbundene Apps bleiben verbunden.",
  "This link no longer works": "Dieser Link gilt nicht mehr",
  "A link for a new password works once, within one hour, and only the newest one does. Your password was not changed just now.":
    "Ein Link für ein neues Passwort gilt einmal, innerhalb einer Stunde, und nur der neueste. Ihr Passwort wurde soeben nicht geändert.",
  "Ask for a new link": "Neuen Link anfordern",
  "Back to sign-in": "Zurück zur Anmeldung",
  "Sign in with your organization": "Über Ihre Organisation anmelden",
  "The organization of {email} wants its people to sign in with its identity provider. Passwords, links for new ones and passkeys do not work for them.":
    "Die Organisation von {email} möchte, dass man sich mit ihrem Identitätsanbieter anmeldet. Passwörter, Links für neue und Passkeys gelten dort nicht.",
  "Accounts that the organization has left out sign in as before: a wrong password leads here as well, and a link for a new one is on its way if you asked for it.":
    "Konten, die die Organisation ausgenommen hat, melden sich an wie zuvor: Auch ein falsches Passwort führt hierher, und ein Link für ein neues ist unterwegs, wenn Sie ihn angefordert haben.",
  "For people whose organization has set up its own sign-in here. It takes you there.":
    "Für alle, deren Organisation hier eine eigene Anmeldung eingerichtet hat. Sie werden dorthin geleitet.",
  Continue: "Weiter",
  "Start the sign-in again": "Beginnen Sie die Anmeldung neu",
  "This answer of an identity provider does not belong to a sign-in that is open in this browser. It may have taken longer than ten minutes, have been used already, or have been started in another browser. Nobody was signed in.":
    "Diese Antwort eines Identitätsanbieters gehört zu keiner Anmeldung, die in diesem Browser offen ist. Vielleicht hat sie länger als zehn Minuten gedauert, wurde schon verwendet oder in einem anderen Browser begonnen. Niemand wurde angemeldet.",
  "Start again": "Neu beginnen",
  "Your organization could not sign you in": "Ihre Organisation konnte Sie nicht anmelden",
  "Nobody was signed in.": "Niemand wurde angemeldet.",
  "Try again": "Noch einmal versuchen",
  "The identity provider did not say which email address is yours. An owner of the organization can let it pass on the address (the claim “email”).":
    "Der Identitätsanbieter hat nicht gesagt, welche E-Mail-Adresse Ihre ist. Ein Inhaber der Organisation kann ihn die Adresse weitergeben lassen (der Claim „email“).",
  "The identity provider does not say that it has verified your email address. Verify it there, or ask an owner of the organization to look at the settings.":
    "Der Identitätsanbieter sagt nicht, dass er Ihre E-Mail-Adresse geprüft hat. Lassen Sie sie dort bestätigen, oder bitten Sie einen Inhaber der Organisation, die Einstellungen anzusehen.",
  "Your email address is of a domain that {organization} has not verified here. Sign in with an address of the organization, or ask one of its owners.":
    "Ihre E-Mail-Adresse gehört zu einer Domain, die {organization} hier nicht bestätigt hat. Melden Sie sich mit einer Adresse der Organisation an, oder fragen Sie einen ihrer Inhaber.",
  "Your address belongs to an account that signs in with another identity at the provider. Ask an owner of {organization} to release it under Settings > Members.":
    "Ihre Adresse gehört zu einem Konto, das sich mit einer anderen Identität beim Anbieter anmeldet. Bitten Sie einen Inhaber von {organization}, es unter Einstellungen > Mitglieder davon zu lösen.",
  "You are not a member of {organization} here. Ask one of its admins for an invitation. If you have one and an account here already, sign in as you always did and open the link of the invitation.":
    "Sie sind hier kein Mitglied von {organization}. Bitten Sie einen Admin dort um eine Einladung. Wenn Sie eine haben und hier schon ein Konto, melden Sie sich wie immer an und öffnen Sie den Link der Einladung.",
  "You were not signed in": "Sie wurden nicht angemeldet",
  "Somebody else is signed in": "Jemand anderes ist angemeldet",
  "The identity provider signed in another person than {email}, who is signed in here. Nothing was changed. Sign out first to go on as the other one.":
    "Der Identitätsanbieter hat eine andere Person angemeldet als {email}, die hier angemeldet ist. Nichts wurde geändert. Melden Sie sich zuerst ab, um als die andere fortzufahren.",
  "Go on as {email}": "Weiter als {email}",
  "Enter your email.": "Geben Sie Ihre E-Mail-Adresse ein.",
  "Choose a password.": "Wählen Sie ein Passwort.",
  "Enter a name for your organization.": "Geben Sie einen Namen für Ihre Organisation ein.",
  "No organization here has set up its sign-in for addresses at {domain}. Sign in with your password or passkey.":
    "Keine Organisation hier hat ihre Anmeldung für Adressen bei {domain} eingerichtet. Melden Sie sich mit Passwort oder Passkey an.",
  "Enter your email and password again.": "Geben Sie E-Mail und Passwort noch einmal ein.",
  "Sign-in and security": "Anmeldung und Sicherheit",
  "You used one of your recovery codes; it is gone now.":
    "Sie haben einen Ihrer Wiederherstellungscodes verwendet; er ist jetzt verbraucht.",

  "One more step": "Noch ein Schritt",
  "Your organization knows you. Now show that it is you.":
    "Ihre Organisation kennt Sie. Zeigen Sie jetzt, dass Sie es sind.",
  "Your password is right. Now show that it is you.":
    "Ihr Passwort stimmt. Zeigen Sie jetzt, dass Sie es sind.",
  "Lost everything? Ask the person who runs this server to remove your second factors.":
    "Alles verloren? Bitten Sie die Person, die diesen Server betreibt, Ihre zweiten Faktoren zu entfernen.",
  "Your account and your organization are ready.": "Ihr Konto und Ihre Organisation sind bereit.",
  "Set up Fettle": "Fettle einrichten",
  "This creates the first account of this server, and the organization it owns.":
    "Damit entstehen das erste Konto dieses Servers und die Organisation, die ihm gehört.",
  "Not set up yet": "Noch nicht eingerichtet",
  "This server is not set up yet": "Dieser Server ist noch nicht eingerichtet",
  "Nobody has an account here so far. When the server started, it printed a one-time set-up link; open that link to create the first account.":
    "Bisher hat hier niemand ein Konto. Beim Start hat der Server einen einmaligen Link zum Einrichten ausgegeben; öffnen Sie ihn, um das erste Konto anzulegen.",
  'It is the value of <code>setup</code> in the line that contains <code>"msg":"ready"</code>. Starting the server again prints a new link.':
    'Er ist der Wert von <code>setup</code> in der Zeile, die <code>"msg":"ready"</code> enthält. Ein neuer Start des Servers gibt einen neuen Link aus.',
  "Sign in to accept the invitation.": "Melden Sie sich an, um die Einladung anzunehmen.",
  "An app wants to connect. Sign in first, then you decide what it may do.":
    "Eine App möchte sich verbinden. Melden Sie sich zuerst an, dann entscheiden Sie, was sie darf.",
  "An app that calls itself {name} wants to connect. Sign in first, then you decide what it may do.":
    "Eine App, die sich {name} nennt, möchte sich verbinden. Melden Sie sich zuerst an, dann entscheiden Sie, was sie darf.",
  "Email or password is not right.": "E-Mail oder Passwort stimmt nicht.",
  "No account yet? <a>Create an account</a>": "Noch kein Konto? <a>Konto anlegen</a>",
  "You are signed out.": "Sie sind abgemeldet.",
  "Confirm your address": "Bestätigen Sie Ihre Adresse",
  "The one you chose for this account. It is asked because the form was sent from another browser.":
    "Das Passwort, das Sie für dieses Konto gewählt haben. Es wird verlangt, weil das Formular aus einem anderen Browser kam.",
  "Confirm and continue": "Bestätigen und weiter",
  "If it was not you who asked for this account, close this page and nothing happens.":
    "Wenn nicht Sie dieses Konto wollten, schließen Sie diese Seite; dann geschieht nichts.",
  "A link that confirms an address works once, within 24 hours. Fill in the form again to get another one.":
    "Ein Link, der eine Adresse bestätigt, gilt einmal, innerhalb von 24 Stunden. Füllen Sie das Formular noch einmal aus, um einen neuen zu erhalten.",
  "Create an account": "Konto anlegen",
  "You have an account? <a>Sign in</a>": "Sie haben ein Konto? <a>Anmelden</a>",
  "Your account is there already": "Ihr Konto gibt es schon",
  "There is an account for {email}. Sign in with its password.":
    "Für {email} gibt es ein Konto. Melden Sie sich mit dessen Passwort an.",
  "We write to {email}.": "Wir schreiben an {email}.",
  "Open the link in the mail to confirm your address. It works once, within 24 hours; your account is made then.":
    "Öffnen Sie den Link in der E-Mail, um Ihre Adresse zu bestätigen. Er gilt einmal, innerhalb von 24 Stunden; dann wird Ihr Konto angelegt.",
  "Nothing there after a few minutes? Look into the spam folder, or send the form again with the right address. An address gets at most three of these mails an hour.":
    "Nach einigen Minuten noch nichts da? Sehen Sie im Spam-Ordner nach, oder senden Sie das Formular noch einmal mit der richtigen Adresse. Eine Adresse erhält höchstens drei dieser E-Mails pro Stunde.",
  "Back to the form": "Zurück zum Formular",
  "Accounts are by invitation": "Konten gibt es auf Einladung",
  "On this server nobody creates an account alone. Ask an owner or admin of your organization to invite you, or the person who runs the server.":
    "Auf diesem Server legt niemand allein ein Konto an. Bitten Sie einen Inhaber oder Admin Ihrer Organisation, Sie einzuladen, oder die Person, die den Server betreibt.",
  "Go to sign-in": "Zur Anmeldung",
  "Accounts are made by the operator": "Konten legt der Betreiber an",
  "This server sends no mail, so it cannot check that an address is yours. Ask the person who runs the server to make an account for you. They use this command:":
    "Dieser Server sendet keine E-Mails und kann daher nicht prüfen, ob eine Adresse Ihnen gehört. Bitten Sie die Person, die den Server betreibt, ein Konto für Sie anzulegen. Sie verwendet diesen Befehl:",
  "This device, or its password manager, has a passkey of your account already.":
    "Auf diesem Gerät oder in seinem Passwort-Manager gibt es schon einen Passkey Ihres Kontos.",
  "Nothing was confirmed, or it took too long. Try again.":
    "Nichts wurde bestätigt, oder es hat zu lange gedauert. Versuchen Sie es noch einmal.",
  "Passkeys work only at the address that this server is set up for.":
    "Passkeys funktionieren nur an der Adresse, für die dieser Server eingerichtet ist.",
  "Follow what your browser asks.": "Folgen Sie den Anweisungen Ihres Browsers.",
  "That did not work in this browser. Try again.":
    "Das ging in diesem Browser nicht. Versuchen Sie es noch einmal.",
  "This browser has no passkeys.": "Dieser Browser hat keine Passkeys.",
  "Sign-in with your identity provider": "Anmeldung mit Ihrem Identitätsanbieter",
  "Enter a domain.": "Geben Sie eine Domain ein.",
  "{domain} is added. Now show that it is yours.":
    "{domain} ist hinzugefügt. Zeigen Sie jetzt, dass sie Ihnen gehört.",
  "Add a domain": "Domain hinzufügen",
  "What stands behind the @ in your email addresses, like example.com. Domains below it count by themselves only.":
    "Was in Ihren E-Mail-Adressen hinter dem @ steht, etwa example.com. Domains darunter zählen nur für sich.",
  "Add domain": "Domain hinzufügen",
  "{domain} is verified.": "{domain} ist bestätigt.",
  "{domain} is removed.": "{domain} ist entfernt.",
  "Remove a domain": "Domain entfernen",
  "Remove {domain}?": "{domain} entfernen?",
  "Its people do not sign in with your provider any more. To add it again takes a new text in DNS.":
    "Ihre Leute melden sich nicht mehr mit Ihrem Anbieter an. Um sie wieder hinzuzufügen, braucht es einen neuen Text im DNS.",
  "Remove domain": "Domain entfernen",
  "Enter the address.": "Geben Sie die Adresse ein.",
  "Enter the client id.": "Geben Sie die Client-ID ein.",
  "The provider verifies all addresses": "Der Anbieter prüft alle Adressen",
  "The identity provider is saved. Test the connection.":
    "Der Identitätsanbieter ist gespeichert. Testen Sie die Verbindung.",
  "Identity provider": "Identitätsanbieter",
  "Register Fettle there as a confidential web client with the redirect address {redirectUri}":
    "Registrieren Sie Fettle dort als vertraulichen Web-Client mit der Rücksprungadresse {redirectUri}",
  "As the provider says it in its manual, like https://login.example.com.":
    "Wie der Anbieter sie in seiner Anleitung nennt, etwa https://login.example.com.",
  "It is kept encrypted and never shown again.":
    "Es wird verschlüsselt aufbewahrt und nie wieder angezeigt.",
  "Leave it empty to keep the one that is stored. Another address needs a new one.":
    "Lassen Sie es leer, um das gespeicherte zu behalten. Eine andere Adresse braucht ein neues.",
  "Only for providers that leave out whether an address is verified (email_verified), such as Entra ID. Tick it if nobody can give themselves an address there.":
    "Nur für Anbieter, die nicht angeben, ob eine Adresse geprüft ist (email_verified), etwa Entra ID. Kreuzen Sie das an, wenn dort niemand sich selbst eine Adresse geben kann.",
  Save: "Speichern",
  "The test failed.": "Der Test ist fehlgeschlagen.",
  "The identity provider answers, and has what is needed. Whether client id and secret are right shows at a sign-in.":
    "Der Identitätsanbieter antwortet und hat, was nötig ist. Ob Client-ID und Secret stimmen, zeigt sich bei einer Anmeldung.",
  "The identity provider is removed.": "Der Identitätsanbieter ist entfernt.",
  "Remove the identity provider": "Identitätsanbieter entfernen",
  "Remove the identity provider?": "Den Identitätsanbieter entfernen?",
  "Nobody signs in by it any more. People who have no password yet ask for one under “Forgot your password?”. Nobody who is signed in is signed out.":
    "Niemand meldet sich mehr damit an. Wer noch kein Passwort hat, fordert unter „Passwort vergessen?“ eines an. Wer angemeldet ist, bleibt angemeldet.",
  "Remove identity provider": "Identitätsanbieter entfernen",
  "People of our domains sign in only this way": "Personen unserer Domains melden sich nur so an",
  "The rule is saved.": "Die Regel ist gespeichert.",
  "Nothing was changed.": "Nichts wurde geändert.",
  "Only this way": "Nur auf diesem Weg",
  "Sign in this way once yourself before you switch it on.":
    "Melden Sie sich selbst einmal auf diesem Weg an, bevor Sie das einschalten.",
  "Their passwords, links for new passwords and passkeys are refused. It counts from the next sign-in: who is signed in stays so, and connected apps stay connected. Owners get a mail when it ends.":
    "Ihre Passwörter, Links für neue Passwörter und Passkeys werden abgelehnt. Es gilt ab der nächsten Anmeldung: Wer angemeldet ist, bleibt es, und verbundene Apps bleiben verbunden. Inhaber erhalten eine E-Mail, wenn es endet.",
  "One owner who can still sign in with a password when the provider is down or its secret has expired. Choose a long password and a second factor for this account.":
    "Ein Inhaber, der sich noch mit Passwort anmelden kann, wenn der Anbieter ausfällt oder sein Secret abgelaufen ist. Wählen Sie für dieses Konto ein langes Passwort und einen zweiten Faktor.",
  Nobody: "Niemand",
  "People of your domains sign in where they sign in for everything else (OpenID Connect).":
    "Personen Ihrer Domains melden sich dort an, wo sie es für alles andere tun (OpenID Connect).",
  "Owners of the organization can change this.": "Inhaber der Organisation können das ändern.",
  "Kept encrypted": "Verschlüsselt aufbewahrt",
  Verification: "Prüfung",
  "All addresses count as verified": "Alle Adressen gelten als geprüft",
  "Redirect address": "Rücksprungadresse",
  "Signed in this way": "So angemeldet",
  "You have not signed in this way yet yourself. Try it with your own account, once a domain is verified; you stay signed in here.":
    "Sie selbst haben sich noch nicht auf diesem Weg angemeldet. Versuchen Sie es mit Ihrem eigenen Konto, sobald eine Domain bestätigt ist; Sie bleiben hier angemeldet.",
  "Set up": "Einrichten",
  "Test the connection": "Verbindung testen",
  Remove: "Entfernen",
  "Nobody yet": "Noch niemand",
  "Email domains": "E-Mail-Domains",
  "Whose address ends in one of them is led to your provider. A domain counts once it is certain that it is yours.":
    "Wessen Adresse auf eine davon endet, wird zu Ihrem Anbieter geleitet. Eine Domain zählt, sobald feststeht, dass sie Ihnen gehört.",
  "Not verified yet. Put this text into the DNS of the domain, as a TXT record of {domain} itself:":
    "Noch nicht bestätigt. Setzen Sie diesen Text in das DNS der Domain, als TXT-Eintrag von {domain} selbst:",
  "Verified. You may take the record out of DNS again.":
    "Bestätigt. Sie können den Eintrag wieder aus dem DNS nehmen.",
  "Check {domain} now": "{domain} jetzt prüfen",
  "Check now": "Jetzt prüfen",
  "Remove {domain}": "{domain} entfernen",
  "People of the domains": "Personen der Domains",
  "Sign in with the provider only": "Melden sich nur mit dem Anbieter an",
  "May use passwords and passkeys as well": "Können auch Passwörter und Passkeys verwenden",
  "Keeps another way in": "Behält einen anderen Zugang",
  "People of your email domains sign in where they do for everything else.":
    "Personen Ihrer E-Mail-Domains melden sich dort an, wo sie es für alles andere tun.",
  "Look at it": "Ansehen",
  "The next sign-in of {name} binds the account anew.":
    "Die nächste Anmeldung von {name} verknüpft das Konto neu.",
  "Release from the identity provider": "Vom Identitätsanbieter lösen",
  "Release {name} from the identity provider?": "{name} vom Identitätsanbieter lösen?",
  "Do this when {name} got another account at the provider. Whoever signs in there next with the address of this account gets it: make sure that the address is still theirs.":
    "Tun Sie das, wenn {name} beim Anbieter ein anderes Konto bekommen hat. Wer sich dort als Nächstes mit der Adresse dieses Kontos anmeldet, erhält es: Stellen Sie sicher, dass die Adresse noch dieser Person gehört.",
  Release: "Lösen",
  "Last signed in with it {when}.": "Zuletzt damit angemeldet: {when}.",
  "Enter the code that the app shows.": "Geben Sie den Code ein, den die App zeigt.",

  "Your authenticator app is set up.": "Ihre Authenticator-App ist eingerichtet.",
  "This page was open for too long. Scan the new QR code below.":
    "Diese Seite war zu lange offen. Scannen Sie den neuen QR-Code unten.",
  "Your authenticator app is removed.": "Ihre Authenticator-App ist entfernt.",
  "Remove the authenticator app": "Authenticator-App entfernen",
  "Remove the authenticator app?": "Die Authenticator-App entfernen?",
  "Its codes stop working here. Without another second factor your password alone signs you in, and your recovery codes go with it. You can set it up again at any time.":
    "Ihre Codes gelten hier nicht mehr. Ohne einen anderen zweiten Faktor genügt Ihr Passwort zur Anmeldung, und Ihre Wiederherstellungscodes entfallen. Sie können sie jederzeit wieder einrichten.",
  "Remove authenticator app": "Authenticator-App entfernen",
  "Replace the authenticator app": "Authenticator-App ersetzen",
  "Set up an authenticator app": "Authenticator-App einrichten",
  "An app such as Aegis, Google Authenticator or a password manager shows a new code every 30 seconds. Fettle asks for it after your password.":
    "Eine App wie Aegis, Google Authenticator oder ein Passwort-Manager zeigt alle 30 Sekunden einen neuen Code. Fettle fragt nach dem Passwort danach.",
  "The codes of the app that you use now stop working.":
    "Die Codes der App, die Sie jetzt verwenden, gelten dann nicht mehr.",
  "Authenticator app": "Authenticator-App",
  "Scan this with the app, or <a>open it in an app on this device</a>.":
    "Scannen Sie dies mit der App, oder <a>öffnen Sie es in einer App auf diesem Gerät</a>.",
  "Where you cannot scan, type in this key:":
    "Wo Sie nicht scannen können, tippen Sie diesen Schlüssel ein:",
  "Enter the six digits that the app shows now.":
    "Geben Sie die sechs Ziffern ein, die die App jetzt zeigt.",
  "To scan with the authenticator app": "Zum Scannen mit der Authenticator-App",
  "Enter your current password.": "Geben Sie Ihr jetziges Passwort ein.",
  "Current password": "Jetziges Passwort",
  "Confirm that it is you": "Bestätigen Sie, dass Sie es sind",
  "Before you change how you sign in, or take everything with you. It counts for ten minutes, in this browser.":
    "Bevor Sie ändern, wie Sie sich anmelden, oder alles mitnehmen. Es gilt zehn Minuten, in diesem Browser.",
  Confirm: "Bestätigen",
  "Sign in again with your organization": "Erneut über Ihre Organisation anmelden",
  "Confirm with a passkey": "Mit Passkey bestätigen",
  "Confirm with a code": "Mit Code bestätigen",
  "Change password": "Passwort ändern",
  "Your organization asks its owners and admins for a second factor, and you have none yet. Set up a passkey or an authenticator app here, then go on with what you wanted to do.":
    "Ihre Organisation verlangt von Inhabern und Admins einen zweiten Faktor, und Sie haben noch keinen. Richten Sie hier einen Passkey oder eine Authenticator-App ein, und machen Sie dann weiter mit dem, was Sie tun wollten.",
  "The organization lets apps delete permanently only for people with a second factor, and you have none yet. Set up a passkey or an authenticator app here, then go on with what you wanted to do.":
    "Die Organisation lässt Apps nur für Personen mit einem zweiten Faktor endgültig löschen, und Sie haben noch keinen. Richten Sie hier einen Passkey oder eine Authenticator-App ein, und machen Sie dann weiter mit dem, was Sie tun wollten.",
  "The organization asks for your second factor, and your sign-in went without it. <a>Show the one that you have</a>":
    "Die Organisation verlangt Ihren zweiten Faktor, und Ihre Anmeldung kam ohne ihn aus. <a>Den vorhandenen zeigen</a>",
  "You have a second factor now. <a>Go on with what you wanted to do</a>":
    "Sie haben jetzt einen zweiten Faktor. <a>Weiter mit dem, was Sie tun wollten</a>",
  Passkeys: "Passkeys",
  "A passkey signs you in with your fingerprint, face or PIN, without password and code. With one, a password alone does not sign you in any more.":
    "Mit einem Passkey melden Sie sich per Fingerabdruck, Gesicht oder PIN an, ohne Passwort und Code. Haben Sie einen, genügt ein Passwort allein nicht mehr zur Anmeldung.",
  Added: "Hinzugefügt",

  "Remove the passkey {name}": "Den Passkey {name} entfernen",
  "Add a passkey": "Passkey hinzufügen",
  "An app on your phone shows codes, which are asked after your password.":
    "Eine App auf Ihrem Telefon zeigt Codes, die nach dem Passwort verlangt werden.",
  "Set up||when": "Eingerichtet",
  Replace: "Ersetzen",
  "Not yet": "Noch nicht",
  "Recovery codes": "Wiederherstellungscodes",
  "{left} of 10 left. Each lets you in once when you have lost your second factor.":
    "Noch {left} von 10 übrig. Mit jedem kommen Sie einmal hinein, wenn Sie Ihren zweiten Faktor verloren haben.",
  "Make new ones before you run out.": "Erzeugen Sie neue, bevor sie aufgebraucht sind.",
  "Make new codes": "Neue Codes erzeugen",
  "Give it a name.": "Geben Sie ihm einen Namen.",
  "The passkey {name} is added.": "Der Passkey {name} ist hinzugefügt.",
  "The passkey {name} is removed.": "Der Passkey {name} ist entfernt.",
  "A passkey is kept by this device, a security key or a password manager, and opens with your fingerprint, face or PIN. It signs you in without password and code.":
    "Ein Passkey liegt auf diesem Gerät, einem Sicherheitsschlüssel oder in einem Passwort-Manager und öffnet sich mit Fingerabdruck, Gesicht oder PIN. Er meldet Sie ohne Passwort und Code an.",
  "New passkey": "Neuer Passkey",
  "Add passkey": "Passkey hinzufügen",
  "So that you tell it from others, such as the device that has it.":
    "Damit Sie ihn von anderen unterscheiden, etwa das Gerät, auf dem er liegt.",
  "Remove a passkey": "Passkey entfernen",
  "Remove the passkey {name}?": "Den Passkey {name} entfernen?",
  "It does not sign you in any more. Your device or password manager still shows it; delete it there as well. Without another second factor your password alone signs you in, and your recovery codes go with it.":
    "Er meldet Sie nicht mehr an. Ihr Gerät oder Passwort-Manager zeigt ihn weiter; löschen Sie ihn auch dort. Ohne einen anderen zweiten Faktor genügt Ihr Passwort zur Anmeldung, und Ihre Wiederherstellungscodes entfallen.",
  "Remove passkey": "Passkey entfernen",
  "New recovery codes": "Neue Wiederherstellungscodes",
  "Make new recovery codes?": "Neue Wiederherstellungscodes erzeugen?",
  "You get ten new codes. Those that you have now stop working at once.":
    "Sie erhalten zehn neue Codes. Die bisherigen gelten sofort nicht mehr.",
  "Your recovery codes": "Ihre Wiederherstellungscodes",
  "Your new recovery codes": "Ihre neuen Wiederherstellungscodes",
  "Keep these codes where you find them without your devices: on paper, or in a password manager. Each lets you in once when you have lost your second factor. <strong>They are shown only now.</strong>":
    "Bewahren Sie diese Codes dort auf, wo Sie sie ohne Ihre Geräte finden: auf Papier oder in einem Passwort-Manager. Mit jedem kommen Sie einmal hinein, wenn Sie Ihren zweiten Faktor verloren haben. <strong>Sie werden nur jetzt angezeigt.</strong>",
  "Your second factor is set up. You stay signed in here and are signed out of every other browser.":
    "Ihr zweiter Faktor ist eingerichtet. Hier bleiben Sie angemeldet; in allen anderen Browsern sind Sie abgemeldet.",
  "I have kept them, continue": "Ich habe sie aufbewahrt, weiter",
  "Try again in a few minutes. If it goes on, ask an owner of the organization.":
    "Versuchen Sie es in einigen Minuten noch einmal. Hält es an, fragen Sie einen Inhaber der Organisation.",
  "The identity provider cannot be reached: its name has no address, it does not answer, or its certificate is not trusted.":
    "Der Identitätsanbieter ist nicht erreichbar: Sein Name hat keine Adresse, er antwortet nicht, oder seinem Zertifikat wird nicht vertraut.",
  "The identity provider cannot be reached.": "Der Identitätsanbieter ist nicht erreichbar.",
  "The identity provider did not answer within five seconds.":
    "Der Identitätsanbieter hat nicht innerhalb von fünf Sekunden geantwortet.",
  "The identity provider answered with something else than was asked for. Its address may be wrong: below it lies /.well-known/openid-configuration.":
    "Der Identitätsanbieter hat etwas anderes geantwortet als verlangt. Vielleicht ist seine Adresse falsch: Darunter liegt /.well-known/openid-configuration.",
  "An owner of the organization can compare the address in the settings.":
    "Ein Inhaber der Organisation kann die Adresse in den Einstellungen vergleichen.",
  "The identity provider calls itself by another address than the one in the settings.":
    "Der Identitätsanbieter nennt für sich eine andere Adresse als die in den Einstellungen.",
  "An owner of the organization has to enter the address (issuer) exactly as the provider says it.":
    "Ein Inhaber der Organisation muss die Adresse (Issuer) genau so eingeben, wie der Anbieter sie nennt.",
  "The identity provider lacks something: it needs the authorization code flow with PKCE (S256), keys, https addresses, and an address of this organization alone.":
    "Dem Identitätsanbieter fehlt etwas: Er braucht den Authorization Code Flow mit PKCE (S256), Schlüssel, https-Adressen und eine Adresse für diese Organisation allein.",
  "An owner of the organization can look into the manual of the provider.":
    "Ein Inhaber der Organisation kann in der Anleitung des Anbieters nachsehen.",
  "The identity provider refused this server. The client id or secret may be wrong, or have expired.":
    "Der Identitätsanbieter hat diesen Server abgewiesen. Client-ID oder Secret sind vielleicht falsch oder abgelaufen.",
  "An owner of the organization can enter them again in the settings.":
    "Ein Inhaber der Organisation kann sie in den Einstellungen neu eingeben.",
  "The identity provider did not let you in, or you cancelled there.":
    "Der Identitätsanbieter hat Sie nicht eingelassen, oder Sie haben dort abgebrochen.",
  "Try again. If it goes on, ask who looks after the identity provider whether you may use Fettle.":
    "Versuchen Sie es noch einmal. Hält es an, fragen Sie bei denen nach, die den Identitätsanbieter betreuen, ob Sie Fettle verwenden dürfen.",
  "The answer of the identity provider did not pass the checks: where it comes from, whom it is for, and how old it is.":
    "Die Antwort des Identitätsanbieters hat die Prüfungen nicht bestanden: woher sie kommt, für wen sie ist und wie alt sie ist.",
} as const;
