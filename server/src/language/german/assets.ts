/* German of assets. */
export const assets = {
  // Photos and files
  "{name} is deleted.": "{name} ist gelöscht.",
  "Delete {name}": "{name} löschen",
  "Delete a file": "Datei löschen",
  Back: "Zurück",
  Delete: "Löschen",
  Add: "Hinzufügen",

  "This deletes {name} for everybody. Nobody can bring it back. The history keeps its name.":
    "Das löscht {name} für alle. Niemand kann die Datei zurückholen. Im Verlauf bleibt ihr Name.",
  "Added {count, plural, one {# file} other {# files}} to {name}.":
    "{count, plural, one {# Datei} other {# Dateien}} zu {name} hinzugefügt.",
  "Photos and files of {name}": "Fotos und Dateien von {name}",
  "Nothing here yet": "Noch nichts vorhanden",
  "Photos of the type plate, manuals and certificates are kept here.":
    "Hier liegen Fotos des Typenschilds, Anleitungen und Zertifikate.",
  "On a phone this opens the camera.": "Auf dem Telefon öffnet das die Kamera.",
  "A picture, PDF, text, table or office document of at most {maxMegabytes} MB.":
    "Ein Bild, PDF, Text, eine Tabelle oder ein Office-Dokument mit höchstens {maxMegabytes} MB.",

  // Labels
  "Avery L7160, A4, 63.5 × 38.1 mm": "Avery L7160, A4, 63,5 × 38,1 mm",
  "Avery L7162, A4, 99.1 × 33.9 mm": "Avery L7162, A4, 99,1 × 33,9 mm",
  "Avery L7163, A4, 99.1 × 38.1 mm": "Avery L7163, A4, 99,1 × 38,1 mm",
  "Avery L4731, A4, 25.4 × 10 mm": "Avery L4731, A4, 25,4 × 10 mm",
  "Avery 5160, Letter, 1 × 2⅝ inch": "Avery 5160, Letter, 1 × 2⅝ Zoll",
  "Avery 5163, Letter, 2 × 4 inch": "Avery 5163, Letter, 2 × 4 Zoll",
  "Avery 22806, Letter, 2 × 2 inch": "Avery 22806, Letter, 2 × 2 Zoll",
  "Dymo 30252, 89 × 28 mm": "Dymo 30252, 89 × 28 mm",
  "Brother tape, 24 mm": "Brother-Band, 24 mm",
  "Brother roll, 62 × 29 mm": "Brother-Rolle, 62 × 29 mm",
  "Single labels, 50 × 25 mm": "Einzelne Etiketten, 50 × 25 mm",

  Sheet: "Bogen",
  "Choose a sheet.": "Wählen Sie einen Bogen.",
  "Labels already used on the first page": "Schon benutzte Etiketten auf der ersten Seite",
  "Print labels": "Etiketten drucken",
  "No asset is chosen": "Keine Anlage gewählt",
  "<a>Choose assets in the list</a>, or narrow it down to those that need a label.":
    "<a>Wählen Sie Anlagen in der Liste</a>, oder grenzen Sie sie auf jene ein, die ein Etikett brauchen.",
  "Only the first {max} are printed. Narrow the list down for the others.":
    "Nur die ersten {max} werden gedruckt. Grenzen Sie für die übrigen die Liste ein.",
  "{count, plural, one {# label} other {# labels}}, in the order of the list.":
    "{count, plural, one {# Etikett} other {# Etiketten}}, in der Reihenfolge der Liste.",
  "So that a page that was begun is used up.": "Damit eine angefangene Seite aufgebraucht wird.",
  "Text beside the code": "Text neben dem Code",
  "Make the sheet": "Bogen erstellen",
  "{name}, {onPage} on a page": "{name}, {onPage} je Seite",
  "Label sheets": "Etikettenbögen",
  "Print them one after the other at 100 %. The links work for an hour.":
    "Drucken Sie sie nacheinander mit 100 %. Die Links gelten eine Stunde.",
  "Labels {from} to {to}": "Etiketten {from} bis {to}",
  "Label||printed": "Etikett",
  "QR code of {number}": "QR-Code von {number}",
  "This code leads to the computer of the server itself, not to it from a phone. Before labels are printed, whoever runs Fettle has to set its address (BASE_URL).":
    "Dieser Code führt auf den Rechner des Servers selbst, vom Telefon aus also nicht zu ihm. Bevor Etiketten gedruckt werden, muss, wer Fettle betreibt, dessen Adresse einstellen (BASE_URL).",
  "Print this label": "Dieses Etikett drucken",
  "Download as PNG": "Als PNG herunterladen",
  "Download as SVG": "Als SVG herunterladen",

  // Not found
  "Asset not found": "Anlage nicht gefunden",
  "There is no asset here that you can see. It may be in a workspace that you are not in, have been permanently deleted, or the address may be mistyped.":
    "Hier ist keine Anlage, die Sie sehen können. Vielleicht liegt sie in einem Arbeitsbereich, dem Sie nicht angehören, wurde endgültig gelöscht, oder die Adresse ist falsch geschrieben.",
  "Search for it": "Danach suchen",
  "See all assets": "Alle Anlagen ansehen",
  "Nothing to see behind this label": "Hinter diesem Etikett ist nichts zu sehen",
  "The label {code} leads to no asset that you can see. That is so when the asset is in a workspace or an organization that you are not in, when it was permanently deleted, or when the code was not read as a whole.":
    "Das Etikett {code} führt zu keiner Anlage, die Sie sehen können. Das ist so, wenn die Anlage in einem Arbeitsbereich oder einer Organisation liegt, der Sie nicht angehören, wenn sie endgültig gelöscht wurde oder wenn der Code nicht vollständig gelesen wurde.",
  "If it should be yours to look after, ask an admin of your organization to add you to its workspace.":
    "Wenn Sie dafür zuständig sein sollten, bitten Sie einen Admin Ihrer Organisation, Sie in den Arbeitsbereich aufzunehmen.",
  "Look for the asset by name": "Anlage nach Namen suchen",

  // Changing the state, retiring
  "Ready to be used, and nobody uses it now.": "Einsatzbereit und gerade nicht in Benutzung.",
  "Running, or with a person who works with it.":
    "In Betrieb oder bei einer Person, die damit arbeitet.",
  "Work is being done on it. It counts as down.": "Daran wird gearbeitet. Zählt als Ausfallzeit.",
  "Broken or blocked, and no work has begun. It counts as down.":
    "Defekt oder gesperrt, und noch keine Arbeit begonnen. Zählt als Ausfallzeit.",
  "Put away, not ready for use. It is left out of reliability figures.":
    "Weggeräumt, nicht einsatzbereit. Zählt nicht für Kennzahlen der Zuverlässigkeit.",
  "Choose the state that the asset is in now.": "Wählen Sie den Status, den die Anlage jetzt hat.",
  "{name} is now: available.": "{name} ist jetzt verfügbar.",
  "{name} is now: in use.": "{name} ist jetzt in Benutzung.",
  "{name} is now: in maintenance.": "{name} ist jetzt in Wartung.",
  "{name} is now: out of service.": "{name} ist jetzt außer Betrieb.",
  "{name} is now: stored.": "{name} ist jetzt eingelagert.",
  "Change state": "Status ändern",
  "Restore it to use it again.": "Stellen Sie sie wieder her, um sie wieder zu nutzen.",
  "New state": "Neuer Status",
  "Is it gone for good? <a>Retire it</a> instead.":
    "Ist sie endgültig weg? Dann lieber <a>ausmustern</a>.",
  "Why, for the history.": "Warum, für den Verlauf.",
  "Left empty, it is now. Time in {zone}, at most 90 days back.":
    "Leer heißt jetzt. Zeit in {zone}, höchstens 90 Tage zurück.",
  "{name} is retired already.": "{name} ist schon ausgemustert.",
  "{name} is retired.": "{name} ist ausgemustert.",
  "{tasks, plural, one {# open task is} other {# open tasks are}} hidden until it is restored.":
    "{tasks, plural, one {# offene Aufgabe ist} other {# offene Aufgaben sind}} ausgeblendet, bis die Anlage wiederhergestellt wird.",
  "Retire asset": "Anlage ausmustern",
  "Retiring is for what is sold, scrapped, lost or no longer needed. When you retire it:":
    "Ausgemustert wird, was verkauft, verschrottet, verloren oder nicht mehr nötig ist. Wenn Sie die Anlage ausmustern:",
  "It leaves lists and counts. Its history and its inventory number are kept.":
    "Sie verschwindet aus Listen und Zahlen. Verlauf und Inventarnummer bleiben erhalten.",
  "You can restore it at any time, from its page or from the list of retired assets.":
    "Sie können sie jederzeit wiederherstellen, auf ihrer Seite oder in der Liste der ausgemusterten Anlagen.",
  "Not given": "Keine Angabe",
  "For an asset that is here twice: the inventory number of the one that stays. It gets the open tasks.":
    "Für eine doppelt erfasste Anlage: die Inventarnummer derjenigen, die bleibt. Sie bekommt die offenen Aufgaben.",
} as const;
