/** German of workspaces, trends and imports. */
export const places = {
  "The workspace {name} is deleted.": "Der Arbeitsbereich {name} ist gelöscht.",
  "The workspace {name} is added.": "Der Arbeitsbereich {name} ist hinzugefügt.",
  "The workspace {name} is saved.": "Der Arbeitsbereich {name} ist gespeichert.",

  "Delete the workspace {name}?": "Arbeitsbereich {name} löschen?",
  "Delete workspace": "Arbeitsbereich löschen",
  "No assets or tasks are in this workspace.":
    "In diesem Arbeitsbereich sind keine Anlagen und keine Aufgaben.",
  "{rounds, plural, one {# round through it is kept. Owners and admins can still view it.} other {# rounds through it are kept. Owners and admins can still view them.}}":
    "{rounds, plural, one {# Rundgang bleibt erhalten. Inhaber und Admins sehen ihn weiterhin.} other {# Rundgänge bleiben erhalten. Inhaber und Admins sehen sie weiterhin.}}",
  "Nobody belongs to it.": "Niemand gehört ihm an.",
  "{members, plural, one {# person belongs to it and stays in the organization.} other {# people belong to it and stay in the organization.}}":
    "{members, plural, one {# Person gehört ihm an und bleibt in der Organisation.} other {# Personen gehören ihm an und bleiben in der Organisation.}}",
  "{invites, plural, one {# open invitation to it will be withdrawn.} other {# open invitations to it will be withdrawn.}}":
    "{invites, plural, one {# offene Einladung dorthin wird zurückgezogen.} other {# offene Einladungen dorthin werden zurückgezogen.}}",
  "This cannot be undone.": "Das lässt sich nicht rückgängig machen.",
  "This workspace is not empty": "Dieser Arbeitsbereich ist nicht leer",
  "It can be deleted once nothing is in it any more. Move this to another workspace first:":
    "Er lässt sich löschen, sobald nichts mehr darin ist. Verschieben Sie zuerst in einen anderen Arbeitsbereich:",
  "<a>{assets}</a>, {retired} of them retired. Their tasks move along.":
    "<a>{assets}</a>, davon {retired} ausgemustert. Ihre Aufgaben ziehen mit um.",
  "<a>{assets}</a>. Their tasks move along.": "<a>{assets}</a>. Ihre Aufgaben ziehen mit um.",
  "{own, plural, one {# task without an asset} other {# tasks without an asset}}":
    "{own, plural, one {# Aufgabe ohne Anlage} other {# Aufgaben ohne Anlage}}",
  "{count, plural, one {# task of these assets, finished ones among them.} other {# tasks of these assets, finished ones among them.}}":
    "{count, plural, one {# Aufgabe dieser Anlagen, auch abgeschlossene.} other {# Aufgaben dieser Anlagen, auch abgeschlossene.}}",
  "{count, plural, one {# task of these assets.} other {# tasks of these assets.}}":
    "{count, plural, one {# Aufgabe dieser Anlagen.} other {# Aufgaben dieser Anlagen.}}",
  "Back to the workspaces": "Zurück zu den Arbeitsbereichen",

  "Add workspace": "Arbeitsbereich hinzufügen",
  "Save workspace": "Arbeitsbereich speichern",
  "Delete this workspace": "Diesen Arbeitsbereich löschen",
  "Edit {name}": "{name} bearbeiten",
  "A workspace can be deleted when nothing is in it. Who belongs to it stays in the organization.":
    "Ein Arbeitsbereich lässt sich löschen, wenn nichts darin ist. Wer ihm angehört, bleibt in der Organisation.",

  Page: "Seite",
  "Search for {max} characters at most.": "Suchen Sie nach höchstens {max} Zeichen.",

  "No workspace is called that": "Kein Arbeitsbereich heißt so",
  "See all workspaces": "Alle Arbeitsbereiche ansehen",

  "Ask an owner or admin of {organization} to add you to one.":
    "Bitten Sie einen Inhaber oder Admin von {organization}, Sie zu einem hinzuzufügen.",

  "A workspace is a site, a building, a fleet or the area of a team. People see the assets and tasks of the workspaces they belong to.":
    "Ein Arbeitsbereich ist ein Standort, ein Gebäude, ein Fuhrpark oder der Bereich eines Teams. Jeder sieht die Anlagen und Aufgaben der Arbeitsbereiche, denen er angehört.",
  "Your role: admin": "Ihre Rolle: Admin",
  "Your role: member": "Ihre Rolle: Mitglied",
  "Your role: viewer": "Ihre Rolle: Betrachter",
  "Start a round<hidden> through {name}</hidden>":
    "Rundgang beginnen<hidden> durch {name}</hidden>",
  "Edit<hidden> {name}</hidden>": "Bearbeiten<hidden>: {name}</hidden>",
  " of {name}": " von {name}",
  "{number} overdue": "{number} überfällig",
  Edit: "Bearbeiten",

  "Add a task": "Aufgabe hinzufügen",
  "Open tasks": "Offene Aufgaben",
  "Nothing is left to do here.": "Hier ist nichts mehr zu tun.",
  "See more than {count, plural, one {# open task} other {# open tasks}}":
    "{count, plural, one {Mehr als # offene Aufgabe ansehen} other {Mehr als # offene Aufgaben ansehen}}",
  "See all {count, plural, one {# open task} other {# open tasks}}":
    "{count, plural, one {# offene Aufgabe ansehen} other {Alle # offenen Aufgaben ansehen}}",

  "No due date": "Kein Fälligkeitsdatum",

  "No asset is placed here yet.": "Hier steht noch keine Anlage.",
  "All assets": "Alle Anlagen",
  "Not ready for use": "Nicht einsatzbereit",
  "{shown} of {total}, the last changed first.": "{shown} von {total}, zuletzt geänderte zuerst.",
  "Too much to add up while you wait.": "Zu viel, um es in Kürze zusammenzuzählen.",
  "Last {days} days": "Letzte {days} Tage",

  Failures: "Ausfälle",
  "Oldest overdue task": "Am längsten überfällig",
  "{number} %": "{number} %",
  People: "Personen",
  "Owner of the organization": "Inhaber der Organisation",
  "Admin of the organization": "Admin der Organisation",
  "Member of the organization": "Mitglied der Organisation",
  "See all {count, plural, one {# person} other {# people}}":
    "{count, plural, one {# Person ansehen} other {Alle # Personen ansehen}}",
  "Roles and invitations": "Rollen und Einladungen",

  // Trends and figures

  All: "Alle",
  "Too much to add up while you wait": "Zu viel, um es in Kürze zusammenzuzählen",
  "Choose one workspace.": "Wählen Sie einen Arbeitsbereich.",
  "Nothing to compare yet": "Noch nichts zu vergleichen",
  "When tasks are completed and assets fail or are repaired, their months stand here side by side.":
    "Sobald Aufgaben erledigt werden und Anlagen ausfallen oder repariert werden, stehen die Monate hier nebeneinander.",
  "By workspace": "Nach Arbeitsbereich",
  "By category": "Nach Kategorie",
  "{name}, {from} to {to}": "{name}, {from} bis {to}",
  "Your part of {name}, {from} to {to}": "Ihr Teil von {name}, {from} bis {to}",
  "{title} by month": "{title} nach Monaten",
  "Planned work on time, %": "Geplantes pünktlich, %",
  "nothing was due": "nichts war fällig",
  "{share} % of {due} due": "{share} % von {due} fälligen",
  "Downtime, hours": "Ausfallzeit, Stunden",
  "Cost of work": "Instandhaltungskosten",
  "Cost of work, {currency}": "Instandhaltungskosten, {currency}",
  "last 3 whole months": "letzte 3 volle Monate",
  "All figures by month": "Alle Zahlen nach Monaten",
  Month: "Monat",
  "Planned work due": "Geplantes fällig",
  "On time": "Pünktlich",
  Cost: "Kosten",
  "Cost, {currency}": "Kosten, {currency}",
  "Overdue now": "Jetzt überfällig",
  "Assets to look at": "Auffällige Anlagen",

  "Most failures": "Meiste Ausfälle",
  "Longest down": "Längste Ausfallzeit",
  "Highest cost of work": "Höchste Kosten",
  "None.": "Keine.",
  "{title}, as a table": "{title}, als Tabelle",
  "{count, plural, one {# more are not shown.} other {# more are not shown.}}":
    "{count, plural, one {# weitere Zeile wird nicht gezeigt.} other {# weitere Zeilen werden nicht gezeigt.}}",
  "(before {number})": "(vorher {number})",
  "In no workspace": "In keinem Arbeitsbereich",
  "Without a category": "Ohne Kategorie",
  "{count, plural, one {# point} other {# points}}":
    "{count, plural, one {# Punkt} other {# Punkte}}",
  "No change vs the previous 3 months": "Unverändert zu den 3 Monaten davor",
  "No change vs the previous {days} days": "Unverändert zu den {days} Tagen davor",
  "<hidden>up </hidden>{change} vs the 3 before":
    "<hidden>gestiegen um </hidden>{change} gegenüber den 3 davor",
  "<hidden>down </hidden>{change} vs the 3 before":
    "<hidden>gesunken um </hidden>{change} gegenüber den 3 davor",
  "<hidden>up </hidden>{change}<hidden> against the {days} days before</hidden>":
    "<hidden>gestiegen um </hidden>{change}<hidden> gegenüber den {days} Tagen davor</hidden>",
  "<hidden>down </hidden>{change}<hidden> against the {days} days before</hidden>":
    "<hidden>gesunken um </hidden>{change}<hidden> gegenüber den {days} Tagen davor</hidden>",

  // What part of the organization somebody sees
  "You belong to no workspace yet, so you see only what is in none of them.":
    "Sie gehören noch keinem Arbeitsbereich an und sehen daher nur, was in keinem davon ist.",
  "You see your part of {organization}: {places}.":
    "Sie sehen Ihren Teil von {organization}: {places}.",
  "You are a viewer there: you can look at everything and change nothing.":
    "Dort sind Sie Betrachter: Sie können alles ansehen und nichts ändern.",
  "See your workspace": "Ihren Arbeitsbereich ansehen",
  "See your workspaces": "Ihre Arbeitsbereiche ansehen",
  "{names} and {others, plural, one {# other workspace} other {# other workspaces}}":
    "{names} und {others, plural, one {# weiterer Arbeitsbereich} other {# weitere Arbeitsbereiche}}",

  // Import

  "What is in the file": "Was in der Datei steht",
  "Choose what is in the file.": "Wählen Sie, was in der Datei steht.",
  "Bring in assets, tasks, people or workspaces from a table. You see what each row would change before anything is stored, and can undo it afterwards.":
    "Übernehmen Sie Anlagen, Aufgaben, Personen oder Arbeitsbereiche aus einer Tabelle. Sie sehen vor dem Speichern, was jede Zeile ändern würde, und können danach alles rückgängig machen.",
  "CSV or Excel (.xlsx), with headings above the rows; up to {megabytes} MB and {rows} rows. Exports of Snipe-IT, Shelf, Homebox and Atlas CMMS are understood.":
    "CSV oder Excel (.xlsx), mit Überschriften über den Zeilen; bis zu {megabytes} MB und {rows} Zeilen. Exporte aus Snipe-IT, Shelf, Homebox und Atlas CMMS werden verstanden.",

  "How rows are matched": "Wie Zeilen zugeordnet werden",
  "Assets by inventory number, or by serial number where a row has none; tasks by task number; workspaces by name. An empty cell leaves what is there. People are invited by email.":
    "Anlagen nach der Inventarnummer, oder nach der Seriennummer, wo eine Zeile keine hat; Aufgaben nach der Aufgabennummer; Arbeitsbereiche nach dem Namen. Eine leere Zelle ändert nichts. Personen werden per E-Mail eingeladen.",
  "Import of {name}": "Import von {name}",
  "Kept because of a conflict": "Wegen eines Konflikts beibehalten",
  "prepared by {client}": "vorbereitet von {client}",
  "Looking at the rows": "Zeilen werden geprüft",
  "Storing the rows": "Zeilen werden gespeichert",
  "{done} of {all, plural, one {# row} other {# rows}}.":
    "{done} von {all, plural, one {# Zeile} other {# Zeilen}}.",
  "This page updates automatically.": "Diese Seite aktualisiert sich automatisch.",

  "It waits for other work, or was interrupted. What was done is kept.":
    "Es wartet auf andere Arbeit oder wurde unterbrochen. Was getan ist, bleibt.",

  "Nothing changes.": "Nichts ändert sich.",
  "{create} new, {update} changed, {same} unchanged, {wrong} wrong.":
    "{create} neu, {update} geändert, {same} unverändert, {wrong} fehlerhaft.",
  "{retired, plural, one {# unchanged asset is} other {# unchanged assets are}} retired.":
    "{retired, plural, one {# unveränderte Anlage ist} other {# unveränderte Anlagen sind}} ausgemustert.",
  "<b>{stored, plural, one {# row stored} other {# rows stored}}</b>, {same} unchanged, {wrong} wrong and not stored.":
    "<b>{stored, plural, one {# Zeile gespeichert} other {# Zeilen gespeichert}}</b>, {same} unverändert, {wrong} fehlerhaft und nicht gespeichert.",
  "Stores {good, plural, one {# row} other {# rows}}, and leaves {wrong, plural, one {# wrong row} other {# wrong rows}} out. It can be undone.":
    "{good, plural, one {# Zeile wird gespeichert} other {# Zeilen werden gespeichert}}, {wrong, plural, one {# fehlerhafte wird ausgelassen} other {# fehlerhafte werden ausgelassen}}. Das lässt sich rückgängig machen.",
  "Stores {good, plural, one {# row} other {# rows}}. It can be undone.":
    "{good, plural, one {# Zeile wird gespeichert} other {# Zeilen werden gespeichert}}. Das lässt sich rückgängig machen.",

  "See what changed": "Änderungen ansehen",
  New: "Neu",
  Changed: "Geändert",
  Unchanged: "Unverändert",
  Wrong: "Fehlerhaft",
  Conflict: "Konflikt",

  Rows: "Zeilen",
  "No such row": "Keine solche Zeile",
  "No row of the file comes out like this.": "Keine Zeile der Datei hat dieses Ergebnis.",
  "Rows by what becomes of them": "Zeilen nach ihrem Ergebnis",
  "Line {line}: {name}": "Zeile {line}: {name}",
  "{name} is not found.": "{name} wurde nicht gefunden.",
  "{name} is not found. The nearest: {names}.":
    "{name} wurde nicht gefunden. Am ähnlichsten: {names}.",

  // How a file was read
  "UTF-8": "UTF-8",
  "UTF-16": "UTF-16",
  "UTF-16, big-endian": "UTF-16, Big-Endian",
  "Windows (Western Europe)": "Windows (Westeuropa)",
  Comma: "Komma",
  Semicolon: "Semikolon",
  Tab: "Tabulator",
  Bar: "Senkrechter Strich",
  "How the file was read": "Wie die Datei gelesen wurde",
  "{left, plural, one {# column left out} other {# columns left out}}":
    "{left, plural, one {# Spalte ausgelassen} other {# Spalten ausgelassen}}",
  "as from {layout}": "wie aus {layout}",
  Characters: "Zeichen",
  "Cells are divided by": "Zellen getrennt durch",
  "Column {number}": "Spalte {number}",
  "Leave out": "Auslassen",
  "Read it so": "So lesen",
  "Choose how to read {columns, plural, one {# column} other {# columns}}":
    "{columns, plural, one {Wählen Sie, wie # Spalte gelesen wird} other {Wählen Sie, wie # Spalten gelesen werden}}",
  "The file doesn't show which of two values is meant. Rows with such a value are not imported until you choose.":
    "Aus der Datei geht nicht hervor, welcher von zwei Werten gemeint ist. Zeilen mit solchen Werten werden erst importiert, wenn Sie gewählt haben.",
  "{heading}: {sample} is": "{heading}: {sample} ist",
  "Choose a value": "Wert wählen",
  "{heading}: amounts without a currency are in": "{heading}: Beträge ohne Währung sind in",
  "No column is read as “{field}”": "Keine Spalte wird als „{field}“ gelesen",
  "New rows cannot be stored without it. Choose which column it is.":
    "Ohne sie lassen sich neue Zeilen nicht speichern. Wählen Sie, welche Spalte es ist.",
  "Cost center": "Kostenstelle",
  "Warranty expires on": "Garantie bis",
  "In service date": "In Betrieb seit",
  "End of life on": "Ersatz geplant",
  "Task number": "Aufgabennummer",
  "Asset number": "Anlagennummer",
  "Completed at": "Erledigt am",
  "Due date": "Fälligkeitsdatum",
  "Estimated minutes": "Geschätzte Minuten",
  "Requires downtime": "Anlage muss außer Betrieb sein",
  "Completion notes": "Befund und Maßnahmen",
  "Labor cost": "Lohnkosten",
  "Actual minutes": "Aufgewendete Minuten",
  "Downtime minutes": "Ausfallzeit in Minuten",
  "Failure cause": "Ausfallursache",
  "Workspace role": "Rolle im Arbeitsbereich",
  "Organization role": "Rolle in der Organisation",
} as const;
