/** German of workspaces and imports. */
export const places = {
  "The workspace {name} is deleted.": "Der Arbeitsbereich {name} ist gelöscht.",
  "The workspace {name} is added.": "Der Arbeitsbereich {name} ist hinzugefügt.",
  "The workspace {name} is saved.": "Der Arbeitsbereich {name} ist gespeichert.",
  "Delete {name}": "{name} löschen",
  "Delete the workspace {name}?": "Arbeitsbereich {name} löschen?",
  "Delete workspace": "Arbeitsbereich löschen",
  "Nothing is in this workspace.": "In diesem Arbeitsbereich ist nichts.",
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
  "Enter a name.": "Geben Sie einen Namen ein.",
  "Add a workspace": "Arbeitsbereich hinzufügen",
  "Add workspace": "Arbeitsbereich hinzufügen",
  "Save workspace": "Arbeitsbereich speichern",
  "Delete this workspace": "Diesen Arbeitsbereich löschen",
  "Edit {name}": "{name} bearbeiten",
  "A workspace can be deleted when nothing is in it. Who belongs to it stays in the organization.":
    "Ein Arbeitsbereich lässt sich löschen, wenn nichts darin ist. Wer ihm angehört, bleibt in der Organisation.",
  Search: "Suche",
  Page: "Seite",
  "Search for {max} characters at most.": "Suchen Sie nach höchstens {max} Zeichen.",
  Workspaces: "Arbeitsbereiche",
  "No workspace is called that": "Kein Arbeitsbereich heißt so",
  "See all workspaces": "Alle Arbeitsbereiche ansehen",
  "You belong to no workspace yet": "Sie gehören noch keinem Arbeitsbereich an",
  "Ask an owner or admin of {organization} to add you to one.":
    "Bitten Sie einen Inhaber oder Admin von {organization}, Sie zu einem hinzuzufügen.",
  "There is no workspace yet": "Es gibt noch keinen Arbeitsbereich",
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
  "Add an asset": "Anlage hinzufügen",
  "Add a task": "Aufgabe hinzufügen",
  "Open tasks": "Offene Aufgaben",
  "Nothing is left to do here.": "Hier ist nichts mehr zu tun.",
  "See more than {count, plural, one {# open task} other {# open tasks}}":
    "{count, plural, one {Mehr als # offene Aufgabe ansehen} other {Mehr als # offene Aufgaben ansehen}}",
  "See all {count, plural, one {# open task} other {# open tasks}}":
    "{count, plural, one {# offene Aufgabe ansehen} other {Alle # offenen Aufgaben ansehen}}",
  Plan: "Planung",
  "No due date": "Kein Fälligkeitsdatum",
  Assets: "Anlagen",
  "No asset is placed here yet.": "Hier steht noch keine Anlage.",
  "All assets": "Alle Anlagen",
  "Not ready for use": "Nicht einsatzbereit",
  "{shown} of {total}, the last changed first.": "{shown} von {total}, zuletzt geänderte zuerst.",
  "Too much to add up while you wait.": "Zu viel, um es in Kürze zusammenzuzählen.",
  "the {days} days before": "den {days} Tagen davor",
  "Last {days} days": "Letzte {days} Tage",
  "Completed tasks": "Erledigte Aufgaben",
  "Planned work on time": "Geplantes pünktlich",
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
} as const;
