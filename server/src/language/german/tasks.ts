/** The words of tasks, plan, reports, calendar, histories and changes. */
export const tasks = {
  // Tasks: forms
  "Stop repeating as well": "Auch die Wiederholung beenden",
  "{number} is cancelled.": "{number} ist abgesagt.",
  "Cancel {number}": "{number} absagen",
  "Cancel {number}?": "{number} absagen?",
  "It counts as not done and leaves the open tasks. It stays in the history, and can be reopened on its page.":
    "Die Aufgabe gilt als nicht erledigt und steht nicht mehr unter den offenen. Sie bleibt im Verlauf und lässt sich auf ihrer Seite wieder öffnen.",
  "Kept in the history, for whoever asks later.": "Steht im Verlauf, falls später jemand fragt.",
  "No next task is created.": "Es folgt keine weitere Aufgabe.",
  "Cancel task": "Aufgabe absagen",
  "Keep task": "Aufgabe behalten",
  "It repeats: cancelling skips this occurrence, and the next one is created, due on {day}.":
    "Die Aufgabe wiederholt sich: Beim Absagen entfällt dieser Termin, und die nächste wird angelegt, fällig am {day}.",
  "It repeats: cancelling skips this occurrence, and the next one is created.":
    "Die Aufgabe wiederholt sich: Beim Absagen entfällt dieser Termin, und die nächste wird angelegt.",
  "Days later": "Tage später",
  "Fill in either “Due” or “Days later”, not both.":
    "Füllen Sie entweder „Fällig“ oder „Tage später“ aus, nicht beides.",
  "Yes, cancel them": "Ja, absagen",
  "As it is": "Wie bisher",
  "Instead of a date; late ones from today.": "Statt eines Datums; überfällige ab heute.",
  "{field} is known already. Enter 0 if there was none.":
    "„{field}“ ist schon bekannt. Geben Sie 0 ein, wenn nichts anfiel.",
  Work: "Arbeit",
  "Not said": "Keine Angabe",
  "Activity and day": "Tätigkeit und Tag",
  "Activity, cause and day": "Tätigkeit, Ursache und Tag",
  "Minutes, or hours like 1:30.": "Minuten, oder Stunden wie 1:30.",
  "While the asset could not be used.": "Solange die Anlage nicht nutzbar war.",
  "Time in {zone}.": "Uhrzeit in {zone}.",

  "Costs in {currency}": "Kosten in {currency}",
  "The record of {number} is saved.": "Der Nachweis zu {number} ist gespeichert.",
  "{number} is completed.": "{number} ist erledigt.",
  "Correct the record of {number}": "Nachweis zu {number} berichtigen",
  "Complete {number}": "{number} erledigen",
  "Save the record": "Nachweis speichern",
  "Complete task": "Aufgabe erledigen",
  "Go back": "Zurück",
  "This task repeats: completing it creates the next one, due on {day}.":
    "Diese Aufgabe wiederholt sich: Ist sie erledigt, wird die nächste angelegt, fällig am {day}.",
  "This task repeats: completing it creates the next one.":
    "Diese Aufgabe wiederholt sich: Ist sie erledigt, wird die nächste angelegt.",
  "{interval}, counted from the due date": "{interval}, gezählt ab der Fälligkeit",
  "{interval}, counted from the day the work was done":
    "{interval}, gezählt ab dem Tag der Erledigung",
  "{repetition}, last due {day}": "{repetition}, zuletzt fällig am {day}",
  "labour {amount}": "Lohn {amount}",
  "parts {amount}": "Material {amount}",
  "other {amount}": "Sonstiges {amount}",
  "{number} is saved.": "{number} ist gespeichert.",
  "Enter how often the task repeats, or tick “Stop repeating”.":
    "Geben Sie ein, wie oft sich die Aufgabe wiederholt, oder kreuzen Sie „Wiederholung beenden“ an.",
  "Edit {number}": "{number} bearbeiten",
  "Its number, or words to find it by; another one moves the task.":
    "Ihre Nummer oder Suchwörter; eine andere Anlage verschiebt die Aufgabe.",

  "Enter the number of an asset, or choose a workspace; one of the two.":
    "Geben Sie die Nummer einer Anlage ein, oder wählen Sie einen Arbeitsbereich; eins von beiden.",
  "{number} is added.": "{number} ist hinzugefügt.",
  "{number} is added. The one after it will be due on {day}.":
    "{number} ist hinzugefügt. Die nächste wird am {day} fällig.",
  "Left so: corrective if the asset is out of service, otherwise preventive.":
    "Ohne Auswahl: Instandsetzung, wenn die Anlage außer Betrieb ist, sonst vorbeugend.",
  "Report a problem": "Problem melden",
  "One step a line; they are ticked one by one.":
    "Ein Schritt pro Zeile; sie werden einzeln abgehakt.",
  "Report problem": "Problem melden",

  "Add task": "Aufgabe hinzufügen",
  "<soft>For</soft> {asset}": "<soft>Für</soft> {asset}",
  "<soft>For work on</soft> {workspace} <soft>as a place</soft>":
    "<soft>Für Arbeit an</soft> {workspace} <soft>als Ort</soft>",
  "Choose an asset instead": "Stattdessen eine Anlage wählen",
  "What the work is on": "Woran gearbeitet wird",
  "An asset, or a workspace for work on a place as a whole.":
    "Eine Anlage, oder ein Arbeitsbereich für Arbeit an einem ganzen Ort.",
  "Its number, as on the label, or words to find it by.":
    "Ihre Nummer wie auf dem Etikett oder Suchwörter.",
  "Only for work without an asset.": "Nur für Arbeit ohne Anlage.",
  None: "Keiner",
  Days: "Tage",
  Weeks: "Wochen",
  Months: "Monate",
  Years: "Jahre",
  "The due date (fixed calendar)": "Fälligkeit (fester Kalender)",
  "The day the work was done": "Tag der Erledigung",
  "First {weekday}": "Erster {weekday}",
  "Second {weekday}": "Zweiter {weekday}",
  "Third {weekday}": "Dritter {weekday}",
  "Fourth {weekday}": "Vierter {weekday}",
  "Last {weekday}": "Letzter {weekday}",
  "Enter a title: what is to be done.": "Geben Sie einen Titel ein: was zu tun ist.",
  "Repeats every": "Wiederholt sich alle",
  "Stop repeating": "Wiederholung beenden",
  no: "nein",
  "“Due at” is for work that repeats by usage.":
    "„Fällig bei“ gilt für Arbeit, die sich nach Nutzung wiederholt.",
  "“Last due” is for work that repeats: enter how often.":
    "„Zuletzt fällig am“ gilt für Arbeit, die sich wiederholt: Geben Sie ein, wie oft.",
  "What is wrong, such as “Leaks oil”.": "Was nicht stimmt, etwa „Verliert Öl“.",
  "What is to be done, such as “Replace the air filter”.":
    "Was zu tun ist, etwa „Luftfilter wechseln“.",
  "Choose by the state of the asset": "Nach dem Status der Anlage",
  "When and who": "Wann und wer",
  "It is overdue from the next day on.": "Ab dem Tag danach ist sie überfällig.",
  "The asset must be taken out of use for this work":
    "Die Anlage muss für diese Arbeit außer Betrieb sein",
  "It is “In maintenance” from the start of the work to its end.":
    "Vom Beginn bis zum Ende der Arbeit steht sie auf „In Wartung“.",
  Repetition: "Wiederholung",
  "When work that repeats is completed or cancelled, the next task is created by itself. It needs a due date to count days from.":
    "Ist eine Aufgabe, die sich wiederholt, erledigt oder abgesagt, wird die nächste von selbst angelegt. Um Tage zu zählen, braucht sie ein Fälligkeitsdatum.",
  "A number, such as 3.": "Eine Zahl, etwa 3.",
  "A number, such as 3. Empty for work done once.": "Eine Zahl, etwa 3. Leer für einmalige Arbeit.",
  "The day of the month": "Den Tag des Monats",
  "For months and years.": "Für Monate und Jahre.",
  "Nothing is due after this day.": "Nach diesem Tag wird nichts mehr fällig.",
  "This task stays; none follows it.": "Diese Aufgabe bleibt; es folgt keine mehr.",
  "Or every": "Oder alle",
  "Such as 10000; with days as well, whichever comes first.":
    "Etwa 10000; stehen auch Tage da, gilt, was zuerst kommt.",
  "of the meter": "nach dem Zähler",
  "Choose a meter": "Zähler wählen",
  "What the meter shows when this one is due. Empty: counted from what it shows now.":
    "Zählerstand, bei dem diese Aufgabe fällig ist. Leer: ab dem jetzigen Stand gezählt.",

  // Tasks: list

  "Open and finished": "Offen und abgeschlossen",
  Urgency: "Dringlichkeit",
  "Earliest due": "Früheste Fälligkeit",
  "Latest due": "Späteste Fälligkeit",
  "Last completed": "Zuletzt erledigt",
  "Last changed": "Zuletzt geändert",
  "Due from": "Fällig ab",
  "Due to": "Fällig bis",
  Sort: "Sortierung",

  Mine: "Meine",
  "Due within 7 days": "In 7 Tagen fällig",
  "Done||tasks": "Erledigt",
  Views: "Ansichten",
  "{tasks}, none overdue": "{tasks}, keine überfällig",
  "{tasks}, {late} overdue": "{tasks}, {late} überfällig",
  "No tasks yet": "Noch keine Aufgaben",
  "Plan here what has to be done on assets and places: inspections, repairs, cleaning, once or again and again. What is due and what is late then stands on top.":
    "Planen Sie hier, was an Anlagen und Orten zu tun ist: Inspektionen, Reparaturen, Reinigung, einmal oder immer wieder. Was fällig und was überfällig ist, steht dann oben.",

  "Nothing is overdue": "Nichts ist überfällig",
  "Everything that had to be done by now is done.":
    "Alles, was bis jetzt zu tun war, ist erledigt.",
  "Nothing is left to do": "Nichts mehr zu tun",
  "Every task is finished.": "Alle Aufgaben sind abgeschlossen.",
  "No task was found": "Keine Aufgabe gefunden",
  "<a>Show all tasks</a>, or change the search.":
    "<a>Alle Aufgaben anzeigen</a> oder die Suche ändern.",

  Anybody: "Alle",

  Task: "Aufgabe",
  "Due at {usage}": "Fällig bei {usage}",

  "Done {when}": "Erledigt {when}",

  "Did you mean one of these?": "Meinten Sie eine von diesen?",
  "Give it to": "Übergeben an",

  "Take it": "Übernehmen",
  "+7 days": "+7 Tage",

  "Enter whom to give it to.": "Geben Sie ein, an wen die Aufgabe geht.",
  "{number} is given to {person}.": "{number} ist {person} zugewiesen.",
  "{number} is due on {day}.": "{number} ist am {day} fällig.",
  "Open the task": "Aufgabe öffnen",

  // Tasks: page
  "Choose a state.": "Wählen Sie einen Status.",
  "The checklist is saved. Every step is done.":
    "Die Checkliste ist gespeichert. Alle Schritte sind erledigt.",
  "The checklist is saved. {left} of {all} left.":
    "Die Checkliste ist gespeichert. Noch {left} von {all} offen.",
  "{number} is open again.": "{number} ist wieder offen.",
  "{number} is on hold.": "{number} ist zurückgestellt.",
  "{number} is scheduled again.": "{number} ist wieder geplant.",
  "Work on {number} has begun.": "Die Arbeit an {number} hat begonnen.",
  "{done} of {all} done": "{done} von {all} erledigt",
  "Save checklist": "Checkliste speichern",
  "(done)": "(erledigt)",
  "(not done)": "(nicht erledigt)",
  Steps: "Schritte",
  Costs: "Kosten",
  Facts: "Angaben",
  "Due by usage": "Fällig nach Nutzung",
  "At {usage}": "Bei {usage}",
  "Asset out of use": "Anlage außer Betrieb",
  "Needed for this work": "Für diese Arbeit nötig",
  Started: "Begonnen",
  "Completed by": "Erledigt von",
  "Next due": "Nächste Fälligkeit",
  "Before this": "Davor",
  "After this": "Danach",

  "Added by": "Hinzugefügt von",
  "None||no workspace": "Keiner",
  "overdue||state of a task": "überfällig",
  "scheduled||state of a task": "geplant",
  "in progress||state of a task": "in Arbeit",
  "on hold||state of a task": "zurückgestellt",
  "completed||state of a task": "erledigt",
  "cancelled||state of a task": "abgesagt",
  "{state}, due {day}": "{state}, fällig am {day}",

  "Medium criticality": "Mittlere Kritikalität",
  "Low criticality": "Niedrige Kritikalität",
  "The asset": "Die Anlage",
  "{asset} is now: available.": "{asset} ist jetzt: verfügbar.",
  "{asset} is now: in use.": "{asset} ist jetzt: in Benutzung.",
  "{asset} is now: in maintenance.": "{asset} ist jetzt: in Wartung.",
  "{asset} is now: out of service.": "{asset} ist jetzt: außer Betrieb.",
  "{asset} is now: stored.": "{asset} ist jetzt: eingelagert.",
  "{asset} is now: retired.": "{asset} ist jetzt: ausgemustert.",
  "The next one, {number}, is due on {day} or at {usage}.":
    "Die nächste, {number}, ist am {day} fällig oder bei {usage}.",
  "The next one, {number}, is due on {day}.": "Die nächste, {number}, ist am {day} fällig.",
  "The next one, {number}, is due at {usage}.": "Die nächste, {number}, ist bei {usage} fällig.",
  "The next one, {number}, is due by the first reading of its meter.":
    "Die nächste, {number}, wird mit dem ersten Zählerstand fällig.",
  "Open {number}": "{number} öffnen",
  "{count, plural, one {# day} other {# days}} late":
    "{count, plural, one {# Tag} other {# Tage}} überfällig",
  "Due {when}": "Fällig {when}",

  Reopen: "Wieder öffnen",
  "Correct the record": "Nachweis berichtigen",
  "Continue work": "Weiterarbeiten",
  "Start work": "Arbeit beginnen",
  "Put on hold": "Zurückstellen",
  "Put back to scheduled": "Wieder auf „Geplant“",
  "The asset is retired": "Die Anlage ist ausgemustert",
  "Its tasks stay as they are and can be changed again when it is restored, on <a>its page</a>.":
    "Ihre Aufgaben bleiben, wie sie sind, und lassen sich wieder ändern, wenn sie wiederhergestellt ist, auf <a>ihrer Seite</a>.",
  History: "Verlauf",
  "every {usage} ({meter})": "alle {usage} ({meter})",
  "{days} or {usage}": "{days} oder {usage}",
  "every {every, plural, =1 {day} other {# days}}":
    "{every, plural, =1 {jeden Tag} other {alle # Tage}}",
  "every {every, plural, =1 {week} other {# weeks}}":
    "{every, plural, =1 {jede Woche} other {alle # Wochen}}",
  "every {every, plural, =1 {month} other {# months}}":
    "{every, plural, =1 {jeden Monat} other {alle # Monate}}",
  "every {every, plural, =1 {year} other {# years}}":
    "{every, plural, =1 {jedes Jahr} other {alle # Jahre}}",
  "{interval} on the first {weekday}": "{interval} am ersten {weekday}",
  "{interval} on the second {weekday}": "{interval} am zweiten {weekday}",
  "{interval} on the third {weekday}": "{interval} am dritten {weekday}",
  "{interval} on the fourth {weekday}": "{interval} am vierten {weekday}",
  "{interval} on the last {weekday}": "{interval} am letzten {weekday}",

  // Plan
  "Change the ticked tasks <soft>of {count, plural, one {# task} other {# tasks}}</soft>":
    "Angekreuzte Aufgaben ändern <soft>von {count, plural, one {# Aufgabe} other {# Aufgaben}}</soft>",
  "1 day later": "1 Tag später",
  "7 days later": "7 Tage später",
  Load: "Auslastung",
  "Load of each person": "Auslastung je Person",
  Total: "Summe",
  "Times are what tasks are estimated to take; tasks without an estimate are counted.":
    "Die Zeiten sind die geschätzten Dauern; Aufgaben ohne Schätzung sind gezählt.",
  "Show all {count}<hidden> people with work</hidden>":
    "Alle {count}<hidden> Personen mit Arbeit</hidden> anzeigen",
  "Show the {max} people with most work": "Die {max} Personen mit der meisten Arbeit anzeigen",
  "{count} people have work. The {max} with most of it are shown.":
    "{count} Personen haben Arbeit. Die {max} mit der meisten sind gezeigt.",
  "Show more that are overdue": "Mehr überfällige anzeigen",
  "Show all {count} that are overdue": "Alle {count} überfälligen anzeigen",
  Today: "Heute",
  "Nothing is due.": "Nichts ist fällig.",
  "{count} more<hidden> on {day}</hidden>": "{count} weitere<hidden> am {day}</hidden>",
  "Tick {task}": "{task} ankreuzen",
  "Expected, repeats": "Erwartet, wiederholt sich",
  "Expected, {repeats}": "Erwartet, {repeats}",
  "Plan, {period}": "Plan, {period}",
  "Previous<hidden> week</hidden>": "Zurück<hidden> zur vorigen Woche</hidden>",
  "Next<hidden> week</hidden>": "Weiter<hidden> zur nächsten Woche</hidden>",
  "Previous<hidden> month</hidden>": "Zurück<hidden> zum vorigen Monat</hidden>",
  "Next<hidden> month</hidden>": "Weiter<hidden> zum nächsten Monat</hidden>",
  Period: "Zeitraum",
  "This week": "Diese Woche",
  "This month": "Dieser Monat",
  Week: "Woche",

  "The first {shown} tasks are shown, more than {rest} are not.":
    "Die ersten {shown} Aufgaben sind zu sehen, mehr als {rest} weitere nicht.",
  "The first {shown} tasks are shown, {rest} are not.":
    "Die ersten {shown} Aufgaben sind zu sehen, {rest} weitere nicht.",
  "There is too much to add up the load of each person.":
    "Es ist zu viel, um die Auslastung je Person zusammenzurechnen.",
  "There is too much work that repeats to foresee all of it.":
    "Es wiederholt sich zu viel, um alles vorauszusehen.",
  "Choose a workspace, a person or a type to see less at once.":
    "Wählen Sie einen Arbeitsbereich, eine Person oder eine Art, um weniger auf einmal zu sehen.",
  "What repeats is foreseen for {days} days.":
    "Was sich wiederholt, ist für {days} Tage vorausgesehen.",
  "Nothing is due": "Nichts ist fällig",
  "Tasks stand here on the day they are due.":
    "Aufgaben stehen hier an dem Tag, an dem sie fällig sind.",
  "See all open tasks": "Alle offenen Aufgaben ansehen",
  "Move to": "Verschieben auf",
  "Move by": "Verschieben um",
  "Tick the tasks that you want to change.": "Kreuzen Sie die Aufgaben an, die Sie ändern wollen.",
  "Tick {max} tasks at most.": "Kreuzen Sie höchstens {max} Aufgaben an.",
  "Enter a day, or choose who is responsible.":
    "Geben Sie einen Tag ein, oder wählen Sie, wer zuständig ist.",
  "Nothing has changed: it was so already.": "Nichts hat sich geändert: Es war schon so.",
  "{count, plural, one {# task is} other {# tasks are}} moved by {by}.":
    "{count, plural, one {# Aufgabe ist} other {# Aufgaben sind}} um {by} verschoben.",
  "{count, plural, one {# task is} other {# tasks are}} reassigned.":
    "{count, plural, one {# Aufgabe ist} other {# Aufgaben sind}} neu zugewiesen.",
  "{count, plural, one {# task is} other {# tasks are}} moved to {day}.":
    "{count, plural, one {# Aufgabe ist} other {# Aufgaben sind}} auf den {day} verschoben.",
  "{from} to {to}": "{from} bis {to}",
  View: "Ansicht",
  From: "Von",

  // Reports
  Decision: "Entscheidung",
  "Same as": "Dasselbe wie",

  "Why nothing is done": "Warum nichts geschieht",
  "The asset can be used": "Die Anlage ist nutzbar",
  Refuse: "Ablehnen",
  "Make it work to do": "Eine Aufgabe daraus machen",
  Accept: "Annehmen",
  "Report: {words}": "Meldung: {words}",
  "It is known already": "Schon bekannt",
  Merge: "Zusammenführen",
  "An answer is enough": "Eine Antwort genügt",
  "Nothing will be done": "Es geschieht nichts",
  "Who reported it reads this.": "Wer es gemeldet hat, liest das.",
  "Put the asset back to “{state}”": "Anlage zurück auf „{state}“ setzen",
  "Your report on {name}": "Ihre Meldung zu {name}",
  "Your report": "Ihre Meldung",
  "The work that came of it is done.": "Die Arbeit daraus ist erledigt.",
  "You wrote": "Sie schrieben",
  Sent: "Gesendet",
  Decided: "Entschieden",
  "Keep the address of this page to look again later.":
    "Merken Sie sich die Adresse dieser Seite, um später wieder nachzusehen.",

  "To see more of it, sign in with an account of {organization}.":
    "Um mehr davon zu sehen, melden Sie sich mit einem Konto von {organization} an.",
  "Cannot be used": "Nicht nutzbar",
  "Without a name": "Ohne Namen",
  "without an account": "ohne Konto",
  "Decide on the report on {name}": "Über die Meldung zu {name} entscheiden",
  Decide: "Entscheiden",
  "By {name}.": "Von {name}.",
  "What you reported": "Was Sie gemeldet haben",
  "What is wrong?": "Was stimmt nicht?",
  "Say what is wrong.": "Sagen Sie, was nicht stimmt.",
  "Can it still be used?": "Ist sie noch nutzbar?",
  "Say whether it can still be used.": "Sagen Sie, ob sie noch nutzbar ist.",

  "Your report has arrived. Thank you.": "Ihre Meldung ist angekommen. Vielen Dank.",
  "Leave the field “Website” empty, it is there to catch programs.":
    "Lassen Sie das Feld „Website“ leer, es fängt Programme ab.",
  "This form was open for very long. Look through it and send it once more.":
    "Dieses Formular war sehr lange offen. Sehen Sie es durch und senden Sie es noch einmal.",
  "Report a problem with {name}": "Problem mit {name} melden",
  Yes: "Ja",
  "It works, with the problem.": "Sie läuft, mit dem Problem.",
  No: "Nein",
  "It is marked as out of service at once.": "Sie gilt sofort als außer Betrieb.",
  "Photo (optional)": "Foto (optional)",

  Website: "Website",
  "Send report": "Meldung senden",
  "Where to tell you what became of it. Both are deleted 90 days after that.":
    "Wohin wir schreiben, was daraus wurde. Beides wird 90 Tage danach gelöscht.",
  "Enter a title.": "Geben Sie einen Titel ein.",
  "Choose what it is the same as.": "Wählen Sie, womit die Meldung übereinstimmt.",
  "Write an answer.": "Schreiben Sie eine Antwort.",
  "Say why nothing is done.": "Sagen Sie, warum nichts geschieht.",
  "Choose one of the buttons.": "Wählen Sie einen der Knöpfe.",
  "The report on {name} is decided.": "Über die Meldung zu {name} ist entschieden.",
  "The report on {name} is decided. The work:":
    "Über die Meldung zu {name} ist entschieden. Die Arbeit:",
  "Show the task": "Aufgabe anzeigen",
  "No report waits for a decision": "Keine Meldung wartet auf eine Entscheidung",
  "What people report at a label lands here. An admin can let anybody with a label report, without an account, under <a>Settings, Organization</a>.":
    "Was an einem Etikett gemeldet wird, landet hier. Ein Admin kann unter <a>Einstellungen, Organisation</a> allen, die vor einem Etikett stehen, das Melden ohne Konto erlauben.",
  Then: "Danach",
  "Report on {name}": "Meldung zu {name}",
  Report: "Meldung",
  "You have reported nothing yet": "Sie haben noch nichts gemeldet",
  "Scan the label of what does not work, or open its page, and choose “Report a problem”.":
    "Scannen Sie das Etikett dessen, was nicht funktioniert, oder öffnen Sie seine Seite, und wählen Sie „Problem melden“.",
  "It waits for somebody to decide on it.": "Noch hat niemand darüber entschieden.",
  "It was accepted, and work on it is planned.":
    "Die Meldung wurde angenommen, Arbeit daran ist geplant.",
  "It was known already, and work on it is planned.":
    "Das war schon bekannt, Arbeit daran ist geplant.",
  "It was answered.": "Die Meldung wurde beantwortet.",
  "It was closed without work on it.": "Die Meldung wurde ohne Arbeit daran abgeschlossen.",

  // Calendar
  "What is due, as far as you see it. Tasks that are done go from the calendar.":
    "Was fällig ist, soweit Sie es sehen. Erledigte Aufgaben verschwinden aus dem Kalender.",
  "my maintenance tasks": "meine Wartungsaufgaben",
  "maintenance tasks": "Wartungsaufgaben",
  "Medium priority": "Mittlere Priorität",
  "Low priority": "Niedrige Priorität",
  "Asset: {asset}": "Anlage: {asset}",
  "Responsible: unassigned": "Zuständig: nicht zugewiesen",
  "Responsible: {name}": "Zuständig: {name}",
  "Estimated: {time}": "Geschätzt: {time}",
  "Repeats {rule}": "Wiederholung: {rule}",

  // History
  "Entered later: {when}": "Nachgetragen: {when}",
  "<b>Fettle</b> <soft>(after work of {actor})</soft>":
    "<b>Fettle</b> <soft>(nach Arbeit von {actor})</soft>",
  "an import||through it": "einen Import",
  "through {app}": "über {app}",
  "All changes made with it": "Alle Änderungen aus demselben Vorgang",
  "{who} added {what}": "{who} hat {what} hinzugefügt",
  "{who} changed the state of {what}": "{who} hat {what} auf einen anderen Status gesetzt",
  "{who} moved {what}": "{who} hat {what} verlegt",
  "{who} changed who is responsible for {what}": "{who} hat {what} neu zugewiesen",
  "{who} retired {what}": "{who} hat {what} ausgemustert",
  "{who} restored {what}": "{who} hat {what} wiederhergestellt",
  "{who} planned {what}": "{who} hat {what} geplant",
  "{who} completed {what}": "{who} hat {what} erledigt",
  "{who} cancelled {what}": "{who} hat {what} abgesagt",
  "added||what happened": "hinzugefügt",
  "changed||what happened": "geändert",
  "state||what happened": "Status",
  "moved||what happened": "verlegt",
  "assigned||what happened": "zugewiesen",
  "retired||what happened": "ausgemustert",
  "restored||what happened": "wiederhergestellt",
  "planned||what happened": "geplant",
  "completed||what happened": "erledigt",
  "cancelled||what happened": "abgesagt",
  "note||what happened": "Notiz",
  "{who} noted": "{who} hat notiert",
  "{who} noted on {what}": "{who} hat zu {what} notiert",
  "{who} saw {what}": "{who} hat {what} gesehen",
  "{who} changed {what}": "{who} hat {what} geändert",
  "this task": "diese Aufgabe",
  "the asset": "die Anlage",
  "this asset": "diese Anlage",
  "was {value}": "war {value}",
  became: "wurde zu",
  empty: "leer",
  "{count, plural, one {step} other {steps}} {steps} done":
    "{count, plural, one {Schritt} other {Schritte}} {steps} erledigt",

  // Changes
  By: "Von",
  Begun: "Begonnen",
  Undone: "Rückgängig gemacht",
  Kept: "Beibehalten",

  "Pages of conflicts": "Seiten der Konflikte",
  "What changed": "Was sich geändert hat",
  "No changes": "Keine Änderungen",
  "Import of {title}": "Import von {title}",
  "Changes by {app}: {title}": "Änderungen durch {app}: {title}",
  "an app": "eine App",
  "Change of {title}": "Änderung von {title}",
  "Redo: {title}": "Wiederhergestellt: {title}",
  "Undo: {title}": "Rückgängig: {title}",
  "{count, plural, one {# conflict} other {# conflicts}}, kept as changed by others":
    "{count, plural, one {# Konflikt} other {# Konflikte}}, beibehalten wie von anderen geändert",
  Redo: "Wiederherstellen",

  "This was undone.": "Das wurde rückgängig gemacht.",
  "See what that changed": "Ansehen, was sich dadurch änderte",
  "An undo of this has begun and isn't finished.":
    "Das wird gerade rückgängig gemacht und ist noch nicht fertig.",
  "See its progress": "Fortschritt ansehen",
  "Still at work": "Läuft noch",
  "Not finished": "Nicht fertig",
  "{records} so far.": "Bisher {records}.",

  "Not changed": "Nicht geändert",
  "Something that you cannot see": "Etwas, das Sie nicht sehen können",
  "The last hour": "Die letzte Stunde",
  "This morning": "Heute Morgen",
  "The last 7 days": "Die letzten 7 Tage",

  "Choose a time.": "Wählen Sie einen Zeitraum.",
  "Undo what {name} did": "Änderungen von {name} rückgängig machen",

  "What {name} changed until {day}.": "Was {name} bis {day} geändert hat.",
  "What {name} changed for {person} until {day}.":
    "Was {name} für {person} bis {day} geändert hat.",
  "What somebody else has changed since is kept. Notes stay in the histories; workspaces, invitations and members are not part of it.":
    "Was jemand anders seitdem geändert hat, bleibt. Notizen bleiben im Verlauf; Arbeitsbereiche, Einladungen und Mitglieder gehören nicht dazu.",

  "What was permanently deleted cannot be undone.":
    "Was endgültig gelöscht ist, lässt sich nicht zurückholen.",
  "Nothing to undo": "Nichts rückgängig zu machen",
  "{name} changed no asset and no task in this time.":
    "{name} hat in dieser Zeit keine Anlage und keine Aufgabe geändert.",
  becomes: "wird zu",
  "Conflict:": "Konflikt:",
  "stays as it is. {why}": "bleibt, wie es ist. {why}",
  "{label} stays as it is. {why}": "„{label}“ bleibt, wie es ist. {why}",
  "{label} was changed since, and stays as it is.":
    "„{label}“ wurde seitdem geändert und bleibt, wie es ist.",
  "{label} was changed by {by} since, and stays as it is.":
    "„{label}“ wurde seitdem von {by} geändert und bleibt, wie es ist.",
  "somebody has worked on it since, so it stays.":
    "seitdem hat jemand daran gearbeitet, deshalb bleibt es.",
  "somebody has worked on it since ({by}), so it stays.":
    "seitdem hat jemand daran gearbeitet ({by}), deshalb bleibt es.",
  "Will be retired": "Wird ausgemustert",
  "Will be cancelled": "Wird abgesagt",

  // Scripts
  "Choose all": "Alle auswählen",
  Copy: "Kopieren",
  Copied: "Kopiert",

  // As elsewhere
  Answer: "Antworten",
} as const;
