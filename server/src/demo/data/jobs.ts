import type { TaskType } from "../../db/entities/tasks.js";
import { readTable } from "./tables.js";

/**
 * Single jobs on the assets of a category. Short ones were done lately, the ones of half a day and
 * more are planned for later. An asset has each job once.
 */
export const singleJobs = readTable(
  "category title type minutes note",
  `
Generators         | Top up diesel ~ Diesel nachtanken | other | 25 | 400 l delivered, tank at 92 %. ~ 400 l geliefert, Tank bei 92 %.
Generators         | Clean battery terminals ~ Batteriepole reinigen | preventive | 20 |
Generators         | Renew warning signs ~ Warnschilder erneuern | improvement | 15 |
Generators         | Replace coolant hoses ~ Kühlschläuche tauschen | preventive | 420 |
Generators         | Clean fuel tank ~ Kraftstofftank reinigen | preventive | 540 |
Boilers            | Top up softener salt ~ Regeneriersalz nachfüllen | preventive | 15 | Two bags used, six left. ~ Zwei Säcke verbraucht, sechs übrig.
Boilers            | Check flue connections ~ Abgasanschlüsse prüfen | inspection | 20 |
Boilers            | Clean strainer ~ Schmutzfänger reinigen | preventive | 25 | Full of scale. Look again in a month. ~ Voller Kalk. In einem Monat nachsehen.
Boilers            | Renew pipe insulation ~ Rohrdämmung erneuern | improvement | 480 |
Boilers            | Replace shut-off valves ~ Absperrventile tauschen | preventive | 540 |
Lifts              | Clean door sills ~ Türschwellen reinigen | preventive | 15 |
Lifts              | Replace cabin lamp ~ Kabinenlampe tauschen | preventive | 20 |
Lifts              | Renew load plate ~ Traglastschild erneuern | improvement | 15 |
Lifts              | Check pit for water ~ Grube auf Wasser prüfen | inspection | 15 | Dry. ~ Trocken.
Lifts              | Renew cabin floor ~ Kabinenboden erneuern | improvement | 600 |
Lifts              | Replace landing indicators ~ Etagenanzeigen tauschen | preventive | 480 |
Lifts              | Clean and paint pit ~ Schachtgrube reinigen und streichen | preventive | 540 |
Air handling units | Clean intake grille ~ Ansauggitter reinigen | preventive | 20 |
Air handling units | Check belt tension ~ Riemenspannung prüfen | inspection | 15 |
Air handling units | Clean condensate tray ~ Kondensatwanne reinigen | preventive | 25 | Siphon was dry, filled. ~ Siphon war trocken, aufgefüllt.
Air handling units | Adjust time schedule ~ Zeitprogramm anpassen | improvement | 15 |
Air handling units | Clean heat exchanger ~ Wärmetauscher reinigen | preventive | 480 |
Air handling units | Replace flexible connectors ~ Segeltuchstutzen tauschen | preventive | 420 |
Air handling units | Renew duct insulation ~ Kanaldämmung erneuern | improvement | 600 |
UPS                | Clean fan filter ~ Lüfterfilter reinigen | preventive | 15 |
UPS                | Read event log ~ Ereignisspeicher auslesen | inspection | 15 | Two short dips, both under a second. ~ Zwei kurze Einbrüche, beide unter einer Sekunde.
UPS                | Replace capacitors ~ Kondensatoren tauschen | preventive | 480 |
Compressors        | Blow out cooler ~ Kühler ausblasen | preventive | 25 |
Compressors        | Change intake filter ~ Ansaugfilter wechseln | preventive | 20 |
Compressors        | Check pressure switch ~ Druckschalter prüfen | inspection | 15 |
Compressors        | Renew intake duct ~ Ansaugkanal erneuern | improvement | 480 |
Compressors        | Replace air dryer ~ Drucklufttrockner tauschen | preventive | 540 |
Defibrillators     | Clean cabinet ~ Schrank reinigen | preventive | 10 |
Defibrillators     | Check signs on the way ~ Wegweiser prüfen | inspection | 10 |
Rooftop units      | Clear roof drain ~ Dachablauf freimachen | preventive | 20 |
Rooftop units      | Tighten cover panels ~ Abdeckbleche festschrauben | preventive | 20 | Two screws were missing. ~ Zwei Schrauben fehlten.
Rooftop units      | Wash outdoor coil ~ Außenregister abspritzen | preventive | 30 |
Rooftop units      | Check temperature sensor ~ Temperaturfühler prüfen | inspection | 15 | Read 1.5 K too high, offset entered. ~ Zeigte 1,5 K zu viel, Korrektur eingetragen.
Rooftop units      | Straighten and seal casing ~ Gehäuse richten und abdichten | corrective | 420 |
Rooftop units      | Replace control board ~ Steuerplatine tauschen | preventive | 360 |
Pumps              | Bleed and check pressure ~ Entlüften und Druck prüfen | inspection | 15 |
Pumps              | Clean motor fan cover ~ Lüfterhaube des Motors reinigen | preventive | 15 |
Pumps              | Tighten terminals ~ Klemmen nachziehen | preventive | 15 |
Pumps              | Renew type label ~ Typenschild erneuern | improvement | 10 |
Pumps              | Overhaul motor ~ Motor überholen | preventive | 480 |
Pumps              | Replace vibration dampers ~ Schwingungsdämpfer tauschen | preventive | 360 |
Centrifuges        | Disinfect chamber ~ Kammer desinfizieren | preventive | 25 |
Centrifuges        | Grease rotor seat ~ Rotorsitz fetten | preventive | 15 |
Centrifuges        | Check lid lock ~ Deckelverriegelung prüfen | inspection | 15 |
Centrifuges        | Overhaul drive ~ Antrieb überholen | preventive | 420 |
Vans               | Top up oil and washer fluid ~ Öl und Wischwasser nachfüllen | preventive | 15 |
Vans               | Check tyre pressure ~ Reifendruck prüfen | inspection | 15 | Rear left was half a bar low. ~ Hinten links fehlte ein halbes Bar.
Vans               | Replace wiper blades ~ Wischerblätter tauschen | preventive | 15 |
Vans               | Clean load area ~ Laderaum reinigen | other | 30 |
Vans               | Treat underbody ~ Unterboden behandeln | preventive | 480 |
Vans               | Fit roof rack ~ Dachträger montieren | improvement | 360 |
Forklifts          | Top up battery water ~ Batteriewasser nachfüllen | preventive | 20 |
Forklifts          | Grease mast ~ Mast fetten | preventive | 25 |
Forklifts          | Check lights and horn ~ Licht und Hupe prüfen | inspection | 10 | One rear light dead, bulb replaced. ~ Ein Rücklicht defekt, Birne getauscht.
Forklifts          | Replace tyres ~ Reifen tauschen | preventive | 420 |
Forklifts          | Overhaul steering axle ~ Lenkachse überholen | preventive | 540 |
Network switches   | Tidy patch cables ~ Patchkabel ordnen | improvement | 30 |
Network switches   | Back up configuration ~ Konfiguration sichern | preventive | 10 |
Network switches   | Update port labels ~ Portbeschriftung aktualisieren | improvement | 20 | Four ports free. ~ Vier Ports frei.
Network switches   | Replace power cables ~ Netzkabel tauschen | preventive | 360 |
Fire extinguishers | Clear access ~ Zugang freiräumen | other | 10 |
Fire extinguishers | Refit sign ~ Schild neu befestigen | other | 10 |
Fire extinguishers | Tighten bracket ~ Halterung festschrauben | preventive | 10 |
Laptops            | Install updates ~ Updates installieren | preventive | 20 |
Laptops            | Clean keyboard and fan ~ Tastatur und Lüfter reinigen | preventive | 15 |
Fire alarm systems | Go through the log book ~ Betriebsbuch durchsehen | inspection | 15 |
Fire alarm systems | Replace printer paper ~ Druckerpapier tauschen | other | 10 |
Fire alarm systems | Replace detectors, loop 2 ~ Melder tauschen, Ring 2 | preventive | 600 |
Emergency lighting | Clean lamp covers ~ Leuchtenabdeckungen reinigen | preventive | 30 |
Emergency lighting | Replace pictogram ~ Piktogramm tauschen | preventive | 15 |
Emergency lighting | Compare lamps with the plan ~ Leuchten mit dem Plan abgleichen | inspection | 420 |
Doors and gates    | Clean light barrier ~ Lichtschranke reinigen | preventive | 10 |
Doors and gates    | Adjust closing speed ~ Schließgeschwindigkeit einstellen | preventive | 20 |
Doors and gates    | Tighten fixings ~ Befestigungen nachziehen | preventive | 20 |
Doors and gates    | Replace drive ~ Antrieb tauschen | preventive | 540 |
Water systems      | Read water meter ~ Wasserzähler ablesen | inspection | 10 |
Water systems      | Check pipes for leaks ~ Leitungen auf Lecks prüfen | inspection | 20 |
Water systems      | Replace valves and gauges ~ Armaturen und Manometer tauschen | preventive | 480 |
Floors and facades | Remove stains ~ Flecken entfernen | other | 25 |
Floors and facades | Photograph damage ~ Schäden fotografieren | inspection | 20 |
Floors and facades | Repair joints ~ Fugen ausbessern | corrective | 480 |
`,
).map((row) => ({ ...row, type: row.type as TaskType, minutes: Number(row.minutes) }));

/** Jobs done on each of the last working days, and on the ones before that. */
export const jobsDone = [
  { days: 62, perDay: 3.5 },
  { days: 25, perDay: 1.8 },
  { days: 25, perDay: 0.6 },
];

/** Long jobs of each technician in the weeks after the next, and the share of technicians. */
export const jobsAhead = [
  { each: 2, of: 1 },
  { each: 2, of: 0.8 },
  { each: 2, of: 0.7 },
  { each: 1, of: 1 },
  { each: 1, of: 0.8 },
  { each: 1, of: 0.5 },
];
