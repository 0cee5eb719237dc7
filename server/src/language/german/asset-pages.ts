/* German of the list, the page and the history of assets, and of the search. */
export const assetPages = {
  // What one can do
  Restore: "Wiederherstellen",
  Move: "Verschieben",
  Retire: "Ausmustern",

  "Plan the repair": "Reparatur planen",

  // The page of an asset
  "As of {moment}, at {organization}": "Stand: {moment}, {organization}",
  "Latest history": "Letzte Ereignisse",
  "Full history": "Ganzer Verlauf",

  "Since {when}.": "Seit {when}.",
  "Since {when}, by {name}.": "Seit {when}, durch {name}.",
  "Reason: disposed of.": "Grund: entsorgt.",
  "Reason: sold.": "Grund: verkauft.",
  "Reason: scrapped.": "Grund: verschrottet.",
  "Reason: lost.": "Grund: verloren.",
  "Reason: stolen.": "Grund: gestohlen.",
  "Reason: donated.": "Grund: gespendet.",
  "Reason: returned.": "Grund: zurückgegeben.",
  "Reason: duplicate entry.": "Grund: doppelt erfasst.",
  "Reason: entered in error.": "Grund: irrtümlich erfasst.",
  "Reason: other.": "Grund: Sonstiges.",
  "It was here twice. The one that stays is {asset}.":
    "Sie war doppelt erfasst. Es bleibt {asset}.",
  "It is left out of lists and counts, and keeps its number, its tasks and its history.":
    "Sie fehlt in Listen und Zahlen und behält Nummer, Aufgaben und Verlauf.",
  "<a>Restore it</a> to have it back as it was.":
    "<a>Stellen Sie sie wieder her</a>, um sie wie zuvor zurückzubekommen.",
  "A member of its workspace can restore it to have it back as it was.":
    "Ein Mitglied ihres Arbeitsbereichs kann sie wiederherstellen; dann ist sie wie zuvor.",
  "Scanned label": "Gescanntes Etikett",
  "You scanned this label. Is the asset in front of you?":
    "Sie haben dieses Etikett gescannt. Haben Sie die Anlage vor sich?",
  "Yes, I see it here": "Ja, ich sehe sie hier",
  "Noted that you have seen {name}.": "Vermerkt, dass Sie {name} gesehen haben.",
  "Tasks that wait for its return": "Aufgaben, die auf ihre Rückkehr warten",
  "Nothing is to be done.": "Zurzeit ist nichts zu tun.",
  "{count, plural, one {# more open task} other {# more open tasks}}":
    "{count, plural, one {# weitere offene Aufgabe} other {# weitere offene Aufgaben}}",
  Parts: "Teile",

  // Facts
  "Add details": "Angaben ergänzen",
  Purchased: "Gekauft am",
  Warranty: "Garantie",
  "Ended {day}||warranty": "Abgelaufen am {day}",
  "Ends {day}||warranty": "Läuft bis {day}",
  "Ends soon": "Läuft bald ab",
  "In this state since": "In diesem Status seit",
  "{when} by {name}": "{when}, {name}",
  "less than a month": "weniger als ein Monat",
  "{years, plural, one {# year} other {# years}} and {months, plural, one {# month} other {# months}}":
    "{years, plural, one {# Jahr} other {# Jahre}} und {months, plural, one {# Monat} other {# Monate}}",

  // Figures
  "Costs and reliability": "Kosten und Zuverlässigkeit",
  "No costs, downtime or failures were recorded in the last 365 days.":
    "In den letzten 365 Tagen wurden weder Kosten noch Ausfallzeiten oder Ausfälle erfasst.",
  "Over the last 365 days.": "In den letzten 365 Tagen.",
  "Between failures": "Zwischen Ausfällen",
  "To repair": "Reparaturdauer",
  "Last work done": "Letzte Arbeit",
  "Not known from one failure": "Aus einem Ausfall nicht zu bestimmen",
  "{days} days on average, of {failures, plural, one {# failure} other {# failures}}":
    "Im Mittel {days} Tage, aus {failures, plural, one {# Ausfall} other {# Ausfällen}}",
  "{time} on average, of {repairs, plural, one {# repair} other {# repairs}}":
    "Im Mittel {time}, aus {repairs, plural, one {# Reparatur} other {# Reparaturen}}",

  // History
  "State, retired, restored": "Status, Ausmustern, Wiederherstellen",
  "Places and people": "Orte und Personen",
  Notes: "Notizen",
  Kind: "Art",
  To: "Bis",
  "History of {name}": "Verlauf von {name}",
  "Show everything that happened": "Den ganzen Verlauf anzeigen",
  What: "Was",

  // The list
  "Retired ones too": "Auch ausgemusterte",
  "Last added": "Zuletzt hinzugefügt",
  "Warranty ends first": "Garantie endet zuerst",
  Tag: "Schlagwort",
  "Not retired": "Nicht ausgemustert",
  "Tag “{tag}”": "Schlagwort „{tag}“",
  "Warranty ends on or after {day}": "Garantie endet am {day} oder später",
  "Warranty ends before {day}": "Garantie endet vor dem {day}",
  "Next work": "Nächste Arbeit",
  "Warranty ended {day}": "Garantie abgelaufen am {day}",
  "Warranty ends {day}": "Garantie bis {day}",
  "{count, plural, one {# task} other {# tasks}} overdue":
    "{count, plural, one {# Aufgabe} other {# Aufgaben}} überfällig",
  "Category {name}": "Kategorie {name}",
  "Tag {tag}": "Schlagwort {tag}",
  "(retired)": "(ausgemustert)",
  "Print labels of the chosen ones": "Etiketten für ausgewählte drucken",
  "Print labels of all that were found": "Etiketten für alle gefundenen drucken",
  "No assets yet": "Noch keine Anlagen",
  "Keep here what your organization owns and looks after: machines, vehicles, tools, devices. Each asset gets an inventory number and a label to scan, and remembers what happened to it.":
    "Halten Sie hier fest, was Ihre Organisation besitzt und betreut: Maschinen, Fahrzeuge, Werkzeuge, Geräte. Jede Anlage bekommt eine Inventarnummer und ein Etikett zum Scannen, und ihr Verlauf hält fest, was mit ihr geschehen ist.",
  "An admin of your organization, or a member of a workspace, can add the first one.":
    "Ein Admin Ihrer Organisation oder ein Mitglied eines Arbeitsbereichs kann die erste hinzufügen.",
  "Nothing to list": "Nichts zu zeigen",
  "No asset was found": "Keine Anlage gefunden",
  "<a>Clear all filters</a>, or change the search.":
    "<a>Setzen Sie alle Filter zurück</a>, oder ändern Sie die Suche.",
  "Show retired assets too": "Auch ausgemusterte Anlagen anzeigen",

  // Search
  "Search for {asked}": "Suche nach {asked}",
  "Search assets, tasks, people and workspaces, or enter a number":
    "Anlagen, Aufgaben, Personen und Arbeitsbereiche suchen oder Nummer eingeben",
  "More than {records} in the list": "Mehr als {records} in der Liste",
  "All {records} in the list": "Alle: {records} in der Liste",
  "Nothing was found for “{asked}”": "Nichts gefunden für „{asked}“",
  "Try fewer words, another spelling, or the number on the label.":
    "Versuchen Sie es mit weniger Wörtern, einer anderen Schreibweise oder der Nummer auf dem Etikett.",
} as const;
