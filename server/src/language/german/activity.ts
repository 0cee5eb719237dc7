/* German of the activity log, and of what an app did. */
export const activity = {
  // Names and parts of sentences of the log; who did it stands before a colon
  "You||who did something": "Sie",
  "you||for whom": "Sie",
  '"{name}"': "„{name}“",
  something: "etwas",
  "Former member": "Ehemaliges Mitglied",
  "The person who runs the server": "Wer den Server betreibt",
  "Somebody without an account": "Jemand ohne Konto",
  "owner||role in a sentence": "Inhaber",
  "admin||role in a sentence": "Admin",
  "member||role in a sentence": "Mitglied",
  "viewer||role in a sentence": "Betrachter",
  "the organization||in, from, to": "der Organisation",
  "a workspace||in, from, to": "einem Arbeitsbereich",
  "read||right of an app, in a sentence": "Lesen",
  "change||right of an app, in a sentence": "Ändern",
  "delete permanently||right of an app, in a sentence": "endgültig Löschen",
  "{sentence}, {count, plural, one {# time} other {# times}}":
    "{sentence}, {count, plural, one {# Mal} other {# Mal}}",
  "{sentence} as {role}": "{sentence}, als {role}",
  "{sentence}: {fields}": "{sentence}: {fields}",
  "{sentence} from {former} to {role}": "{sentence}, von {former} zu {role}",
  "{sentence} to {role}": "{sentence}, zu {role}",
  "{sentence} for {count, plural, one {# day} other {# days}}":
    "{sentence}, für {count, plural, one {# Tag} other {# Tage}}",
  "{sentence} with {rights}": "{sentence}, mit {rights}",
  "{sentence}, through {app}": "{sentence}, über {app}",
  "{sentence}, with a new secret": "{sentence}, mit neuem Secret",

  // The log: accounts
  "{who} created an account": "{who}: Konto angelegt",
  "The account was deactivated: {who}": "Das Konto wurde gesperrt: {who}",
  "The account was activated again: {who}": "Das Konto wurde wieder freigegeben: {who}",
  "{who} confirmed the email address": "{who}: E-Mail-Adresse bestätigt",
  "{who} changed the name, from {name}": "{who}: Namen geändert, vorher {name}",
  "{who} asked for a link to set a new password":
    "{who}: Link zum Setzen eines neuen Passworts angefordert",
  "{who} set a new password with a link from a mail":
    "{who}: neues Passwort mit einem Link aus einer E-Mail gesetzt",
  "Signing in as {who} failed after the right password, at the second factor":
    "{who}: Anmeldung nach richtigem Passwort am zweiten Faktor gescheitert",
  "{who} made a calendar address for all visible tasks":
    "{who}: Kalenderadresse für alle sichtbaren Aufgaben erstellt",
  "{who} made a calendar address for own tasks":
    "{who}: Kalenderadresse für eigene Aufgaben erstellt",
  "{who} revoked the calendar address": "{who}: Kalenderadresse widerrufen",
  "{who} set up an authenticator app": "{who}: Authenticator-App eingerichtet",
  "{who} removed the authenticator app": "{who}: Authenticator-App entfernt",
  "{who} added the passkey {name}": "{who}: Passkey {name} hinzugefügt",
  "{who} removed the passkey {name}": "{who}: Passkey {name} entfernt",
  "The passkey {name} of {who} was refused: there may be a copy of it":
    "{who}: Passkey {name} abgelehnt, vielleicht gibt es eine Kopie davon",
  "{who} made new recovery codes": "{who}: neue Wiederherstellungscodes erstellt",
  "The second factors of {who} were removed by who runs the server":
    "{who}: zweite Faktoren vom Betreiber des Servers entfernt",
  "{who} signed in with a passkey": "{who}: mit einem Passkey angemeldet",
  "{who} signed in with the identity provider of the organization":
    "{who}: mit dem Identitätsanbieter der Organisation angemeldet",
  "{who} signed in with the identity provider of the organization and a recovery code":
    "{who}: mit dem Identitätsanbieter der Organisation und einem Wiederherstellungscode angemeldet",
  "{who} signed in with the identity provider of the organization and a passkey":
    "{who}: mit dem Identitätsanbieter der Organisation und einem Passkey angemeldet",
  "{who} signed in with the identity provider of the organization and an authenticator app":
    "{who}: mit dem Identitätsanbieter der Organisation und einer Authenticator-App angemeldet",
  "{who} used a recovery code": "{who}: Wiederherstellungscode verwendet",
  "{who} signed in with a recovery code": "{who}: mit einem Wiederherstellungscode angemeldet",
  "{who} signed in": "{who}: angemeldet",
  "{who} signed in with an authenticator app": "{who}: mit einer Authenticator-App angemeldet",
  "Signing in as {who} failed": "{who}: Anmeldung gescheitert",
  "Signing in as {who} failed from more addresses":
    "{who}: Anmeldung von weiteren Adressen gescheitert",
  "Who runs the server signed {who} out of {count, plural, one {# browser} other {# browsers}}":
    "{who}: vom Betreiber des Servers in {count, plural, one {# Browser} other {# Browsern}} abgemeldet",
  "{who} signed out": "{who}: abgemeldet",
  "{who} signed out of {count, plural, one {# other browser} other {# other browsers}}":
    "{who}: in {count, plural, one {# anderen Browser} other {# anderen Browsern}} abgemeldet",
  "A new password was set for {who}": "Neues Passwort gesetzt für {who}",
  "{who} changed the password": "{who}: Passwort geändert",
  "{who} changed the password, which ended {count, plural, one {# other session} other {# other sessions}}":
    "{who}: Passwort geändert, dadurch {count, plural, one {# andere Sitzung} other {# andere Sitzungen}} beendet",
  "{who} signed in for the first time with the identity provider {issuer}":
    "{who}: zum ersten Mal mit dem Identitätsanbieter {issuer} angemeldet",
  "{who} released {name} from the identity provider {issuer}":
    "{who}: {name} vom Identitätsanbieter {issuer} gelöst",

  // The log: people and invitations
  "{who} joined the organization": "{who}: der Organisation beigetreten",
  "{who} erased who a former member was": "{who}: Angaben zu einem ehemaligen Mitglied gelöscht",
  "{who} took back the last day of {name}": "{who}: letzten Tag von {name} aufgehoben",
  "{who} set {day} as the last day of {name}": "{who}: letzter Tag von {name} ist der {day}",
  "The last day of {name} has passed": "Der letzte Tag von {name} ist vorbei",
  "{who} removed {name} from {place}": "{who}: {name} aus {place} entfernt",
  "{who} got another role in {place}": "{who}: andere Rolle in {place} erhalten",
  "{who} changed the role of {name} in {place}": "{who}: Rolle von {name} in {place} geändert",
  "{who} joined {place}": "{who}: zu {place} hinzugekommen",
  "{who} added {name} to {place}": "{who}: {name} zu {place} hinzugefügt",
  "{who} invited {email}": "{who}: {email} eingeladen",
  "{who} sent the invitation of {email} again": "{who}: Einladung an {email} erneut gesendet",
  "{who} withdrew the invitation of {email}": "{who}: Einladung an {email} zurückgezogen",
  "{who} accepted an invitation": "{who}: Einladung angenommen",

  // The log: the organization
  "{who} decided that what apps delete is confirmed by a person":
    "{who}: entschieden, dass eine Person bestätigt, was Apps löschen",
  "{who} decided that what apps delete is not confirmed by a person":
    "{who}: entschieden, dass keine Person bestätigt, was Apps löschen",
  "{who} removed the identity provider {issuer}": "{who}: Identitätsanbieter {issuer} entfernt",
  "{who} verified the domain {domain}": "{who}: Domain {domain} nachgewiesen",
  "{who} removed the domain {domain}": "{who}: Domain {domain} entfernt",
  "{who} made the identity provider the only way to sign in, but for nobody":
    "{who}: Identitätsanbieter ist für alle der einzige Weg zur Anmeldung",
  "{who} made the identity provider the only way to sign in, but for {name}":
    "{who}: Identitätsanbieter ist der einzige Weg zur Anmeldung, außer für {name}",
  "{who} let people sign in with passwords and passkeys again":
    "{who}: Anmeldung mit Passwort und Passkey wieder erlaubt",
  "{who} created the organization": "{who}: Organisation angelegt",
  "{who} began to delete an organization": "{who}: Löschen einer Organisation begonnen",
  "{who} deleted an organization": "{who}: eine Organisation gelöscht",
  "{who} changed the organization": "{who}: Organisation geändert",
  "{who} created the workspace {name}": "{who}: Arbeitsbereich {name} angelegt",
  "{who} deleted the workspace {name}": "{who}: Arbeitsbereich {name} gelöscht",
  "{who} changed the workspace {name}": "{who}: Arbeitsbereich {name} geändert",
  "{who} renamed the workspace {former} to {name}":
    "{who}: Arbeitsbereich {former} in {name} umbenannt",
  "{who} downloaded the activity log": "{who}: Aktivitätsprotokoll heruntergeladen",
  "{who} downloaded everything that the organization has here":
    "{who}: alles heruntergeladen, was die Organisation hier hat",
  "now of owners and admins": "jetzt von Inhabern und Admins",
  "no longer of owners and admins": "nicht mehr von Inhabern und Admins",
  "now before an app may delete permanently": "jetzt, bevor eine App endgültig löschen darf",
  "no longer before an app may delete permanently":
    "nicht mehr, bevor eine App endgültig löschen darf",
  "{who} changed what a second factor is asked for: {rules}":
    "{who}: geändert, wann ein zweiter Faktor verlangt wird: {rules}",
  "{who} set the identity provider {issuer}": "{who}: Identitätsanbieter {issuer} festgelegt",
  "{who} set the identity provider {issuer}, in place of {former}":
    "{who}: Identitätsanbieter {issuer} anstelle von {former} festgelegt",
  "{who} added a webhook to {host}": "{who}: Webhook an {host} hinzugefügt",
  "{who} changed the webhook to {host}": "{who}: Webhook an {host} geändert",
  "{who} stopped the webhook to {host}": "{who}: Webhook an {host} angehalten",
  "{who} resumed the webhook to {host}": "{who}: Webhook an {host} wieder aufgenommen",
  "{who} deleted the webhook to {host}": "{who}: Webhook an {host} gelöscht",
  "{who} stopped, because it did not answer well, the webhook to {host}":
    "{who}: Webhook an {host} angehalten, weil er nicht richtig antwortete",
  "{who} permanently deleted the asset {number}": "{who}: Anlage {number} endgültig gelöscht",
  "{who} permanently deleted the asset {number} {name} with {tasks, plural, one {# task} other {# tasks}} and {events, plural, one {# history event} other {# history events}}":
    "{who}: Anlage {number} {name} endgültig gelöscht, mit {tasks, plural, one {# Aufgabe} other {# Aufgaben}} und {events, plural, one {# Ereignis} other {# Ereignissen}} des Verlaufs",

  // The log: apps
  "{who} connected {app}": "{who}: {app} verbunden",
  "{who} did not let more apps connect": "{who}: Verbindung weiterer Apps abgelehnt",
  "{who} did not let {app} connect": "{who}: Verbindung von {app} abgelehnt",
  "{who} disconnected {app}": "{who}: {app} getrennt",
  "{who} disconnected {app}, which acted for {name}":
    "{who}: {app} getrennt, die App handelte für {name}",
  "{app} ended its own access. It acted for {who}":
    "{app} hat den eigenen Zugang beendet. Die App handelte für {who}",
  "{app} was disconnected for safety: its code to connect was used a second time. It acted for {who}":
    "{app} wurde zur Sicherheit getrennt: Der Code zum Verbinden wurde ein zweites Mal verwendet. Die App handelte für {who}",
  "{app} was disconnected for safety: an old key of it was used a second time. It acted for {who}":
    "{app} wurde zur Sicherheit getrennt: Ein alter Schlüssel wurde ein zweites Mal verwendet. Die App handelte für {who}",
  "{app} was connected too often: the connection not used for longest ended. It acted for {who}":
    "{app} war zu oft verbunden: Die am längsten nicht genutzte Verbindung wurde beendet. Sie handelte für {who}",
  "The time of {app} was over. It acted for {who}":
    "Die Zeit von {app} war abgelaufen. Die App handelte für {who}",

  // The page of the log
  "Sign-ins and accounts": "Anmeldungen und Konten",
  "Members and roles": "Mitglieder und Rollen",
  Invitations: "Einladungen",
  "Organization and workspaces": "Organisation und Arbeitsbereiche",
  "Permanent deletions": "Endgültiges Löschen",
  "What you did with your account, with apps and in the organization. What changed on assets and tasks is in their histories.":
    "Was Sie mit Ihrem Konto, mit Apps und in der Organisation getan haben. Was sich an Anlagen und Aufgaben geändert hat, steht in deren Verlauf.",
  "Sign-ins of members, connected apps, roles, invitations and permanent deletions. What changed on assets and tasks is in their histories.":
    "Anmeldungen der Mitglieder, verbundene Apps, Rollen, Einladungen und endgültiges Löschen. Was sich an Anlagen und Aufgaben geändert hat, steht in deren Verlauf.",
  "Nothing to show": "Nichts zu zeigen",
  "Nothing of this kind has happened yet.": "Nichts dieser Art ist bisher geschehen.",
  "Download as JSON Lines": "Als JSON Lines herunterladen",

  Everything: "Alles",
  Person: "Person",
  Everybody: "Alle",
  Undo: "Rückgängig machen",
  "Undo the app's changes: {sentence}": "Änderungen der App rückgängig machen: {sentence}",
  "From {places}": "Von {places}",

  // What an app did
  "What {name} did": "Was {name} getan hat",
  "Undo what it did": "Rückgängig machen",
  "What it changed on assets and tasks, the newest first.":
    "Was die App an Anlagen und Aufgaben geändert hat, das Neueste zuerst.",
  "What it changed on assets and tasks for {person}, the newest first.":
    "Was die App für {person} an Anlagen und Aufgaben geändert hat, das Neueste zuerst.",
  "What it did with workspaces, invitations and members is in <a>Activity</a>.":
    "Was sie mit Arbeitsbereichen, Einladungen und Mitgliedern getan hat, steht unter <a>Aktivität</a>.",
  "{count, plural, one {# asset} other {# assets}} permanently deleted":
    "{count, plural, one {# Anlage} other {# Anlagen}} endgültig gelöscht",
  "Nothing else is left of the history of what was permanently deleted.":
    "Mehr ist vom Verlauf dessen, was endgültig gelöscht wurde, nicht geblieben.",
  "Nothing changed": "Nichts geändert",
  "Undo the app's changes": "Änderungen der App rückgängig machen",
  "{name} changed no asset and no task that you see.":
    "{name} hat keine Anlage und keine Aufgabe geändert, die Sie sehen.",
  "The calendar address of {who} ended with the sign-ins":
    "Die Kalenderadresse von {who} endete mit den Anmeldungen",
} as const;
