/** What refusals say, and how they quote and count. */
export const refusals = {
  "{words} or {last}": "{words} oder {last}",
  "{count, plural, one {# day} other {# days}}||ago":
    "{count, plural, one {# Tag} other {# Tagen}}",
  "{count, plural, one {# hour} other {# hours}}||ago":
    "{count, plural, one {# Stunde} other {# Stunden}}",
  "{count, plural, one {# minute} other {# minutes}}||ago":
    "{count, plural, one {# Minute} other {# Minuten}}",
  "{count, plural, one {# second} other {# seconds}}||ago":
    "{count, plural, one {# Sekunde} other {# Sekunden}}",

  // Photos and files
  "Choose a photo or a file first.": "Wählen Sie zuerst ein Foto oder eine Datei.",
  "{name} is larger than {max} MB. Nothing was stored. Send a smaller file, or a photo of lower resolution.":
    "{name} ist größer als {max} MB. Nichts wurde gespeichert. Senden Sie eine kleinere Datei oder ein Foto mit geringerer Auflösung.",
  "At most {max} files can be sent at once. Nothing was stored. Send the others after these.":
    "Höchstens {max} Dateien können auf einmal gesendet werden. Nichts wurde gespeichert. Senden Sie die übrigen danach.",
  "{name} is empty. Nothing was stored. Choose another file.":
    "{name} ist leer. Nichts wurde gespeichert. Wählen Sie eine andere Datei.",
  "{name} is of a kind that is not kept here. Nothing was stored. Kept are JPEG, PNG and WebP pictures, PDF, plain text, CSV, and documents of Word, Excel, PowerPoint and OpenDocument without macros.":
    "{name} hat ein Format, das hier nicht aufbewahrt wird. Nichts wurde gespeichert. Möglich sind Bilder als JPEG, PNG und WebP, PDF, reiner Text, CSV und Dokumente von Word, Excel, PowerPoint und OpenDocument ohne Makros.",
  "{name} is SVG, HTML or XML, which can carry programs. Nothing was stored. Send a picture as PNG, a document as PDF.":
    "{name} ist SVG, HTML oder XML und kann Programme enthalten. Nichts wurde gespeichert. Senden Sie ein Bild als PNG, ein Dokument als PDF.",
  "{name} is a HEIC photo, which this server cannot read. Nothing was stored. Send it as JPEG: on an iPhone, choose “Most compatible” under Settings > Camera > Formats.":
    "{name} ist ein HEIC-Foto, das dieser Server nicht lesen kann. Nichts wurde gespeichert. Senden Sie es als JPEG: Wählen Sie auf dem iPhone „Maximale Kompatibilität“ unter Einstellungen > Kamera > Formate.",
  "{name} cannot be read as a picture: it is damaged or incomplete. Nothing was stored. Take the photo once more, or send the original file.":
    "{name} lässt sich nicht als Bild lesen: Die Datei ist beschädigt oder unvollständig. Nichts wurde gespeichert. Nehmen Sie das Foto noch einmal auf oder senden Sie die Originaldatei.",
  "{name} is no photo. Nothing was stored. Send JPEG, PNG or WebP here.":
    "{name} ist kein Foto. Nichts wurde gespeichert. Senden Sie hier JPEG, PNG oder WebP.",
  "{name} has more than {max} million pixels. Nothing was stored. Send it in a lower resolution.":
    "{name} hat mehr als {max} Millionen Pixel. Nichts wurde gespeichert. Senden Sie es mit geringerer Auflösung.",
  "Too many pictures are being read at this moment. Nothing was stored. Try again in {seconds} seconds.":
    "Im Moment werden zu viele Bilder gelesen. Nichts wurde gespeichert. Versuchen Sie es in {seconds, plural, one {# Sekunde} other {# Sekunden}} noch einmal.",
  "More than {max} photos and files cannot be kept here. Nothing was stored. Delete some that are not needed any more.":
    "Mehr als {max} Fotos und Dateien können hier nicht aufbewahrt werden. Nichts wurde gespeichert. Löschen Sie einige, die nicht mehr gebraucht werden.",
  "There are too many photos and files here for one download. Ask whoever runs Fettle for all of it: the command is fettle organization export.":
    "Für einen Download sind hier zu viele Fotos und Dateien. Bitten Sie den Betreiber von Fettle um alles: Der Befehl ist fettle organization export.",
  "The photos and files of the organization would take more than {max} MB. Nothing was stored. Delete some that are not needed, or ask whoever runs Fettle for more room.":
    "Die Fotos und Dateien der Organisation würden mehr als {max} MB belegen. Nichts wurde gespeichert. Löschen Sie einige, die nicht gebraucht werden, oder bitten Sie die Betreiber von Fettle um mehr Platz.",
  "There is no such file that you see. It may have been deleted, or be of something that you do not see.":
    "Eine solche Datei sehen Sie nicht. Vielleicht wurde sie gelöscht oder gehört zu etwas, das Sie nicht sehen.",
  "The storage of photos and files cannot be reached at the moment. Try again in {seconds} seconds.":
    "Der Speicher für Fotos und Dateien ist im Moment nicht erreichbar. Versuchen Sie es in {seconds, plural, one {# Sekunde} other {# Sekunden}} noch einmal.",

  // Label sheets
  "Too many label sheets are drawn at this moment, or drawing broke off. Try again in {seconds} seconds.":
    "Im Moment werden zu viele Etikettenbogen erzeugt, oder das Erzeugen brach ab. Versuchen Sie es in {seconds, plural, one {# Sekunde} other {# Sekunden}} noch einmal.",
  "{by} has decided on this report meanwhile. Nothing was changed.":
    "{by} hat inzwischen über diese Meldung entschieden. Nichts wurde geändert.",
  "{field}: no asset of this workspace is there. Write it as it stands with an asset, or leave it empty for all of the workspace.":
    "{field}: Dort ist keine Anlage dieses Arbeitsbereichs. Schreiben Sie es wie bei einer Anlage, oder lassen Sie es leer für den ganzen Arbeitsbereich.",
  "This round has {max} unknown codes already, so this one was not stored.":
    "Dieser Rundgang hat schon {max} unbekannte Codes, daher wurde dieser nicht gespeichert.",
  "Rounds that ended within the last day miss several times as many assets as there are. Scan what is here, and end this round later.":
    "In Rundgängen, die innerhalb des letzten Tages beendet wurden, fehlen um ein Mehrfaches mehr Anlagen, als es gibt. Scannen Sie, was hier ist, und beenden Sie diesen Rundgang später.",
  "{field}: choose open work on the asset, or another open report of it.":
    "{field}: Wählen Sie eine offene Aufgabe der Anlage oder eine andere offene Meldung zu ihr.",
  "There are no labels at this address. The link may have been cut off; copy the whole of it, or ask for the labels again.":
    "Unter dieser Adresse gibt es keine Etiketten. Vielleicht wurde der Link abgeschnitten: Kopieren Sie ihn ganz, oder fordern Sie die Etiketten neu an.",
  "This link to labels has expired, such links work for one hour. Ask for the labels again to get a new one.":
    "Dieser Link zu Etiketten ist abgelaufen, solche Links gelten eine Stunde. Fordern Sie die Etiketten neu an.",
  "The assets of this link have been permanently deleted, or who made it does not see them any more, so there is nothing to print.":
    "Die Anlagen dieses Links wurden endgültig gelöscht, oder wer ihn erstellt hat, sieht sie nicht mehr, daher gibt es nichts zu drucken.",

  // Reports and rounds
  "There is no such report that you may decide on. It may have been deleted with its asset.":
    "Eine solche Meldung, über die Sie entscheiden dürfen, gibt es nicht. Vielleicht wurde sie mit ihrer Anlage gelöscht.",
  "The asset of this label is not there any more, so nothing was reported.":
    "Die Anlage dieses Etiketts gibt es nicht mehr, daher wurde nichts gemeldet.",
  "This asset is retired. Problems with it are not reported any more.":
    "Diese Anlage ist ausgemustert. Probleme mit ihr werden nicht mehr gemeldet.",
  "Many problems with this are reported already and wait for a decision. Nothing was stored. Somebody will look at them; ask at the place if it is urgent.":
    "Hierzu warten schon viele Meldungen auf eine Entscheidung. Nichts wurde gespeichert. Jemand wird sie ansehen; fragen Sie vor Ort, wenn es eilt.",
  "There is no such round that you see. It may have been deleted with its workspace.":
    "Einen solchen Rundgang sehen Sie nicht. Vielleicht wurde er mit seinem Arbeitsbereich gelöscht.",
  "This scan came before with another code and was not stored. Scan it once more.":
    "Dieser Scan kam schon mit einem anderen Code und wurde nicht gespeichert. Scannen Sie noch einmal.",
  "These scans were made by somebody else on this device, so nothing was stored. They wait until that person is signed in again.":
    "Diese Scans hat jemand anderes auf diesem Gerät gemacht, daher wurde nichts gespeichert. Sie warten, bis diese Person wieder angemeldet ist.",
  "{field} must not contain broken characters.":
    "{field} darf keine beschädigten Zeichen enthalten.",
  "{field} must not contain control characters.": "{field} darf keine Steuerzeichen enthalten.",
  "{field} must be one line without control characters.":
    "{field} muss eine Zeile ohne Steuerzeichen sein.",
  "{field} must not contain invisible characters.":
    "{field} darf keine unsichtbaren Zeichen enthalten.",
  "{field} must not have more than 30 marks on one letter.":
    "{field} darf nicht mehr als 30 Zusatzzeichen auf einem Buchstaben haben.",
  "{field} must have at most {max} characters.": "{field} darf höchstens {max} Zeichen haben.",
  "{field} must have at least {min} characters.": "{field} muss mindestens {min} Zeichen haben.",
  "{field} must have at most {max} bytes.": "{field} darf höchstens {max} Bytes haben.",
  "{field} must have at least four different characters.":
    "{field} muss mindestens vier verschiedene Zeichen haben.",
  "{field} must not be the email.": "{field} darf nicht die E-Mail-Adresse sein.",
  "{field} must not be empty.": "{field} darf nicht leer sein.",
  "{field} is missing.": "{field} fehlt.",
  "{field} must be an address like name@example.com.":
    "{field} muss eine Adresse wie name@example.com sein.",
  "{field} {code} is not an ISO 4217 code. Use one like EUR or USD.":
    "{field}: {code} ist kein Code nach ISO 4217. Nehmen Sie einen wie EUR oder CHF.",
  "{field} must be at most {max}.": "{field} darf höchstens {max} sein.",
  "{field} must have at most {max} steps.": "{field} darf höchstens {max} Schritte haben.",
  "{field} must have at most {max} entries.": "{field} darf höchstens {max} Einträge haben.",
  "time zone must be an IANA name, like Europe/Berlin.":
    "Die Zeitzone muss ein Name der IANA sein, wie Europe/Berlin.",
  "inventory prefix must have 1 to 8 characters of A-Z and 0-9.":
    "Das Präfix der Inventarnummern muss 1 bis 8 Zeichen aus A-Z und 0-9 haben.",
  "{field} stays {prefix}, because inventory numbers were given with it.":
    "{field} bleibt {prefix}, weil damit schon Inventarnummern vergeben sind.",
  "{field} {day} lies after today, {today}.": "{field}: {day} liegt nach heute, {today}.",
  "{field} must not lie in the future.": "{field} darf nicht in der Zukunft liegen.",
  "{field} must be at most {days} days back.": "{field} darf höchstens {days} Tage zurückliegen.",
  "{field} {day} lies before {otherField} {otherDay}.":
    "{field} {day} liegt vor {otherField} {otherDay}.",
  "{field} {day} is after {otherField} {otherDay}.":
    "{field} {day} liegt nach {otherField} {otherDay}.",
  "{field} {from} lies after {otherField} {to}.": "{field} {from} liegt nach {otherField} {to}.",
  "others are changing the same things at this moment. Nothing was changed. Try again in a few seconds.":
    "Andere ändern gerade dasselbe. Nichts wurde geändert. Versuchen Sie es in ein paar Sekunden noch einmal.",
  "your role in the organization is {present}; {needed} is needed to {action}.":
    "Ihre Rolle in der Organisation ist {present}; nötig ist {needed}, um {action}.",
  "your role in {place} is {present}; {needed} is needed to {action}.":
    "Ihre Rolle in {place} ist {present}; nötig ist {needed}, um {action}.",
  "You can view {place} but not {action}. {ask}":
    "Sie können {place} ansehen, aber es fehlt Ihnen das Recht, {action}. {ask}",
  "you can view {workspaces, plural, one {this workspace} other {these workspaces}} but not {action}. {ask}":
    "Sie können {workspaces, plural, one {diesen Arbeitsbereich} other {diese Arbeitsbereiche}} ansehen, aber es fehlt Ihnen das Recht, {action}. {ask}",
  "you can't {action} because you're in no workspace yet. {ask}":
    "Sie gehören noch zu keinem Arbeitsbereich; das ist nötig, um {action}. {ask}",
  none: "keine",
  owner: "Inhaber",
  admin: "Admin",
  member: "Mitglied",
  viewer: "Betrachter",
  "member or admin": "Mitglied oder Admin",
  "admin or owner": "Admin oder Inhaber",
  "your access changed while this was under way. Nothing was changed. Look at what you may do now, then try again.":
    "Ihr Zugang hat sich währenddessen geändert. Nichts wurde geändert. Sehen Sie nach, was Sie jetzt dürfen, und versuchen Sie es dann noch einmal.",
  "Outcome unknown: the connection to the database broke while the change was being saved, so it may or may not have been made. Look before you repeat it.":
    "Ausgang unbekannt: Die Verbindung zur Datenbank brach ab, während die Änderung gespeichert wurde; sie kann gelungen sein oder nicht. Sehen Sie nach, bevor Sie sie wiederholen.",
  "the request was given up before it was answered. Nothing was changed.":
    "Die Anfrage wurde aufgegeben, bevor sie beantwortet war. Nichts wurde geändert.",
  "the request was given up before it was answered, but its change was made. Do not repeat it.":
    "Die Anfrage wurde aufgegeben, bevor sie beantwortet war, die Änderung ist aber gemacht. Wiederholen Sie sie nicht.",
  "So many changes together took too long, so nothing was changed. Send fewer at a time.":
    "So viele Änderungen zusammen dauerten zu lange, deshalb wurde nichts geändert. Senden Sie weniger auf einmal.",
  "The server's storage is full. Nothing was changed. Ask the server's administrator to make room, then try again.":
    "Der Speicher des Servers ist voll. Es wurde nichts geändert. Bitten Sie den Administrator des Servers, Platz zu schaffen, und versuchen Sie es dann erneut.",
  "This needed more than 5 seconds and was stopped. Nothing was changed. Narrow it down with filters or other words, or try again later.":
    "Das brauchte mehr als 5 Sekunden und wurde abgebrochen. Nichts wurde geändert. Grenzen Sie es mit Filtern oder anderen Wörtern ein, oder versuchen Sie es später noch einmal.",
  "The database cannot be reached at the moment. Nothing was changed. Try again in {seconds} seconds.":
    "Die Datenbank ist gerade nicht erreichbar. Nichts wurde geändert. Versuchen Sie es in {seconds} Sekunden noch einmal.",
  "Fettle is being stopped or started again. Nothing was changed. Try again in {seconds} seconds.":
    "Fettle wird gerade beendet oder neu gestartet. Nichts wurde geändert. Versuchen Sie es in {seconds} Sekunden noch einmal.",
  "you are no longer a member of the organization. Nothing was changed.":
    "Sie gehören der Organisation nicht mehr an. Nichts wurde geändert.",
  "Asset not found for {reference}. {name} ({number}) was permanently deleted on {day} by {by}: nothing of it is left, and its number is not given again.":
    "Zu {reference} gibt es keine Anlage. {name} ({number}) wurde am {day} von {by} endgültig gelöscht: Nichts davon ist übrig, und die Nummer wird nicht wieder vergeben.",
  "{field}: {reference} is the asset itself or one of its parts. An asset cannot be part of its own part.":
    "{field}: {reference} ist die Anlage selbst oder eines ihrer Teile. Eine Anlage kann nicht Teil ihres eigenen Teils sein.",
  "{field}: parts nest at most {max} levels deep, and this would make {levels}. Choose a parent further up.":
    "{field}: Teile gehen höchstens {max} Ebenen tief, und damit wären es {levels}. Wählen Sie eine Anlage weiter oben.",
  "the asset is retired, and retired assets are not looked for. Restore it first, if it is in use after all.":
    "Die Anlage ist ausgemustert, und solche werden nicht gesucht. Stellen Sie sie zuerst wieder her, wenn sie doch in Benutzung ist.",
  "{field} must be another asset.": "{field} muss eine andere Anlage sein.",
  "{field}: {reference} is retired. Restore it first, or choose another asset.":
    "{field}: {reference} ist ausgemustert. Stellen Sie die Anlage zuerst wieder her oder wählen Sie eine andere.",
  "{field} is retired itself. Name the asset that stays, or restore it first.":
    "{field} ist selbst ausgemustert. Nennen Sie die Anlage, die bleibt, oder stellen Sie sie zuerst wieder her.",
  "work on the asset has begun, {task}. Finish or cancel it first; work that has not begun goes to the asset that stays.":
    "Arbeit an der Anlage hat begonnen, {task}. Erledigen Sie sie zuerst oder sagen Sie sie ab; was nicht begonnen hat, geht an die Anlage, die bleibt.",
  "the asset has more than {max} open tasks. Move them to the asset that stays first, up to {max} at once, or cancel them.":
    "Die Anlage hat mehr als {max} offene Aufgaben. Verschieben Sie sie zuerst zur Anlage, die bleibt, bis zu {max} auf einmal, oder sagen Sie sie ab.",
  "the asset that stays would have more than {max} photos and files. Delete those of either asset that are not needed any more first.":
    "Die Anlage, die bleibt, hätte mehr als {max} Fotos und Dateien. Löschen Sie zuerst die, die bei einer der beiden nicht mehr gebraucht werden.",
  "{field} of members, roles, workspaces and permanent deletions are asked for in a call of their own, without those of assets and tasks, and without an asset, a task or a field.":
    "{field} von Mitgliedern, Rollen, Arbeitsbereichen und endgültigen Löschungen werden für sich abgefragt, ohne die von Anlagen und Aufgaben und ohne eine Anlage, eine Aufgabe oder ein Feld.",
  "it is finished by now, so there is nothing to plan.":
    "Sie ist inzwischen abgeschlossen, zu planen gibt es also nichts.",
  "{field} is only for tasks of an asset: a place has no downtime.":
    "{field} gibt es nur bei Aufgaben an einer Anlage: Ein Ort hat keine Ausfallzeit.",
  "{field} needs {otherField}: the next occurrence is counted from it.":
    "{field} braucht {otherField}: Davon wird der nächste Termin gezählt.",
  "{field} goes with the units month and year, not {unit}.":
    "{field} geht mit den Einheiten Monat und Jahr, nicht mit {unit}.",
  "the repetition goes on elsewhere, where you do not see it.":
    "Die Wiederholung geht an einem anderen Ort weiter, den Sie nicht sehen.",
  "the repetition goes on with its newest occurrence, {newest}. Change the recurrence there.":
    "Die Wiederholung geht mit ihrem neuesten Termin weiter, {newest}. Ändern Sie sie dort.",
  "{field} names step {step}, but the task has no checklist.":
    "{field} nennt Schritt {step}, aber die Aufgabe hat keine Checkliste.",
  "{field} names step {step}, but the steps are 1 to {steps}.":
    "{field} nennt Schritt {step}, es gibt aber die Schritte 1 bis {steps}.",
  "{field} {name} has a meaning of its own. Choose another one.":
    "{field}: {name} hat eine eigene Bedeutung. Wählen Sie einen anderen Namen.",
  "nobody changes their own role. Ask another admin to do it.":
    "Niemand ändert die eigene Rolle. Bitten Sie einen anderen Admin darum.",
  "{name} is an owner of the organization, and your role is {present}; only an owner makes somebody an owner, or changes the role of one.":
    "{name} ist Inhaber der Organisation, und Ihre Rolle ist {present}; nur Inhaber machen jemanden zum Inhaber oder ändern die Rolle eines Inhabers.",
  "{name} would become an owner of the organization, and your role is {present}; only an owner makes somebody an owner, or changes the role of one.":
    "{name} würde Inhaber der Organisation, und Ihre Rolle ist {present}; nur Inhaber machen jemanden zum Inhaber oder ändern die Rolle eines Inhabers.",
  "{who} changed the role of {name} meanwhile; it is {role} now, not {expected}. Nothing else was changed. Send it again if your choice should take its place.":
    "{who} hat inzwischen die Rolle von {name} geändert; sie ist jetzt {role}, nicht {expected}. Sonst wurde nichts geändert. Senden Sie es noch einmal, wenn Ihre Wahl gelten soll.",
  somebody: "jemand",
  "nobody removes themselves. Ask another admin to do it.":
    "Niemand entfernt sich selbst. Bitten Sie einen anderen Admin darum.",
  "{name} is an owner of the organization, and your role is admin; only an owner can remove an owner.":
    "{name} ist Inhaber der Organisation, und Ihre Rolle ist Admin; nur Inhaber können Inhaber entfernen.",
  "{name} is the only owner. An organization always has one; make somebody else an owner first.":
    "{name} ist der einzige Inhaber. Eine Organisation hat immer einen; machen Sie zuerst jemand anderen dazu.",
  "{name} is the only owner of {organization}. Make somebody else an owner first (fettle members set-role), or delete the organization (fettle organization delete).":
    "{name} ist der einzige Inhaber von {organization}. Machen Sie zuerst jemand anderen dazu (fettle members set-role), oder löschen Sie die Organisation (fettle organization delete).",
  "{name} would not see every workspace any more, and what they are responsible for there has to go to somebody: an owner decides on that, under Settings > Members.":
    "{name} würde nicht mehr jeden Arbeitsbereich sehen, und für die Zuständigkeiten dort braucht es jemand anderen: Darüber entscheidet ein Inhaber unter Einstellungen > Mitglieder.",
  "{field} is the person whose role changes. Name somebody else, or leave it out.":
    "{field} ist die Person, deren Rolle sich ändert. Nennen Sie jemand anderen, oder lassen Sie es weg.",
  "{field} is the person who is removed. Name somebody else, or leave it out.":
    "{field} ist die Person, die entfernt wird. Nennen Sie jemand anderen, oder lassen Sie es weg.",
  "{name} already belongs to {workspace}, as {present}. Change the role there instead.":
    "{name} gehört schon zu {workspace}, als {present}. Ändern Sie stattdessen dort die Rolle.",
  "User not found in the workspace {workspace}: {name} does not belong to it. Add them first.":
    "Nicht im Arbeitsbereich {workspace}: {name} gehört nicht dazu. Fügen Sie die Person zuerst hinzu.",
  "User not found in the workspace {workspace}: {name} does not belong to it, so there is nothing to remove.":
    "Nicht im Arbeitsbereich {workspace}: {name} gehört nicht dazu, zu entfernen gibt es also nichts.",
  "There is no such member of the organization. It may also be somebody you cannot see.":
    "Dieses Mitglied gibt es in der Organisation nicht. Es kann auch jemand sein, den Sie nicht sehen.",
  "{email} is already a member of {workspace}. Their role there is changed under Settings > Members.":
    "{email} gehört schon zu {workspace}. Die Rolle dort ändern Sie unter Einstellungen > Mitglieder.",
  "{email} is already an owner of the organization and sees every workspace.":
    "{email} ist schon Inhaber der Organisation und sieht jeden Arbeitsbereich.",
  "{email} is already an admin of the organization and sees every workspace.":
    "{email} ist schon Admin der Organisation und sieht jeden Arbeitsbereich.",
  "try again in {seconds} seconds.": "Versuchen Sie es in {seconds} Sekunden noch einmal.",
  "There is no such invitation. It may also be one that you cannot see.":
    "Diese Einladung gibt es nicht. Es kann auch eine sein, die Sie nicht sehen.",
  "This address has several open invitations. Choose one.":
    "Diese Adresse hat mehrere offene Einladungen. Wählen Sie eine davon.",
  "This invitation is for {email}.": "Diese Einladung ist für {email}.",
  "This invitation can no longer be accepted.":
    "Diese Einladung kann nicht mehr angenommen werden.",
  "Wait {seconds, plural, one {# second} other {# seconds}}, then try again.":
    "Warten Sie {seconds, plural, one {# Sekunde} other {# Sekunden}}, und versuchen Sie es dann noch einmal.",
  "Wait {minutes} minutes, then try again.":
    "Warten Sie {minutes} Minuten, und versuchen Sie es dann noch einmal.",
  "This form was sent from another site, so nothing was changed. Open the page here and try again.":
    "Dieses Formular kam von einer anderen Website, deshalb wurde nichts geändert. Öffnen Sie die Seite hier und versuchen Sie es noch einmal.",
  "You are no longer a member of the organization that this form is about, so nothing was changed.":
    "Sie gehören der Organisation dieses Formulars nicht mehr an, deshalb wurde nichts geändert.",
  "You are not a member of this organization.": "Sie gehören dieser Organisation nicht an.",
  "There is no such asset in your sight. It may be in a workspace that you do not belong to, or have been permanently deleted.":
    "Diese Anlage gibt es nicht, soweit Sie sehen. Sie kann in einem Arbeitsbereich sein, dem Sie nicht angehören, oder endgültig gelöscht sein.",
  "Only admins of a workspace and admins of the organization decide who is in a workspace. Ask one of them.":
    "Wer zu einem Arbeitsbereich gehört, entscheiden nur dessen Admins und Admins der Organisation. Wenden Sie sich an sie.",
  "This person does not belong to that workspace.":
    "Diese Person gehört nicht zu dem Arbeitsbereich.",
  "an invitation is sent again at most {max} times a day":
    "Eine Einladung wird höchstens {max}-mal am Tag noch einmal gesendet",
  "an address gets at most {max} invitation mails a day":
    "Eine Adresse bekommt höchstens {max} Einladungen am Tag",
  "an organization sends at most {max} invitation mails a day":
    "Eine Organisation sendet höchstens {max} Einladungen am Tag",
  "Too many requests from your network.": "Zu viele Anfragen aus Ihrem Netz.",
  "Too many sign-ins have failed.": "Zu viele Anmeldungen sind misslungen.",
  "Too many passwords are being checked at this moment.":
    "Im Moment werden zu viele Passwörter geprüft.",
  "You signed in too often.": "Sie haben sich zu oft angemeldet.",
  "This was opened too often.": "Das wurde zu oft geöffnet.",
  "Your organization does too much at the same time.":
    "Ihre Organisation tut zu viel gleichzeitig.",
  "Others of your organization change several records at once, one after the other.":
    "Andere in Ihrer Organisation ändern mehreres auf einmal, eins nach dem anderen.",
  "You opened too many pages in a short time.":
    "Sie haben in kurzer Zeit zu viele Seiten geöffnet.",
  "You sent too much in a short time.": "Sie haben in kurzer Zeit zu viel gesendet.",
  "You changed more within a day than can be kept of one person.":
    "Sie haben innerhalb eines Tages mehr geändert, als von einer Person aufbewahrt werden kann.",
  "You send too much at the same time.": "Sie senden zu viel gleichzeitig.",
  "Answers to you wait to be read, and no more are kept: read them.":
    "Antworten an Sie warten darauf, gelesen zu werden, und mehr werden nicht aufbewahrt: Lesen Sie sie.",
  "{action} {field}": "{field} zu {action}",
  "{action} outside of workspaces": "{action}, außerhalb von Arbeitsbereichen",
  "Ask a workspace admin: {names}.": "Wenden Sie sich an einen Admin des Arbeitsbereichs: {names}.",
  "Ask an organization admin: {names}.":
    "Wenden Sie sich an einen Admin der Organisation: {names}.",
  "Ask an owner of the organization: {names}.":
    "Wenden Sie sich an einen Inhaber der Organisation: {names}.",
  "Ask an admin of the organization.": "Wenden Sie sich an einen Admin der Organisation.",
  "{field} {day} lies before today, {today}.": "{field}: {day} liegt vor heute, {today}.",
  "nobody decides until when they are in. Ask another admin to do it.":
    "Niemand entscheidet über das Ende des eigenen Zugangs. Bitten Sie einen anderen Admin darum.",
  "{name} is an owner, and owners are in until another owner removes them. Change the role first.":
    "{name} ist Inhaber, und Inhaber bleiben, bis ein anderer sie entfernt. Ändern Sie zuerst die Rolle.",
  "There is already an account with the email {email}.":
    "Mit der E-Mail {email} gibt es schon ein Konto.",
  "There is no such account.": "Dieses Konto gibt es nicht.",
  "The current password is not right.": "Das jetzige Passwort stimmt nicht.",
  "This code is not right, or is not valid any more. Wait for the next one, and check that the clock of your device is right.":
    "Dieser Code stimmt nicht oder gilt nicht mehr. Warten Sie auf den nächsten, und prüfen Sie, ob die Uhr Ihres Geräts richtig geht.",
  "The passkey was not accepted. It took too long, was used here already, or does not belong here. Try again.":
    "Der Passkey wurde nicht angenommen. Es dauerte zu lange, er wurde hier schon benutzt, oder er gehört nicht hierher. Versuchen Sie es noch einmal.",
  "You have {max} passkeys, which is as many as there can be. Remove one that you do not use.":
    "Sie haben {max} Passkeys, mehr gehen nicht. Entfernen Sie einen, den Sie nicht benutzen.",
  "There is no such passkey. It may be removed already.":
    "Diesen Passkey gibt es nicht. Er ist vielleicht schon entfernt.",
  "Recovery codes stand in for a second factor, and you have none. Set one up first.":
    "Wiederherstellungscodes vertreten einen zweiten Faktor, und Sie haben keinen. Richten Sie zuerst einen ein.",
  "{field} must be an address like https://login.example.com, without what follows a ? or #, and without /.well-known/….":
    "{field} muss eine Adresse wie https://login.example.com sein, ohne was auf ? oder # folgt und ohne /.well-known/….",
  "{field} is the address of this server, which is no identity provider.":
    "{field} ist die Adresse dieses Servers, und der ist kein Identitätsanbieter.",
  "{field} must be a domain like example.com.": "{field} muss eine Domain wie example.com sein.",
  "{field}: {domain} is in the list already.": "{field}: {domain} steht schon in der Liste.",
  "An organization has at most {max} workspaces. Delete one that is empty first.":
    "Eine Organisation hat höchstens {max} Arbeitsbereiche. Löschen Sie zuerst einen leeren.",
  "An organization has at most {max} domains. Remove one that you do not use.":
    "Eine Organisation hat höchstens {max} Domains. Entfernen Sie eine, die Sie nicht benutzen.",
  "{domain} was verified by another organization on this server, and belongs to one only.":
    "{domain} wurde auf diesem Server von einer anderen Organisation bestätigt und gehört nur einer.",
  "The text for {domain} was not found at {name}. A new record may take an hour until all name servers know it. Compare it letter by letter, then check again.":
    "Der Text für {domain} wurde unter {name} nicht gefunden. Bis alle Nameserver einen neuen Eintrag kennen, kann eine Stunde vergehen. Vergleichen Sie ihn Buchstabe für Buchstabe, und prüfen Sie dann noch einmal.",
  "The name servers of {domain} did not answer. Nothing was changed. Try again in a few minutes.":
    "Die Nameserver von {domain} haben nicht geantwortet. Nichts wurde geändert. Versuchen Sie es in ein paar Minuten noch einmal.",
  "There is no such domain. It may be removed already.":
    "Diese Domain gibt es nicht. Sie ist vielleicht schon entfernt.",
  "There is no such webhook. It may be deleted already.":
    "Diesen Webhook gibt es nicht. Er ist vielleicht schon gelöscht.",
  "{field} must be an https address like https://example.com/hooks/fettle, without user and password.":
    "{field} muss eine https-Adresse wie https://example.com/hooks/fettle sein, ohne Benutzer und Passwort.",
  "Choose at least one event.": "Wählen Sie mindestens ein Ereignis.",
  "An organization has at most {max} webhooks. Delete one that you do not use.":
    "Eine Organisation hat höchstens {max} Webhooks. Löschen Sie einen, den Sie nicht benutzen.",
  "Save the address of the identity provider first.":
    "Speichern Sie zuerst die Adresse des Identitätsanbieters.",
  "People sign in only this way at present. Switch that off first, so that nobody is shut out.":
    "Im Moment meldet man sich nur auf diesem Weg an. Schalten Sie das zuerst ab, damit niemand ausgesperrt wird.",
  "Sign in this way once yourself first, with your own account: then it is certain that it works.":
    "Melden Sie sich zuerst selbst einmal auf diesem Weg an, mit Ihrem eigenen Konto: Dann ist sicher, dass es geht.",
  "Verify a domain first: the rule is for its people.":
    "Bestätigen Sie zuerst eine Domain: Die Regel gilt für deren Leute.",
  "{field} must be an owner of the organization.":
    "{field} muss ein Inhaber der Organisation sein.",
  "Your organization wants you to sign in with its identity provider.":
    "Ihre Organisation möchte, dass Sie sich mit ihrem Identitätsanbieter anmelden.",
  "{organization} asks you for a second factor, and this is the last one that you have. Set up another one first.":
    "{organization} verlangt von Ihnen einen zweiten Faktor, und das ist Ihr letzter. Richten Sie zuerst einen anderen ein.",
  "your organization asks owners and admins for a second factor, and your account has none. Nothing was changed. Set one up under Settings > Sign-in and security, then try again.":
    "Ihre Organisation verlangt von Inhabern und Admins einen zweiten Faktor, und Ihr Konto hat keinen. Nichts wurde geändert. Richten Sie einen unter Einstellungen > Anmeldung und Sicherheit ein, und versuchen Sie es dann noch einmal.",
  "your organization lets apps delete permanently only for people with a second factor, and your account has none. Nothing was changed. Set one up under Settings > Sign-in and security, then try again.":
    "Ihre Organisation lässt Apps nur für Personen mit zweitem Faktor endgültig löschen, und Ihr Konto hat keinen. Nichts wurde geändert. Richten Sie einen unter Einstellungen > Anmeldung und Sicherheit ein, und versuchen Sie es dann noch einmal.",
  "your organization lets apps delete only what their person has confirmed. Nothing was changed. Show the person this link, and repeat the same call when they have confirmed it there, within five minutes: {url}":
    "Ihre Organisation lässt Apps nur löschen, was deren Person bestätigt hat. Nichts wurde geändert. Zeigen Sie der Person diesen Link, und wiederholen Sie denselben Aufruf, wenn sie es dort bestätigt hat, innerhalb von fünf Minuten: {url}",
  "requestState is not that of this call, was used already, or is older than five minutes. Nothing was changed. Send the call without it to ask the person again.":
    "requestState gehört nicht zu diesem Aufruf, wurde schon benutzt oder ist älter als fünf Minuten. Nichts wurde geändert. Senden Sie den Aufruf ohne ihn, um die Person noch einmal zu fragen.",
  "The person declined. Nothing was changed.": "Die Person hat abgelehnt. Nichts wurde geändert.",
  "The person did not answer. Nothing was changed. Ask again only if they want you to.":
    "Die Person hat nicht geantwortet. Nichts wurde geändert. Fragen Sie nur noch einmal, wenn sie es möchte.",
  "what was typed is not {answer}. Nothing was changed.":
    "Eingegeben wurde nicht {answer}. Nichts wurde geändert.",
  "There is no such question to you. It may have been answered, or is older than five minutes. Ask the app to try again.":
    "Diese Frage an Sie gibt es nicht. Sie ist vielleicht beantwortet oder älter als fünf Minuten. Bitten Sie die App, es noch einmal zu versuchen.",
  "Set up a second factor for your own account first, so that you do not lock yourself out.":
    "Richten Sie zuerst für Ihr eigenes Konto einen zweiten Faktor ein, damit Sie sich nicht aussperren.",
  "This is the password that you have already.": "Dieses Passwort haben Sie schon.",
  "This is not the password that was chosen for the account.":
    "Das ist nicht das Passwort, das für das Konto gewählt wurde.",
  "This link was used already, or has expired.":
    "Dieser Link wurde schon benutzt oder ist abgelaufen.",
  "This link for a new password was used already, has expired, or was replaced by a newer one.":
    "Dieser Link für ein neues Passwort wurde schon benutzt, ist abgelaufen oder durch einen neueren ersetzt.",
  "There is no calendar at this address. It may have been revoked, or the person may have left.":
    "Unter dieser Adresse gibt es keinen Kalender. Er wurde vielleicht widerrufen, oder die Person ist nicht mehr da.",
  "This set-up link is not valid. It works once, until the first account exists.":
    "Dieser Einrichtungslink gilt nicht. Er gilt einmal, bis es das erste Konto gibt.",
  "There is no such session. It may have ended already.":
    "Diese Sitzung gibt es nicht. Sie ist vielleicht schon beendet.",
  "There is no such connected app. It may be disconnected already.":
    "Diese verbundene App gibt es nicht. Sie ist vielleicht schon getrennt.",
  "{field} {problem}.": "{field} {problem}.",
  "change assets": "Anlagen zu ändern",
  "move assets": "Anlagen zu verschieben",
  "add assets": "Anlagen hinzuzufügen",
  "add tasks": "Aufgaben hinzuzufügen",
  "change tasks": "Aufgaben zu ändern",
  "move tasks": "Aufgaben zu verschieben",
  "remove people": "Personen zu entfernen",
  "invite people": "Personen einzuladen",
  import: "zu importieren",
  "do rounds": "Rundgänge zu machen",
  "create workspaces": "Arbeitsbereiche anzulegen",
  "delete workspaces": "Arbeitsbereiche zu löschen",
  "change the organization": "die Organisation zu ändern",
  "decide on memberships": "über Mitgliedschaften zu entscheiden",
  "decide how apps delete": "zu entscheiden, wie Apps löschen",
  "download everything": "alles herunterzuladen",
  "download the activity log": "das Aktivitätsprotokoll herunterzuladen",
  "decide who needs a second factor": "zu entscheiden, wer einen zweiten Faktor braucht",
  "invite admins of the organization": "Admins der Organisation einzuladen",
  "decide on webhooks": "über Webhooks zu entscheiden",
  "hide the first steps": "die ersten Schritte auszublenden",
  "see what happened to the organization": "zu sehen, was in der Organisation geschah",
  "see how its people sign in": "zu sehen, wie sich ihre Leute anmelden",
  "make a sample organization": "eine Beispielorganisation anzulegen",
  "add photos and files": "Fotos und Dateien hinzuzufügen",
  "delete photos and files": "Fotos und Dateien zu löschen",
  "permanently delete assets": "Anlagen endgültig zu löschen",
  "say that you have seen an asset": "anzugeben, dass Sie eine Anlage gesehen haben",
  "change the state of an asset": "den Status einer Anlage zu ändern",
  "merge assets": "Anlagen zusammenzuführen",
  "change workspaces": "Arbeitsbereiche zu ändern",
  "decide how its people sign in": "zu entscheiden, wie sich ihre Leute anmelden",
  "see invitations": "Einladungen zu sehen",
  "see the mails of the organization": "die E-Mails der Organisation zu sehen",
  "add people": "Personen hinzuzufügen",
  "change roles": "Rollen zu ändern",
  "see what others have connected": "zu sehen, was andere verbunden haben",
  "Yes or No": "Ja oder Nein",
  set: "setzen",
  change: "ändern",
  "Choose a file: a table as CSV or Excel (.xlsx), with headings above its rows.":
    "Wählen Sie eine Datei: eine Tabelle als CSV oder Excel (.xlsx), mit Überschriften über den Zeilen.",
  "The file is larger than {megabytes} MB. Split it, and import one part after the other.":
    "Die Datei ist größer als {megabytes} MB. Teilen Sie sie auf, und importieren Sie einen Teil nach dem anderen.",
  "The file is no table that can be read. Save it as CSV or Excel (.xlsx), with headings above its rows.":
    "Die Datei ist keine lesbare Tabelle. Speichern Sie sie als CSV oder Excel (.xlsx), mit Überschriften über den Zeilen.",
  "The file has headings, and no rows below them.":
    "Die Datei hat Überschriften, aber keine Zeilen darunter.",
  "The file cannot be read in line {line}: it is no text, or a quotation mark is not closed. Save it as CSV (UTF-8) or Excel (.xlsx).":
    "Die Datei ist in Zeile {line} nicht lesbar: Sie ist kein Text, oder ein Anführungszeichen ist nicht geschlossen. Speichern Sie sie als CSV (UTF-8) oder Excel (.xlsx).",
  "The workbook is far larger inside than its file. Save only the sheet with the rows, as CSV or Excel (.xlsx).":
    "Die Arbeitsmappe ist innen viel größer als ihre Datei. Speichern Sie nur das Blatt mit den Zeilen, als CSV oder Excel (.xlsx).",
  "The file has more than {max} rows. Split it, and import one part after the other.":
    "Die Datei hat mehr als {max} Zeilen. Teilen Sie sie auf, und importieren Sie einen Teil nach dem anderen.",
  "The file has more than {max} columns. Leave out those that are not needed.":
    "Die Datei hat mehr als {max} Spalten. Lassen Sie weg, was nicht gebraucht wird.",
  "No column was found for {heading}, without which nothing can be imported. Give a column this heading.":
    "Für {heading} gibt es keine Spalte, und ohne sie lässt sich nichts importieren. Geben Sie einer Spalte diese Überschrift.",
  "{field}: {text} is not understood. Write one of: {choices}.":
    "{field}: {text} wird nicht verstanden. Möglich sind: {choices}.",
  "{field}: {text} could be {first} or {second}. Choose how to read this column.":
    "{field}: {text} kann {first} oder {second} sein. Wählen Sie, wie diese Spalte gelesen wird.",
  "{field}: {text} can be several currencies. Write the code, such as USD.":
    "{field}: {text} kann für mehrere Währungen stehen. Schreiben Sie den Code, zum Beispiel USD.",
  "This row has amounts in {codes}. A row can have only one currency.":
    "Diese Zeile hat Beträge in {codes}. Eine Zeile kann nur eine Währung haben.",
  "The costs of this task are in {currency}. They can't be changed to {other}.":
    "Die Kosten dieser Aufgabe sind in {currency} und lassen sich nicht auf {other} umstellen.",
  "{field}: {text} is not understood. Write it as {example}.":
    "{field}: {text} ist nicht zu verstehen. Schreiben Sie es als {example}.",
  "line {line} of the file has the same number.": "Zeile {line} der Datei hat dieselbe Nummer.",
  "this looks like the sum of the rows above it.":
    "Das sieht aus wie die Summe der Zeilen darüber.",
  "This import has been applied already, or its plan is not finished.":
    "Dieser Import ist schon ausgeführt, oder sein Plan ist nicht fertig.",
  "There is no such import or undo that you can see. A plan that nobody applied is kept for a week.":
    "Diesen Import oder diese Rücknahme gibt es nicht, soweit Sie sehen. Ein Plan, den niemand ausführt, bleibt eine Woche.",
  "This app acts in {organization}. Change to that organization first.":
    "Diese App arbeitet in {organization}. Wechseln Sie zuerst zu dieser Organisation.",
  "This is not finished, so there is nothing to undo yet.":
    "Das ist nicht fertig, rückgängig zu machen gibt es also noch nichts.",
  "This was undone already.": "Das wurde schon rückgängig gemacht.",
  "Fettle couldn't undo this. The server's log has the details.":
    "Das konnte Fettle nicht rückgängig machen. Einzelheiten stehen im Protokoll des Servers.",
  "The undo stopped because of an error. Nothing is lost. Continue to try again.":
    "Ein Fehler hat das Rückgängigmachen angehalten. Verloren ist nichts. Setzen Sie es fort, um es erneut zu versuchen.",
  "Work that keeps it out of use has continued since.":
    "Eine Arbeit, die sie außer Betrieb hält, ging seither weiter.",
  "Costs that others entered are in this currency.":
    "Kosten, die andere eingetragen haben, sind in dieser Währung.",
  "The other costs are in another currency now.":
    "Die übrigen Kosten sind jetzt in einer anderen Währung.",
  "Photos and files that were added, removed or moved are not undone.":
    "Fotos und Dateien, die hinzugefügt, entfernt oder verschoben wurden, werden nicht rückgängig gemacht.",
  "the meter that it counts by isn't on this asset. Set the repetition again if you need it.":
    "Der Zähler, nach dem sie zählt, ist nicht an dieser Anlage. Legen Sie die Wiederholung bei Bedarf neu fest.",
  "{field} must not be negative.": "{field} darf nicht negativ sein.",
  "an asset has at most {max} meters.": "Eine Anlage hat höchstens {max} Zähler.",
  "the asset has a meter {name} already.": "Die Anlage hat schon einen Zähler {name}.",
  "the asset has no meter {name}. A new one is made for a reading in km, mi, h or cycles.":
    "Die Anlage hat keinen Zähler {name}. Ein neuer entsteht mit einem Stand in km, mi, h oder cycles.",
  "the asset has no meter {name}, but {names}. A new one is made for a reading in km, mi, h or cycles.":
    "Die Anlage hat keinen Zähler {name}, sondern {names}. Ein neuer entsteht mit einem Stand in km, mi, h oder cycles.",
  "more than one meter counts {unit}: name one of {names}.":
    "Mehrere Zähler zählen {unit}: Nennen Sie einen von {names}.",
  "the asset has no meter yet. Record a reading first.":
    "Die Anlage hat noch keinen Zähler. Erfassen Sie zuerst einen Stand.",
  "name the meter, one of {names}.": "Nennen Sie den Zähler, einen von {names}.",
  "work on a place without an asset has no meter.":
    "Arbeit an einem Ort ohne Anlage hat keinen Zähler.",
  "{field} must be more than 0.": "{field} muss mehr als 0 sein.",
  "{field} lies below what {name} shows, {present}. Give a later one.":
    "{field} liegt unter dem Stand von {name}, {present}. Nennen Sie einen späteren.",
  "the work repeats by the meter {name}, which the other asset does not have. Add it there, or change the repetition first.":
    "Die Arbeit wiederholt sich nach dem Zähler {name}, den die andere Anlage nicht hat. Fügen Sie ihn dort hinzu, oder ändern Sie zuerst die Wiederholung.",
  "open work is due by {name}: {tasks}. Finish it, or change how it repeats, first.":
    "Offene Arbeit wird nach {name} fällig: {tasks}. Erledigen Sie sie zuerst, oder ändern Sie die Wiederholung.",
  "meters and readings are not undone. Record the right reading instead.":
    "Zähler und Stände werden nicht rückgängig gemacht. Erfassen Sie stattdessen den richtigen Stand.",
  "there is no such meter. It may be removed already.":
    "Diesen Zähler gibt es nicht. Er ist vielleicht schon entfernt.",
  "{field} lies before the last reading: a meter is replaced now, or after that.":
    "{field} liegt vor dem letzten Stand: Ein Zähler wird jetzt ersetzt oder danach.",
  "A meter was added: {name}, in {unit}.": "Ein Zähler kam hinzu: {name}, in {unit}.",
  "{name} showed more before, {before}: the lower reading is taken as its correction. Check it. If the meter was replaced, record the reading on the page of the asset and say so.":
    "{name} zeigte vorher mehr, {before}: Der niedrigere Stand gilt als Korrektur. Prüfen Sie ihn. Wurde der Zähler ersetzt, erfassen Sie den Stand auf der Seite der Anlage und geben das dort an.",
  "{name} is {more} higher than before, much more than the usual {usual} a day. Check it.":
    "{name} ist {more} höher als vorher, viel mehr als die üblichen {usual} am Tag. Prüfen Sie es.",
  "{name} is {more} higher than before, more than 24 h a day. Check it.":
    "{name} ist {more} höher als vorher, mehr als 24 h am Tag. Prüfen Sie es.",
  "{name} was read later than this, so it still shows {present}.":
    "{name} wurde danach noch abgelesen und zeigt deshalb weiter {present}.",
  "The reading does not lie between those before and after it. Check it.":
    "Der Stand liegt nicht zwischen denen davor und danach. Prüfen Sie ihn.",
  "{task_number} is due now: {name} reached {reached}.":
    "{task_number} ist jetzt fällig: {name} hat {reached} erreicht.",
  "The serial number is also on {asset}, of the same manufacturer. Check that this is not the same thing twice.":
    "Die Seriennummer steht auch auf {asset}, vom selben Hersteller. Prüfen Sie, ob das nicht zweimal dasselbe ist.",
  "{asset} in the same workspace has the same name. Check that it isn't the same asset.":
    "{asset} im selben Arbeitsbereich heißt genauso. Prüfen Sie, ob es dieselbe Anlage ist.",
  "The task is cancelled and counts as not done, but its work record was saved.":
    "Die Aufgabe ist abgesagt und zählt als nicht erledigt; die Angaben zur Arbeit wurden trotzdem gespeichert.",
  "Category {name} is new; there is also {other}.":
    "Die Kategorie {name} ist neu; es gibt auch {other}.",
  "{total, plural, one {# part of this asset stays} other {# parts of this asset stay}} in use: {parts}.":
    "{total, plural, one {# Teil dieser Anlage bleibt} other {# Teile dieser Anlage bleiben}} in Benutzung: {parts}.",
  "the organization": "die Organisation",
  "{name} cannot see {place} and is no longer assigned.":
    "{name} sieht {place} nicht und ist nicht mehr zuständig.",
  "{name} cannot see {place} and is no longer assigned to {tasks, plural, one {# open task} other {# open tasks}} of the asset.":
    "{name} sieht {place} nicht und ist für {tasks, plural, one {# offene Aufgabe} other {# offene Aufgaben}} der Anlage nicht mehr zuständig.",
  "The repetition ended.": "Die Wiederholung ist zu Ende.",
  "The repetition ended: nothing is due after {day}.":
    "Die Wiederholung ist zu Ende: Nach {day} ist nichts fällig.",
  "{skipped, plural, one {# occurrence was} other {# occurrences were}} skipped because the day has passed; the next one is due on {due}.":
    "{skipped, plural, one {# Termin wurde} other {# Termine wurden}} übersprungen, weil der Tag vorbei ist; der nächste ist am {due} fällig.",
  "{number} is open with the same title. Check that this is not the same work twice.":
    "{number} ist mit demselben Titel offen. Prüfen Sie, ob das nicht zweimal dieselbe Arbeit ist.",
  "The task was completed already on {day}; only the record of it was changed.":
    "Die Aufgabe war schon am {day} erledigt; geändert wurde nur der Eintrag darüber.",
  "{open, plural, one {# of {total} steps is} other {# of {total} steps are}} not ticked.":
    "{open, plural, one {# von {total} Schritten ist} other {# von {total} Schritten sind}} nicht abgehakt.",
  "“{label}”": "„{label}“",
  "Leave it empty to get the next free one.":
    "Lassen Sie sie leer, um die nächste freie zu bekommen.",
  "Choose another one.": "Wählen Sie eine andere.",
  "There is nothing to change.": "Es gibt nichts zu ändern.",
  "{field} cannot have a value and be empty at the same time.":
    "{field} kann nicht zugleich einen Wert haben und leer sein.",
  "This form was sent before, and what it asked for was created then. To create another one, send it once more.":
    "Dieses Formular wurde schon gesendet, und damals wurde angelegt, was darin stand. Um noch etwas anzulegen, senden Sie es noch einmal.",
  "Nothing was changed, because {refused} of {of} cannot be.":
    "Nichts wurde geändert, weil {refused} von {of} nicht gehen.",
  "The page that the address names does not belong to this list. Start again from the first page.":
    "Die Seite in der Adresse gehört nicht zu dieser Liste. Beginnen Sie wieder auf der ersten Seite.",
  "{field}: leave it empty for none.": "{field}: Lassen Sie es leer, wenn es nichts gibt.",
  "No asset that you see has the number {reference}, which looks like the number of a task.":
    "Keine Anlage, die Sie sehen, hat die Nummer {reference}; sie sieht aus wie die Nummer einer Aufgabe.",
  "No asset that you see has this number.": "Keine Anlage, die Sie sehen, hat diese Nummer.",
  "There is no task {reference} that you see.":
    "Eine Aufgabe {reference} gibt es nicht, soweit Sie sehen.",
  "It looks like the number of an asset.": "Das sieht aus wie die Nummer einer Anlage.",
  "It may also be in a workspace that you do not belong to, or have been permanently deleted.":
    "Sie kann auch in einem Arbeitsbereich sein, dem Sie nicht angehören, oder endgültig gelöscht sein.",
  "This workspace is not there any more. Choose another one.":
    "Diesen Arbeitsbereich gibt es nicht mehr. Wählen Sie einen anderen.",
  "This person cannot be chosen any more. Choose another one.":
    "Diese Person steht nicht mehr zur Wahl. Wählen Sie eine andere.",
  "{name} is invited and hasn't accepted yet.":
    "{name} ist eingeladen und hat noch nicht angenommen.",
  "Nobody is called {reference}.": "Niemand heißt {reference}.",
  "Near: {near}.": "Ähnlich: {near}.",

  "{name} can't see the workspace {workspace}. Choose someone else, or have an admin add them under Settings > Members.":
    "{name} sieht den Arbeitsbereich {workspace} nicht. Wählen Sie jemand anderen, oder lassen Sie die Person von einem Admin unter Einstellungen > Mitglieder hinzufügen.",
  "{field} {value} is not one that histories tell about.":
    "{field}: Von {value} erzählt kein Verlauf.",
  "This asset is retired. Restore it before you change it.":
    "Diese Anlage ist ausgemustert. Stellen Sie sie wieder her, bevor Sie sie ändern.",
  "This asset is retired and gets no new tasks. Restore it first, or choose another one.":
    "Diese Anlage ist ausgemustert und bekommt keine neuen Aufgaben. Stellen Sie sie zuerst wieder her, oder wählen Sie eine andere.",
  "The asset of this task is retired. Restore the asset before you change its tasks.":
    "Die Anlage dieser Aufgabe ist ausgemustert. Stellen Sie die Anlage wieder her, bevor Sie ihre Aufgaben ändern.",
  "{names} is retired, and retired assets get no labels. Restore them first.":
    "{names} ist ausgemustert, und ausgemusterte Anlagen bekommen keine Etiketten. Stellen Sie sie zuerst wieder her.",
  "{names} are retired, and retired assets get no labels. Restore them first.":
    "{names} sind ausgemustert, und ausgemusterte Anlagen bekommen keine Etiketten. Stellen Sie sie zuerst wieder her.",
  "{field} is only for an asset that is retired.":
    "{field} gibt es nur bei einer ausgemusterten Anlage.",
  "{field} lies before the last change of state, {at}.":
    "{field} liegt vor der letzten Änderung des Status, {at}.",
  "This is not the inventory number of the asset, so nothing was deleted. Type it exactly as it stands above.":
    "Das ist nicht die Inventarnummer der Anlage, deshalb wurde nichts gelöscht. Geben Sie sie genau so ein, wie sie oben steht.",
  "{number} cannot be an inventory number.": "{number} kann keine Inventarnummer sein.",
  "The next inventory numbers are all taken. Try again, or let an admin enter a number.":
    "Die nächsten Inventarnummern sind alle vergeben. Versuchen Sie es noch einmal, oder lassen Sie einen Admin eine Nummer eingeben.",
  "Workspace name has already been taken (by a workspace you cannot see). Choose another name.":
    "Der Name ist schon vergeben (an einen Arbeitsbereich, den Sie nicht sehen). Wählen Sie einen anderen.",
  "Workspace name has already been taken (by {name}). Choose another name, or use that workspace.":
    "Der Name ist schon vergeben (an {name}). Wählen Sie einen anderen, oder nehmen Sie diesen Arbeitsbereich.",
  "This workspace is not empty.": "Dieser Arbeitsbereich ist nicht leer.",
  "Choose an asset or a workspace.": "Wählen Sie eine Anlage oder einen Arbeitsbereich.",
  "{field} cannot be emptied while the task repeats. To end that, tick “Stop repeating”.":
    "{field} kann nicht geleert werden, solange sich die Aufgabe wiederholt. Um das zu beenden, kreuzen Sie „Wiederholung beenden“ an.",
  "A task is overdue when its due date has passed. Choose another state.":
    "Eine Aufgabe ist überfällig, wenn ihr Fälligkeitsdatum vorbei ist. Wählen Sie einen anderen Status.",
  "The task is {present} and can only become {next}, which reopens it; it cannot become {asked}.":
    "Die Aufgabe ist {present} und kann nur {next} werden, was sie wieder öffnet; sie kann nicht {asked} werden.",
  "{field} is only for a task that is completed.":
    "{field} gibt es nur bei einer erledigten Aufgabe.",
  "Only work that has not begun goes to another asset, and this is {state}. Add a task to the other asset instead.":
    "Nur Arbeit, die nicht begonnen hat, kann an eine andere Anlage gehen, und diese ist {state}. Fügen Sie stattdessen bei der anderen Anlage eine Aufgabe hinzu.",
  "You can't change the due date of a task that is {state}. Reopen the task first.":
    "Die Aufgabe ist {state}, ihr Fälligkeitstag bleibt. Öffnen Sie die Aufgabe zuerst wieder.",
  "The task is {state}. Change the repetition on its open occurrence.":
    "Die Aufgabe ist {state}. Ändern Sie die Wiederholung am offenen Termin.",
  "This task is always where its asset is. Move the asset instead.":
    "Diese Aufgabe ist immer dort, wo ihre Anlage ist. Verschieben Sie stattdessen die Anlage.",
  "{field} is only for sheets of labels.": "{field} gibt es nur bei Etikettenbögen.",
  "{field} must be less than {most}.": "{field} muss weniger als {most} sein.",
  "Choose a workspace, or the whole organization.":
    "Wählen Sie einen Arbeitsbereich oder die ganze Organisation.",
  "{name} is an owner of the organization and has access to every workspace without belonging to {workspace}.":
    "{name} ist Inhaber der Organisation und hat Zugang zu jedem Arbeitsbereich, ohne zu {workspace} zu gehören.",
  "{name} is an admin of the organization and has access to every workspace without belonging to {workspace}.":
    "{name} ist Admin der Organisation und hat Zugang zu jedem Arbeitsbereich, ohne zu {workspace} zu gehören.",
  "{email} is already a member of the organization. To add them to a workspace, choose it here, and the role of a member in the organization.":
    "{email} gehört der Organisation schon an. Um die Person einem Arbeitsbereich hinzuzufügen, wählen Sie ihn hier und dazu die Rolle Mitglied in der Organisation.",
  "Too many requests: {limit}": "Zu viele Anfragen: {limit}",
  "This person has an open invitation to the same place already.":
    "Diese Person hat schon eine offene Einladung an denselben Ort.",
  "The invitation of {email} was accepted already. To end the person's access, remove them under Members.":
    "Die Einladung von {email} wurde schon angenommen. Um den Zugang der Person zu beenden, entfernen Sie sie unter Mitglieder.",
  "The invitation of {email} was accepted. Invite them again with a new one.":
    "Die Einladung von {email} wurde angenommen. Laden Sie die Person mit einer neuen ein.",
  "The invitation of {email} was withdrawn. Invite them again with a new one.":
    "Die Einladung von {email} wurde zurückgezogen. Laden Sie die Person mit einer neuen ein.",
  "A newer invitation of {email} took the place of this one. Send that one again instead.":
    "An die Stelle dieser Einladung von {email} trat eine neuere. Senden Sie stattdessen diese noch einmal.",
  "Choose the workspace that the role is for.":
    "Wählen Sie den Arbeitsbereich, für den die Rolle gilt.",
  "Nothing changed: the asset is already {state}.":
    "Nichts geändert: Die Anlage ist schon {state}.",
  "The note was not kept; enter it when you edit the asset.":
    "Die Notiz wurde nicht aufbewahrt; geben Sie sie beim Bearbeiten der Anlage ein.",
  "The reason was not changed; restore the asset and retire it again with the right one.":
    "Der Grund wurde nicht geändert; stellen Sie die Anlage wieder her und mustern Sie sie mit dem richtigen Grund noch einmal aus.",
  "Later occurrences moved too. Next due: {days}.":
    "Die folgenden Termine wurden mit verschoben. Nächste Termine: {days}.",
  "{day} is not on the weekday of the repetition. Use {before} or {after}.":
    "Der {day} liegt nicht auf dem Wochentag der Wiederholung. Möglich sind {before} oder {after}.",
  "The task is already overdue: it was due on {due}.":
    "Die Aufgabe ist schon überfällig: Sie war am {due} fällig.",
  "The asset is still out of service. If it can be used again, change its state.":
    "Die Anlage ist noch außer Betrieb. Wenn sie wieder nutzbar ist, ändern Sie ihren Status.",
  "The work runs already, so the asset stays as it is: {field} counts from the next start.":
    "Die Arbeit läuft schon, deshalb bleibt die Anlage, wie sie ist: {field} zählt ab dem nächsten Beginn.",
  "Nothing changed: the task is already {state}.":
    "Nichts geändert: Die Aufgabe ist schon {state}.",
  "Nothing changed: the asset has these values already.":
    "Nichts geändert: Die Anlage hat diese Werte schon.",
  "Nothing changed: the task has these values already.":
    "Nichts geändert: Die Aufgabe hat diese Werte schon.",
  "The note was kept.": "Die Notiz wurde aufbewahrt.",
  scheduled: "geplant",
  "in progress": "in Arbeit",
  "on hold": "zurückgestellt",
  completed: "erledigt",
  cancelled: "abgesagt",
  available: "verfügbar",
  "in use": "in Benutzung",
  "in maintenance": "in Wartung",
  "out of service": "außer Betrieb",
  stored: "eingelagert",
  retired: "ausgemustert",
  "{field}: {reference} is not an asset.": "{field}: {reference} ist keine Anlage.",
  "{field}: {reference} is not a task.": "{field}: {reference} ist keine Aufgabe.",
  "{field}: {reference} is not a workspace.": "{field}: {reference} ist kein Arbeitsbereich.",
  "{field}: {reference} is not a person.": "{field}: {reference} ist keine Person.",
  "{field}: {reference} is not an invitation.": "{field}: {reference} ist keine Einladung.",
  "The nearest: {nearest}.": "Am nächsten: {nearest}.",
  Somebody: "Jemand",
  "this||what somebody changed": "dies",
  "{who} changed {what}, after you opened this form.":
    "{who} hat {what} geändert, nachdem Sie dieses Formular geöffnet hatten.",
  "{who} changed {what} {ago} ago, after you opened this form.":
    "{who} hat {what} vor {ago} geändert, nachdem Sie dieses Formular geöffnet hatten.",
  "Nothing of yours is saved yet. Look at what is there now, then save again if your values should take its place.":
    "Von Ihnen ist noch nichts gespeichert. Sehen Sie nach, was jetzt da ist, und speichern Sie noch einmal, wenn Ihre Werte an dessen Stelle treten sollen.",
  "Inventory number has already been taken (by {name}).":
    "Die Inventarnummer ist schon vergeben (an {name}).",
  "Inventory number has already been taken (by {name}, which is retired). You can restore that asset.":
    "Die Inventarnummer ist schon vergeben (an {name}, ausgemustert). Sie können diese Anlage wiederherstellen.",
  "Inventory number has already been taken (by an asset you cannot see).":
    "Die Inventarnummer ist schon vergeben (an eine Anlage, die Sie nicht sehen).",
  "Inventory number has already been taken. An asset had it before its number was changed, and it is never reused.":
    "Die Inventarnummer ist schon vergeben. Eine Anlage hatte sie, bevor ihre Nummer geändert wurde, und sie wird nie wieder vergeben.",
  "Inventory number has already been taken. It belonged to a permanently deleted asset and is never reused.":
    "Die Inventarnummer ist schon vergeben. Sie gehörte einer endgültig gelöschten Anlage und wird nie wieder vergeben.",
  address: "Die Adresse",
  "checklist: each step": "Checkliste: Jeder Schritt",
  "organization name": "Der Name der Organisation",
} as const;
