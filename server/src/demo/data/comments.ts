import { readTable } from "./tables.js";

/** Comments on open work, or without a title on the asset: working days before the reference day. */
export const comments = readTable(
  "on title daysAgo by text",
  `
Rooftop unit R6, reading room | Replace compressor | 1 | rosa | Nordlicht confirms the compressor for next week. The crane has to stand in the fire lane, @Ana Keller. ~ Nordlicht bestätigt den Verdichter für nächste Woche. Der Kran muss in die Feuerwehrzufahrt, @Ana Keller.
Rooftop unit R6, reading room | Replace compressor | 1 | ana  | Fire lane is agreed for Thursday from 7 to 11. ~ Die Feuerwehrzufahrt ist für Donnerstag von 7 bis 11 Uhr abgestimmt.
Lift E, goods | Replace guide shoes | 2 | pavel | The deck is closed on Tuesday night. Liftwerk comes at 20:00, I let them in. ~ Das Deck ist Dienstagnacht gesperrt. Liftwerk kommt um 20 Uhr, ich lasse sie rein.
Boiler 2, peak load | Descale heat exchanger | 1 | sven | pH is still at 2.1 after four hours. I leave it in overnight. ~ Nach vier Stunden noch pH 2,1. Ich lasse es über Nacht drin.
Boiler 2, peak load | Descale heat exchanger | 1 | marek | Good. Please note the flow temperature before and after, for the insurer. ~ Gut. Bitte Vorlauftemperatur vorher und nachher notieren, für den Versicherer.
Filter pump 1, large basin | Change filter sand | 1 | hugo | @Dara Novak three bags of 0.4-0.8 mm are missing, the supplier sent 1-2 mm. ~ @Dara Novak, es fehlen drei Säcke 0,4-0,8 mm, geliefert wurden 1-2 mm.
Filter pump 1, large basin | Change filter sand | 1 | dara | Exchange is on its way, should be there at noon. ~ Umtausch ist unterwegs, sollte mittags da sein.
Market Hall | Paint floor markings | 2 | rosa | Stall holders asked for a Monday, when the hall is closed. ~ Die Händler bitten um einen Montag, wenn die Halle zu ist.
AHU 2, offices south | Fix rattling duct cover | 2 | bob | It is not the cover, a hanger came loose. Needs the long ladder. ~ Es ist nicht die Abdeckung, eine Aufhängung ist lose. Braucht die lange Leiter.
Circulation pump, heating circuit 1 | | 4 | sven | Third seal this year. I think the shaft is worn, look at it with a dial gauge next time. ~ Dritte Dichtung in diesem Jahr. Ich glaube, die Welle ist eingelaufen, nächstes Mal mit der Messuhr prüfen.
Circulation pump, heating circuit 1 | | 3 | marek | A new Flow 50 costs about as much as four seals with labor. I put it into next year's budget. ~ Eine neue Flow 50 kostet etwa so viel wie vier Dichtungen mit Arbeit. Ich nehme sie ins nächste Budget.
Generator G1, data centre | | 5 | eva | The load bank is booked for the quarterly test, @Marek Vesely. ~ Die Lastbank für den Quartalstest ist gebucht, @Marek Vesely.
`,
).map((row) => ({ ...row, daysAgo: Number(row.daysAgo) }));
