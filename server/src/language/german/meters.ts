/** Meters, rounds and the page to scan on. */
export const meters = {
  "Problem reported: {description}": "Gemeldetes Problem: {description}",
  "Reported as well: {description}": "Ebenfalls gemeldet: {description}",
  "{meter} reached {usage}.": "{meter} hat {usage} erreicht.",
  "{usage} (replaced)": "{usage} (getauscht)",
  // Meters
  "Enter a name, such as Odometer.": "Geben Sie einen Namen ein, etwa Kilometerzähler.",
  "Enter what it counts, such as km, h or cycles.":
    "Geben Sie ein, was er zählt, etwa km, h oder Zyklen.",
  "{name} is added. Record what it shows.":
    "{name} ist hinzugefügt. Erfassen Sie, was der Zähler zeigt.",
  "Add a meter": "Zähler hinzufügen",
  "Restore it to add a meter.": "Stellen Sie sie wieder her, um einen Zähler hinzuzufügen.",
  "Add meter": "Zähler hinzufügen",

  "Rename {name}": "{name} umbenennen",
  "Readings stay as they are; they are not converted.":
    "Zählerstände bleiben, wie sie sind; sie werden nicht umgerechnet.",
  "Save changes": "Änderungen speichern",
  "{name} is removed.": "{name} ist entfernt.",
  "Remove a meter": "Zähler entfernen",
  "This removes {name} with all its readings.": "Das entfernt {name} mit allen Zählerständen.",
  "Was the meter on the asset replaced? Record its first reading and tick that instead.":
    "Wurde der Zähler an der Anlage getauscht? Erfassen Sie stattdessen den ersten Stand des neuen und kreuzen Sie das an.",
  "Remove meter": "Zähler entfernen",
  "Such as Odometer or Spindle hours.": "Etwa Kilometerzähler oder Spindelstunden.",
  "Such as km, h or cycles.": "Etwa km, h oder Zyklen.",
  cycles: "Zyklen",
  "Recorded for {name}.": "Erfasst für {name}.",
  "{meter} of {asset}": "{meter} – {asset}",

  "Record a reading": "Zählerstand erfassen",
  "Record reading": "Zählerstand erfassen",
  "Record readings": "Zählerstände erfassen",
  Readings: "Zählerstände",
  "Not read yet": "Noch nicht abgelesen",
  "Not read yet.": "Noch nicht abgelesen.",
  "What it shows is recorded here, on the page of the asset, or after its label is scanned.":
    "Was der Zähler zeigt, wird hier erfasst, auf der Seite der Anlage oder nach dem Scannen ihres Etiketts.",
  Rename: "Umbenennen",

  Shows: "Stand",
  "In all, with replaced meters": "Insgesamt, mit ersetzten Zählern",
  "In the last 30 days": "In den letzten 30 Tagen",
  "Reading ({unit})": "Zählerstand ({unit})",
  "Change||of a reading": "Änderung",
  "new meter": "neuer Zähler",
  "The last {count} readings. Those before are in the history of the asset.":
    "Die letzten {count} Zählerstände. Frühere stehen im Verlauf der Anlage.",
  "read {when}": "abgelesen: {when}",
  "{usage} in the last 30 days": "{usage} in den letzten 30 Tagen",
  "What does it show?": "Was zeigt der Zähler?",
  "It is a new meter": "Es ist ein neuer Zähler",
  "Enter what the meter shows.": "Geben Sie ein, was der Zähler zeigt.",

  "Read earlier": "Früher abgelesen",
  "Read earlier, or a new meter": "Früher abgelesen, oder neuer Zähler",
  "When it was read": "Wann abgelesen wurde",
  "Left empty, it is now. Time in {zone}.": "Leer bedeutet: jetzt. Zeit in {zone}.",
  "{name}: the meter was replaced, this is the new one":
    "{name}: Der Zähler wurde ersetzt, dies ist der neue",
  "Last {usage}, {when}.": "Zuletzt {usage}, {when}.",
  "No meters yet": "Noch keine Zähler",
  "Only to look at": "Nur zum Ansehen",
  "Members of its workspace record readings of an asset that is in use.":
    "Mitglieder ihres Arbeitsbereichs erfassen Zählerstände einer Anlage, die nicht ausgemustert ist.",
  "{due}, now {present}": "{due}, jetzt {present}",

  // Rounds
  "“{code}” is unknown: no label, number or serial that you see.":
    "„{code}“ ist unbekannt: kein Etikett, keine Nummer und keine Seriennummer, die Sie sehen.",
  "{name} was noted before.": "{name} war schon erfasst.",
  "{name} is here.": "{name} ist hier.",
  "{name} is here, and retired.": "{name} ist hier, aber ausgemustert.",
  "{name} is here, and belongs elsewhere: {place}.":
    "{name} ist hier, gehört aber woanders hin: {place}.",
  "not placed": "ohne Arbeitsbereich",
  "<b>{seen} of {all}</b> seen": "<b>{seen} von {all}</b> gesehen",
  "<b>{count}</b> seen": "<b>{count}</b> gesehen",
  "<b>{count}</b> not seen": "<b>{count}</b> nicht gesehen",
  "{count, plural, one {<b>#</b> belongs elsewhere} other {<b>#</b> belong elsewhere}}":
    "{count, plural, one {<b>#</b> gehört woanders hin} other {<b>#</b> gehören woanders hin}}",
  "<b>{count}</b> retired": "<b>{count}</b> ausgemustert",
  "{count, plural, one {<b>#</b> unknown code} other {<b>#</b> unknown codes}}":
    "{count, plural, one {<b>#</b> unbekannter Code} other {<b>#</b> unbekannte Codes}}",
  "Everything that belongs here was seen.": "Alles, was hierher gehört, wurde gesehen.",
  "Not seen yet": "Noch nicht gesehen",
  "Not seen": "Nicht gesehen",
  "Never seen": "Nie gesehen",
  "Last seen {when}": "Zuletzt gesehen: {when}",
  "Here, and belongs elsewhere": "Hier, gehört aber woanders hin",
  "Here, and retired": "Hier, aber ausgemustert",
  "Belongs here now": "Gehört jetzt hierher",
  "Move what is ticked to {workspace}": "Angekreuztes verschieben nach {workspace}",
  "Unknown codes": "Unbekannte Codes",
  Seen: "Gesehen",
  "{count, plural, one {# more is not shown.} other {# more are not shown.}}":
    "{count, plural, one {# weitere Zeile wird nicht gezeigt.} other {# weitere Zeilen werden nicht gezeigt.}}",
  "Move {name}": "{name} verschieben",
  "Choose a workspace": "Arbeitsbereich wählen",
  "Choose a workspace.": "Wählen Sie einen Arbeitsbereich.",
  "Start a round": "Rundgang beginnen",
  "Start the round": "Rundgang beginnen",
  Rounds: "Rundgänge",
  "There is no workspace yet": "Es gibt noch keinen Arbeitsbereich",
  "A round goes through a workspace.": "Ein Rundgang führt durch einen Arbeitsbereich.",
  "<a>Add a workspace</a> first.": "Fügen Sie zuerst <a>einen Arbeitsbereich hinzu</a>.",
  "{code} says nothing of a place: it is of no asset that you see, or that asset is in no workspace. Scan something else, or choose below.":
    "{code} sagt nichts über einen Ort: Der Code gehört zu keiner Anlage, die Sie sehen, oder sie ist in keinem Arbeitsbereich. Scannen Sie etwas anderes, oder wählen Sie unten.",
  "Only what is at this location, as it stands with the assets. Leave it empty for all of the workspace.":
    "Nur was an diesem Standort ist, so wie er bei den Anlagen steht. Leer bedeutet: der ganze Arbeitsbereich.",
  "Or scan something that is there": "Oder scannen Sie etwas, das dort ist",
  "Choose its place": "Dessen Ort wählen",
  "Scan or type a code.": "Scannen Sie einen Code, oder tippen Sie ihn ein.",
  "The round has ended.": "Der Rundgang ist beendet.",
  "Tick what belongs here first.": "Kreuzen Sie zuerst an, was hierher gehört.",
  "{count, plural, one {# asset belongs here now.} other {# assets belong here now.}}":
    "{count, plural, one {# Anlage gehört jetzt hierher.} other {# Anlagen gehören jetzt hierher.}}",
  "No round was done yet": "Noch kein Rundgang",
  "Go through a workspace and scan what is there. At the end you know what was not seen, what belongs elsewhere, and which codes nobody knows.":
    "Gehen Sie durch einen Arbeitsbereich und scannen Sie, was dort ist. Am Ende wissen Sie, was nicht gesehen wurde, was woanders hingehört und welche Codes niemand kennt.",
  "Members of a workspace can start one.":
    "Mitglieder eines Arbeitsbereichs können einen Rundgang beginnen.",
  "In progress||a round": "Läuft",
  Ended: "Beendet",
  "Round: {place}": "Rundgang: {place}",
  "End the round": "Rundgang beenden",

  "Note it": "Erfassen",
  "Started {when} by {name}": "Begonnen: {when}, {name}",
  "Ended {when} by {name}": "Beendet: {when}, {name}",
  "Scans that wait on this device": "Scans, die auf diesem Gerät warten",
  "1 scan waits on this device.": "1 Scan wartet auf diesem Gerät.",
  "{n} scans wait on this device.": "{n} Scans warten auf diesem Gerät.",
  "Sending.": "Wird gesendet.",
  "There is no network. What waits is kept, and sent as soon as there is one.":
    "Kein Netz. Was wartet, bleibt erhalten und wird gesendet, sobald es eines gibt.",
  "The server does not answer. What waits is kept, and sent again in a moment.":
    "Der Server antwortet nicht. Was wartet, bleibt erhalten und wird gleich noch einmal gesendet.",
  "You are signed out. What waits is kept, and sent when {name} signs in again and opens this page.":
    "Sie sind abgemeldet. Was wartet, bleibt erhalten und wird gesendet, wenn {name} sich wieder anmeldet und diese Seite öffnet.",
  "Somebody else is signed in in this browser. What waits is kept, and sent when {name} signs in again and opens this page.":
    "In diesem Browser ist jemand anders angemeldet. Was wartet, bleibt erhalten und wird gesendet, wenn {name} sich wieder anmeldet und diese Seite öffnet.",
  "Not stored:": "Nicht gespeichert:",
  "Noted: {code}.": "Erfasst: {code}.",
  "Noted on this device": "Auf diesem Gerät erfasst",

  "Remove what cannot be stored from this device":
    "Von diesem Gerät entfernen, was nicht gespeichert werden kann",

  // Scanning
  "Create an asset with this number": "Anlage mit dieser Nummer anlegen",
  "Create an asset with this serial number": "Anlage mit dieser Seriennummer anlegen",

  "Nothing was found": "Nichts gefunden",
  "No asset that you see has {code} as its label, inventory number or serial number. It may be in a workspace that you are not in, or the code was not read as a whole.":
    "Keine Anlage, die Sie sehen, hat {code} als Etikett, Inventarnummer oder Seriennummer. Vielleicht ist sie in einem Arbeitsbereich, dem Sie nicht angehören, oder der Code wurde nicht ganz gelesen.",
  "Search the assets for it": "In den Anlagen danach suchen",
  "{count} assets have {code}": "{count} Anlagen haben {code}",
  "Not placed": "Ohne Arbeitsbereich",
  "Number, label code or serial": "Nummer, Etikettencode oder Seriennummer",
  "Opening the camera.": "Die Kamera wird geöffnet.",
  "Hold a code before the camera.": "Halten Sie einen Code vor die Kamera.",
  "The camera is not allowed here. Allow it in the settings of your browser for this site, or type what the label says.":
    "Die Kamera ist hier nicht erlaubt. Erlauben Sie sie in den Einstellungen Ihres Browsers für diese Website, oder tippen Sie ein, was auf dem Etikett steht.",
  "The camera cannot be used. Another app may have it, or there is none. Type what the label says instead.":
    "Die Kamera lässt sich nicht verwenden. Vielleicht benutzt sie eine andere App, oder es gibt keine. Tippen Sie stattdessen ein, was auf dem Etikett steht.",
  "Browsers open the camera on https addresses only. Type what the label says instead.":
    "Browser öffnen die Kamera nur bei Adressen mit https. Tippen Sie stattdessen ein, was auf dem Etikett steht.",
  "Scan with the camera": "Mit der Kamera scannen",
  "What the camera sees": "Was die Kamera sieht",
  "Stop the camera": "Kamera ausschalten",
  "Light||of a camera": "Licht",
} as const;
