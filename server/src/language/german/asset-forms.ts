/* German of the forms of assets. */
export const assetForms = {
  // All of them
  "This asset is retired": "Diese Anlage ist ausgemustert",
  "Restore asset": "Anlage wiederherstellen",

  // Adding and changing
  "Add asset": "Anlage hinzufügen",
  "Added {name} as {number}.": "{name} ist als {number} hinzugefügt.",
  "Add another like it": "Noch eine solche hinzufügen",
  "Change details": "Angaben ändern",
  "Nothing had to be changed: everything is as you entered it.":
    "Nichts war zu ändern: Alles ist schon so, wie Sie es eingegeben haben.",
  "Saved for {name}: {fields}.": "Für {name} gespeichert: {fields}.",
  "Its details stay as they are. Restore it to change them.":
    "Ihre Angaben bleiben, wie sie sind. Stellen Sie die Anlage wieder her, um sie zu ändern.",
  "Elsewhere: <state>change its state</state>, <move>move it to another workspace</move>.":
    "Anderswo: <state>Status ändern</state>, <move>in einen anderen Arbeitsbereich verschieben</move>.",

  // Fields
  "Choose how critical it is.": "Wählen Sie, wie kritisch die Anlage ist.",
  "Enter an inventory number.": "Geben Sie eine Inventarnummer ein.",
  "What it is and where": "Was es ist und wo",
  "What people call it, such as “Air compressor 2”.":
    "Wie sie im Alltag heißt, zum Beispiel „Kompressor 2“.",
  "One that is there, or a new one.": "Eine vorhandene oder eine neue.",
  "Where inside the workspace: “Roof, bay 3”.": "Wo im Arbeitsbereich: „Dach, Feld 3“.",
  "Not in a workspace": "In keinem Arbeitsbereich",
  "Who belongs to it sees the asset.": "Wer ihm angehört, sieht die Anlage.",
  "How bad it is when it fails.": "Wie schlimm es ist, wenn sie ausfällt.",
  "As usual for the category": "Wie für die Kategorie üblich",
  "Not rated": "Nicht bewertet",
  "What it looks like today.": "Wie sie heute aussieht.",
  "Labels carry it. The present one is never used again.":
    "Sie steht auf Etiketten. Die jetzige wird nie wieder vergeben.",
  "Left empty, it gets the next free number.": "Leer heißt: die nächste freie Nummer.",
  "The inventory number of the asset that this one is built into.":
    "Die Inventarnummer der Anlage, in die diese eingebaut ist.",
  "{number} is {name}.": "{number} ist {name}.",
  "Three letters. Left empty, it is {currency}.": "Drei Buchstaben. Leer heißt {currency}.",
  "Up to 20, with commas between them.": "Bis zu 20, durch Kommas getrennt.",

  // Changing several
  "Add tags": "Schlagwörter hinzufügen",
  "Remove tags": "Schlagwörter entfernen",
  "Yes, retire them": "Ja, ausmustern",
  "Divided by commas.": "Durch Kommas getrennt.",

  // Moving
  "Choose where the asset goes.": "Wählen Sie, wohin die Anlage kommt.",
  "{name} is now in {workspace}.": "{name} ist jetzt in {workspace}.",
  "{name} is now in no workspace.": "{name} ist jetzt in keinem Arbeitsbereich.",
  "Move asset": "Anlage verschieben",
  "There is no other workspace that you may add assets to.":
    "Es gibt keinen anderen Arbeitsbereich, in dem Sie Anlagen hinzufügen dürfen.",
  "Its tasks, open and finished, move with it.":
    "Ihre Aufgaben, offene und abgeschlossene, ziehen mit um.",
  "{name} stays responsible only as a member of the new workspace.":
    "{name} bleibt nur als Mitglied des neuen Arbeitsbereichs zuständig.",
  "Parts of it stay where they are.": "Teile von ihr bleiben, wo sie sind.",
  "To workspace": "In den Arbeitsbereich",
  "Where inside the new workspace. What stands here now is where it is today.":
    "Wo im neuen Arbeitsbereich. Jetzt steht hier, wo die Anlage heute ist.",

  // Restoring
  "Put away, not ready for use.": "Weggeräumt, nicht einsatzbereit.",
  "{name} is restored and now: available.": "{name} ist wiederhergestellt und jetzt verfügbar.",
  "{name} is restored and now: in use.": "{name} ist wiederhergestellt und jetzt in Benutzung.",
  "{name} is restored and now: stored.": "{name} ist wiederhergestellt und jetzt eingelagert.",
  "{name} is not retired: it is in the lists and counts.":
    "{name} ist nicht ausgemustert, sondern steht in Listen und zählt mit.",
  "It comes back into lists and counts, with its history, its number and its open tasks.":
    "Sie steht wieder in Listen und zählt mit, samt Verlauf, Nummer und offenen Aufgaben.",
  "State from now on": "Status ab jetzt",

  // Deleting permanently
  "Delete permanently": "Endgültig löschen",
  "You probably want to retire it": "Wahrscheinlich möchten Sie sie ausmustern",
  "A retired asset leaves lists and counts too, keeps its history for audits, and can be restored.":
    "Auch eine ausgemusterte Anlage verschwindet aus Listen und Zahlen, behält aber ihren Verlauf für Prüfungen und lässt sich wiederherstellen.",
  "Retire it instead": "Lieber ausmustern",
  "This erases {name} for everybody. It cannot be undone, and nobody can bring it back. Its inventory number is never given again. This will be lost:":
    "Das löscht {name} für alle. Es lässt sich nicht rückgängig machen, und niemand kann die Anlage zurückholen. Ihre Inventarnummer wird nie wieder vergeben. Das geht verloren:",
  "Recorded cost": "Erfasste Kosten",
  "Last activity": "Letzte Tätigkeit",
  "Warranty until": "Garantie bis",
  "To go on, type the inventory number: {number}":
    "Geben Sie zum Fortfahren die Inventarnummer ein: {number}",
  "{name} ({number}) is permanently deleted.": "{name} ({number}) ist endgültig gelöscht.",
  "{name} ({number}) is permanently deleted, with {tasks, plural, one {# task} other {# tasks}} and {entries, plural, one {# entry} other {# entries}} of its history.":
    "{name} ({number}) ist endgültig gelöscht, mit {tasks, plural, one {# Aufgabe} other {# Aufgaben}} und {entries, plural, one {# Eintrag} other {# Einträgen}} des Verlaufs.",
  "{name} ({number}) is permanently deleted, with {tasks, plural, one {# task} other {# tasks}}, {entries, plural, one {# entry} other {# entries}} of its history and {files, plural, one {# file} other {# files}}.":
    "{name} ({number}) ist endgültig gelöscht, mit {tasks, plural, one {# Aufgabe} other {# Aufgaben}}, {entries, plural, one {# Eintrag} other {# Einträgen}} des Verlaufs und {files, plural, one {# Datei} other {# Dateien}}.",
} as const;
