import type { AssetState, Criticality } from "../../db/entities/assets.js";
import type { OrganizationRole, WorkspaceRole } from "../../domain/access/caller.js";
import { readList, readPairs, readRange, readTable } from "./tables.js";

/*
 * Northgate Facilities looks after ten sites in Berlin and Potsdam. Manufacturers, models and
 * people are invented.
 */

/** The kinds of assets. `parts` names a child asset of each. Readings grow by `perMonth`. */
export const kinds = readTable(
  "category criticality models price warranty meter perMonth part",
  `
Generators ~ Notstromaggregate         | critical | Duremont GX 250; Duremont GX 400                      | 28000-60000 | 5 | Operating hours ~ Betriebsstunden; h | 9-14      |
Boilers ~ Heizkessel                   | high     | Norrbeck Therm 300; Norrbeck Therm 500; Galdine B 40  | 18000-42000 | 5 |                    |           |
UPS ~ USV-Anlagen                      | critical | Elsted Guard 20; Elsted Guard 60; Tessaro U 15        | 4000-15000  | 3 |                    |           |
Lifts ~ Aufzüge                        | high     | Aldring Vertica 8; Aldring Vertica 13; Hestrup L 1000 | 45000-90000 | 5 |                    |           | Door drive ~ Türantrieb
Air handling units ~ Lüftungsanlagen   | medium   | Velmora AH 450; Velmora AH 900; Norrbeck Klima 7      | 9000-24000  | 3 |                    |           | Supply fan ~ Zuluftventilator
Compressors ~ Kompressoren             | high     | Brunvik K 11; Brunvik K 22; Ironvale Airo 15          | 3500-9000   | 2 | Operating hours ~ Betriebsstunden; h | 290-330   |
Defibrillators ~ Defibrillatoren       | critical | Medrona AED 5; Halvorsen Beat 2                       | 1100-1900   | 5 |                    |           |
Rooftop units ~ Dachklimageräte        | medium   | Velmora RT 60; Kestrin Dachline 4                     | 7000-15000  | 3 |                    |           |
Pumps ~ Pumpen                         | medium   | Brunvik Flow 32; Brunvik Flow 50; Galdine P 80        | 600-2400    | 2 |                    |           |
Centrifuges ~ Zentrifugen              | high     | Medrona Spin 4; Medrona Spin 12                       | 3000-12000  | 2 |                    |           |
Vans ~ Transporter                     | medium   | Corvane Carry L2; Corvane Carry L3; Jorund Transit E  | 24000-38000 | 3 | Mileage ~ Kilometerstand; km        | 1150-1900 |
Forklifts ~ Gabelstapler               | medium   | Fenwark Lift 16; Fenwark Lift 25; Ironvale Stack 2    | 17000-29000 | 2 | Operating hours ~ Betriebsstunden; h | 55-85     |
Network switches ~ Netzwerk-Switches   | medium   | Lumeris NS 24; Lumeris NS 48; Tessaro Link 10         | 700-3100    | 3 |                    |           |
Fire extinguishers ~ Feuerlöscher      | medium   | Halvorsen F 6; Halvorsen F 9                          | 60-140      | 2 |                    |           |
Laptops                                | low      | Tessaro Note 15; Tessaro Note 13; Quillon Slate 14    | 900-1900    | 3 |                    |           |
Fire alarm systems ~ Brandmeldeanlagen | critical | Halvorsen Alert 8; Elsted Melder 4                    | 9000-21000  | 5 |                    |           |
Emergency lighting ~ Notbeleuchtung    | high     | Elsted Lumen C; Lumeris Exit 2                        | 4000-9000   | 3 |                    |           |
Doors and gates ~ Türen und Tore       | medium   | Hestrup Slide 3; Aldring Gate 6                       | 2500-8000   | 3 |                    |           |
Water systems ~ Wasseranlagen          | high     | Galdine Aqua 20; Brunvik Pure 5                       | 8000-26000  | 3 |                    |           |
Floors and facades ~ Böden und Fassaden | low     | Kestrin Surface 2; Norrbeck Deck 9                    | 12000-38000 | 5 |                    |           |
`,
).map((row) => ({
  ...row,
  criticality: row.criticality as Criticality,
  models: readList(row.models),
  price: readRange(row.price),
  warranty: Number(row.warranty),
  perMonth: readRange(row.perMonth),
}));

/** Workspaces on one site share its address. */
export const workspaces = readTable(
  "name address description",
  `
Main Facility ~ Hauptgebäude             | Nordring 12, Berlin    | Offices and production hall. Deliveries at gate 2, keys at reception. ~ Büros und Produktionshalle. Anlieferung an Tor 2, Schlüssel am Empfang.
Boiler House ~ Kesselhaus                | Nordring 12, Berlin    | Heat for the Nordring site. Enter only with ear protection. ~ Wärme für den Standort Nordring. Zutritt nur mit Gehörschutz.
Archive Building ~ Archiv                | Nordring 12, Berlin    | Paper archive on four levels, kept dry and cool. ~ Papierarchiv auf vier Ebenen, kühl und trocken.
Workshop ~ Werkstatt                     | Nordring 12, Berlin    | Our own repairs, welding bay and parts store. ~ Eigene Reparaturen, Schweißplatz und Ersatzteillager.
Data Centre ~ Rechenzentrum              | Nordring 20, Berlin    | Two feeds, cold aisles. Sign in with the duty engineer first. ~ Zwei Einspeisungen, Kaltgänge. Zuerst beim Bereitschaftsdienst anmelden.
Office Tower, floors 1-4 ~ Büroturm, Etagen 1-4 | Nordring 8, Berlin | Reception and meeting rooms. ~ Empfang und Besprechungsräume.
Office Tower, floors 5-8 ~ Büroturm, Etagen 5-8 | Nordring 8, Berlin | Open-plan offices. Plant room on the roof. ~ Großraumbüros. Technikzentrale auf dem Dach.
Parking Deck ~ Parkdeck                  | Nordring 8, Berlin     | Five levels, goods lift at the back. ~ Fünf Ebenen, Lastenaufzug hinten.
Riverside Clinic ~ Klinik am Ufer        | Uferweg 4, Berlin      | Day clinic. Ask the ward before you switch anything off. ~ Tagesklinik. Vor jedem Abschalten die Station fragen.
Laboratory Building ~ Laborgebäude       | Uferweg 4, Berlin      | Test laboratory on two floors. Overshoes in the lock. ~ Prüflabor auf zwei Etagen. Überschuhe in der Schleuse.
Vehicle Yard East ~ Fuhrpark Ost         | Ostkai 3, Berlin       | Vans and charging points. Key cabinet in the office. ~ Transporter und Ladepunkte. Schlüsselschrank im Büro.
Vehicle Yard West ~ Fuhrpark West        | Westkai 18, Berlin     | Vans for the western tour. ~ Transporter für die Westtour.
Vehicle Yard South ~ Fuhrpark Süd        | Am Stadtrand 5, Berlin | Winter service and heavy loads. ~ Winterdienst und schwere Lasten.
Print Works ~ Druckerei                  | Gewerbehof 2, Berlin   | Three presses, two shifts. Stop times with the shift leader. ~ Drei Maschinen, zwei Schichten. Stillstand mit der Schichtleitung absprechen.
Swimming Hall ~ Schwimmhalle             | Badstrasse 7, Potsdam  | Public pool. Plant room below the small basin. ~ Öffentliches Bad. Technikraum unter dem kleinen Becken.
Town Library ~ Stadtbibliothek           | Am Markt 9, Potsdam    | Listed building, quiet hours until noon. ~ Denkmalgeschützt, Ruhezeit bis mittags.
Market Hall ~ Markthalle                 | Am Markt 9, Potsdam    | Forty stalls. Work before 7:00 or after 15:00. ~ Vierzig Stände. Arbeiten vor 7 Uhr oder nach 15 Uhr.
`,
);

/**
 * The first person owns the organization. Technicians have `hours` of planned work a week and do
 * all work; the others manage or drive. `joined` and `lastActive` are days before the reference day.
 * "never": has never signed in. `app` is the app that the person works with.
 */
export const people = readTable(
  "name job role hours joined lastActive app workspaces",
  `
Dara Novak      | Head of facilities ~ Leitung Gebäudemanagement              | owner  |    |     | 0   | Desk Assistant   |
Ana Keller      | Service coordinator ~ Serviceleitung                        | admin  |    |     | 0   |                  |
Marek Vesely    | Energy manager ~ Energiemanagement                          | admin  |    |     | 0   |                  |
Ingrid Solheim  | Finance controller ~ Controlling                            | admin  |    | 610 | 5   |                  |
Bob Ferreira    | Ventilation technician ~ Lüftungstechnik                    | member | 31 |     | 0   | Pocket Assistant | Main Facility: admin; Boiler House: member; Workshop: member
Chidi Okafor    | Fleet supervisor, east ~ Fuhrparkleitung Ost                | member |    |     | 3   |                  | Vehicle Yard East: admin; Vehicle Yard South: member
Eva Lindqvist   | Electrical engineer ~ Elektrotechnik                        | member | 34 |     | 0   | Desk Assistant   | Data Centre: admin; Office Tower, floors 1-4: member; Office Tower, floors 5-8: member
Frank Weber     | Workplace safety officer ~ Arbeitssicherheit                | member |    |     | 6   |                  | Main Facility: viewer; Office Tower, floors 1-4: viewer; Town Library: viewer; Market Hall: viewer
Gita Rao        | Medical technician ~ Medizintechnik                         | member | 28 |     | 0   |                  | Riverside Clinic: admin; Laboratory Building: member
Hugo Martins    | Pool technician ~ Bädertechnik                              | member | 33 |     | 1   | Pocket Assistant | Swimming Hall: admin; Boiler House: member
Ilse Brandt     | Laboratory technician ~ Labortechnik                        | member | 0  |     | 96  |                  | Laboratory Building: admin
Jonas Vogel     | Vehicle mechanic ~ Kfz-Werkstatt                            | member | 30 |     | 0   |                  | Vehicle Yard West: admin; Vehicle Yard East: member; Vehicle Yard South: member
Katja Horvat    | Driver ~ Fahrdienst                                         | member |    |     | 2   |                  | Vehicle Yard East: member; Vehicle Yard West: member; Vehicle Yard South: member
Liam Byrne      | Fleet supervisor, south ~ Fuhrparkleitung Süd               | member |    |     | 0   |                  | Vehicle Yard South: admin; Vehicle Yard East: member
Mina Sato       | Archivist ~ Archiv                                          | member |    |     | 8   |                  | Main Facility: member; Archive Building: admin; Town Library: member
Nils Andersen   | Machine technician ~ Maschinentechnik                       | member | 26 |     | 0   |                  | Print Works: member; Main Facility: member
Olga Petrova    | Building technician ~ Haustechnik                           | member | 24 |     | 1   |                  | Boiler House: member; Laboratory Building: member; Archive Building: member
Pavel Dvorak    | Lift technician ~ Aufzugstechnik                            | member | 35 |     | 0   | Pocket Assistant | Office Tower, floors 1-4: admin; Office Tower, floors 5-8: admin; Parking Deck: member; Data Centre: member
Quentin Moreau  | Machine technician ~ Maschinentechnik                       | member | 0  |     | 118 |                  | Print Works: member; Market Hall: member
Rosa Conti      | Refrigeration technician ~ Kältetechnik                     | member | 29 |     | 1   |                  | Market Hall: admin; Town Library: member
Sven Olsen      | Heating technician ~ Heizungstechnik                        | member | 32 |     | 0   |                  | Main Facility: member; Workshop: admin; Boiler House: admin
Tara Singh      | Network planner ~ Netzplanung                               | member |    | 45  | 2   |                  | Data Centre: member; Main Facility: viewer
Umar Khan       | Building technician ~ Haustechnik                           | member | 0  |     | 141 |                  | Market Hall: member; Town Library: admin
Vera Nowak      | Site manager, print works ~ Objektleitung Druckerei         | member |    |     | 4   |                  | Print Works: admin; Swimming Hall: member
Wim de Boer     | Building technician ~ Haustechnik                           | member | 0  |     | 203 |                  | Parking Deck: member; Vehicle Yard West: member
Yusuf Demir     | Trainee ~ Ausbildung                                        | member |    | 12  | never |                | Main Facility: viewer
`,
).map((row) => ({
  ...row,
  key: row.name.slice(0, row.name.indexOf(" ")).toLowerCase(),
  role: row.role as OrganizationRole,
  workspaces: readPairs(row.workspaces) as [name: string, role: WorkspaceRole][],
  joined: row.joined === "" ? 735 : Number(row.joined),
  lastActive: row.lastActive === "never" ? null : Number(row.lastActive),
}));

export type Person = (typeof people)[number];

/** A location follows "@". A laptop or van after "·" belongs to that person. */
const assetLists = readTable(
  "category workspace names",
  `
Air handling units | Main Facility | AHU 1, offices north ~ Lüftung 1, Büros Nord @ Roof, north ~ Dach Nord; AHU 2, offices south ~ Lüftung 2, Büros Süd @ Roof, south ~ Dach Süd
Lifts              | Main Facility | Lift A, main entrance ~ Aufzug A, Haupteingang @ Staircase A ~ Treppenhaus A; Lift B, canteen ~ Aufzug B, Kantine @ Staircase B ~ Treppenhaus B
Generators         | Main Facility | Generator G2, main building ~ Notstrom G2, Hauptgebäude @ Yard, gate 2 ~ Hof, Tor 2
UPS                | Main Facility | UPS, reception ~ USV, Empfang @ Reception, cabinet ~ Empfang, Schrank; UPS, production line ~ USV, Fertigungslinie @ Hall, bay 1 ~ Halle, Feld 1
Compressors        | Main Facility | Compressor K1, production hall ~ Kompressor K1, Produktionshalle @ Hall, bay 3 ~ Halle, Feld 3
Rooftop units      | Main Facility | Rooftop unit R1, canteen ~ Dachklima R1, Kantine @ Roof, east ~ Dach Ost; Rooftop unit R2, meeting rooms ~ Dachklima R2, Besprechung @ Roof, west ~ Dach West
Pumps              | Main Facility | Heating pump, offices ~ Heizungspumpe, Büros @ Basement, room 4 ~ Keller, Raum 4; Rainwater pump, yard ~ Regenwasserpumpe, Hof @ Yard, shaft 2 ~ Hof, Schacht 2
Network switches   | Main Facility | Core switch A ~ Core-Switch A @ Server room, rack 1 ~ Serverraum, Rack 1; Switch, 2nd floor ~ Switch, 2. Etage @ Distributor 2 ~ Verteiler 2; Switch, production hall ~ Switch, Produktionshalle @ Hall, bay 2 ~ Halle, Feld 2
Fire extinguishers | Main Facility | Fire extinguisher, reception ~ Feuerlöscher, Empfang @ Beside the desk ~ Neben dem Tresen; Fire extinguisher, canteen ~ Feuerlöscher, Kantine @ Beside the exit ~ Neben dem Ausgang; Fire extinguisher, hall, bay 1 ~ Feuerlöscher, Halle, Feld 1 @ Hall, bay 1 ~ Halle, Feld 1; Fire extinguisher, server room ~ Feuerlöscher, Serverraum @ Server room ~ Serverraum
Defibrillators     | Main Facility | Defibrillator, production hall ~ Defibrillator, Produktionshalle @ Hall, first-aid point ~ Halle, Erste-Hilfe-Punkt
Fire alarm systems | Main Facility | Fire alarm panel, main building ~ Brandmeldezentrale, Hauptgebäude @ Reception, back room ~ Empfang, Nebenraum
Emergency lighting | Main Facility | Emergency lighting, main building ~ Notbeleuchtung, Hauptgebäude @ Basement, room 2 ~ Keller, Raum 2
Doors and gates    | Main Facility | Sliding gate, gate 2 ~ Schiebetor, Tor 2 @ Gate 2 ~ Tor 2
Floors and facades | Main Facility | Production hall floor ~ Boden der Produktionshalle @ Hall ~ Halle
Laptops            | Main Facility | Tessaro Note 15 · Mina Sato; Tessaro Note 13 · Bob Ferreira; Tessaro Note 15 · Sven Olsen; Quillon Slate 14 · Nils Andersen; Tessaro Note 15 · Dara Novak; Tessaro Note 15 · Ana Keller; Quillon Slate 14, loan 1 ~ Quillon Slate 14, Leihgerät 1 @ IT store ~ IT-Lager; Quillon Slate 14, loan 2 ~ Quillon Slate 14, Leihgerät 2 @ IT store ~ IT-Lager; Tessaro Note 13, front desk ~ Tessaro Note 13, Empfang @ Reception ~ Empfang
Boilers            | Boiler House | Boiler 1, base load ~ Kessel 1, Grundlast @ Bay 1 ~ Feld 1; Boiler 2, peak load ~ Kessel 2, Spitzenlast @ Bay 2 ~ Feld 2; Boiler 3, hot water ~ Kessel 3, Warmwasser @ Bay 3 ~ Feld 3
Pumps              | Boiler House | Circulation pump, heating circuit 2 ~ Umwälzpumpe, Heizkreis 2 @ Circuit 2 ~ Heizkreis 2; Circulation pump, hot water ~ Zirkulationspumpe, Warmwasser @ Bay 3 ~ Feld 3
Fire extinguishers | Boiler House | Fire extinguisher, boiler house ~ Feuerlöscher, Kesselhaus @ Beside the door ~ Neben der Tür
Air handling units | Archive Building | AHU 3, archive ~ Lüftung 3, Archiv @ Level 4 ~ Ebene 4
Emergency lighting | Archive Building | Emergency lighting, archive ~ Notbeleuchtung, Archiv @ Level 1, staircase ~ Ebene 1, Treppenhaus
Compressors        | Workshop | Compressor K3, workshop ~ Kompressor K3, Werkstatt @ Parts store ~ Teilelager
Forklifts          | Workshop | Forklift F1, parts store ~ Stapler F1, Teilelager @ Parts store ~ Teilelager
Fire extinguishers | Workshop | Fire extinguisher, welding bay ~ Feuerlöscher, Schweißplatz @ Welding bay ~ Schweißplatz
UPS                | Data Centre | UPS A, feed A ~ USV A, Einspeisung A @ Power room A ~ Stromraum A; UPS B, feed B ~ USV B, Einspeisung B @ Power room B ~ Stromraum B
Air handling units | Data Centre | AHU 4, cold aisle 1 ~ Lüftung 4, Kaltgang 1 @ Hall 1 ~ Saal 1; AHU 5, cold aisle 2 ~ Lüftung 5, Kaltgang 2 @ Hall 2 ~ Saal 2
Network switches   | Data Centre | Spine switch 1 ~ Spine-Switch 1 @ Rack A1; Spine switch 2 ~ Spine-Switch 2 @ Rack B1; Leaf switch A4 ~ Leaf-Switch A4 @ Rack A4; Leaf switch B4 ~ Leaf-Switch B4 @ Rack B4
Fire alarm systems | Data Centre | Fire alarm panel, data centre ~ Brandmeldezentrale, Rechenzentrum @ Lock ~ Schleuse
Fire extinguishers | Data Centre | Fire extinguisher, hall 1 ~ Feuerlöscher, Saal 1 @ Hall 1 ~ Saal 1
Lifts              | Office Tower, floors 1-4 | Lift C, tower west ~ Aufzug C, Turm West @ Lobby; Lift D, tower east ~ Aufzug D, Turm Ost @ Lobby
Laptops            | Office Tower, floors 1-4 | Tessaro Note 15 · Eva Lindqvist; Tessaro Note 13 · Pavel Dvorak
Fire extinguishers | Office Tower, floors 1-4 | Fire extinguisher, tower lobby ~ Feuerlöscher, Turmlobby @ Lobby
Defibrillators     | Office Tower, floors 1-4 | Defibrillator, tower lobby ~ Defibrillator, Turmlobby @ Lobby
Fire alarm systems | Office Tower, floors 1-4 | Fire alarm panel, tower ~ Brandmeldezentrale, Turm @ Lobby
Emergency lighting | Office Tower, floors 1-4 | Emergency lighting, tower ~ Notbeleuchtung, Turm @ Distributor 1 ~ Verteiler 1
Floors and facades | Office Tower, floors 1-4 | Glass facade, tower ~ Glasfassade, Turm @ All sides ~ Alle Seiten
Air handling units | Office Tower, floors 5-8 | AHU 6, tower ~ Lüftung 6, Turm @ Roof plant room ~ Dachzentrale
Network switches   | Office Tower, floors 5-8 | Switch, tower 6th floor ~ Switch, Turm 6. Etage @ Distributor 6 ~ Verteiler 6
Rooftop units      | Office Tower, floors 5-8 | Rooftop unit R3, tower ~ Dachklima R3, Turm @ Roof ~ Dach
Lifts              | Parking Deck | Lift E, goods ~ Aufzug E, Lasten @ Level 0, back ~ Ebene 0, hinten
Pumps              | Parking Deck | Sump pump, level -1 ~ Schmutzwasserpumpe, Ebene -1 @ Level -1 ~ Ebene -1
Doors and gates    | Parking Deck | Barrier, car park entrance ~ Schranke, Parkhauseinfahrt @ Level 0, front ~ Ebene 0, vorn
Floors and facades | Parking Deck | Parking deck surface ~ Belag des Parkdecks @ All levels ~ Alle Ebenen
Lifts              | Riverside Clinic | Lift F, beds ~ Aufzug F, Betten @ East wing ~ Ostflügel
Generators         | Riverside Clinic | Generator G3, clinic ~ Notstrom G3, Klinik @ Courtyard ~ Innenhof
Centrifuges        | Riverside Clinic | Centrifuge C1, ward laboratory ~ Zentrifuge C1, Stationslabor @ Room 114 ~ Raum 114; Centrifuge C2, blood bank ~ Zentrifuge C2, Blutbank @ Room 116 ~ Raum 116
Defibrillators     | Riverside Clinic | Defibrillator, ward 1 ~ Defibrillator, Station 1 @ Ward 1 ~ Station 1; Defibrillator, reception clinic ~ Defibrillator, Klinikempfang @ Foyer
Air handling units | Riverside Clinic | AHU 7, treatment rooms ~ Lüftung 7, Behandlungsräume @ Attic ~ Dachboden
Fire extinguishers | Riverside Clinic | Fire extinguisher, ward 1 ~ Feuerlöscher, Station 1 @ Ward 1 ~ Station 1
Fire alarm systems | Riverside Clinic | Fire alarm panel, clinic ~ Brandmeldezentrale, Klinik @ Porter's lodge ~ Pforte
Emergency lighting | Riverside Clinic | Emergency lighting, clinic ~ Notbeleuchtung, Klinik @ Basement, room 1 ~ Keller, Raum 1
Doors and gates    | Riverside Clinic | Automatic door, clinic foyer ~ Automatiktür, Klinikfoyer @ Foyer
Water systems      | Riverside Clinic | Drinking water system, clinic ~ Trinkwasseranlage, Klinik @ Basement, room 3 ~ Keller, Raum 3
Centrifuges        | Laboratory Building | Centrifuge C3, water analysis ~ Zentrifuge C3, Wasseranalyse @ Lab 1 ~ Labor 1; Centrifuge C4, soil analysis ~ Zentrifuge C4, Bodenanalyse @ Lab 2 ~ Labor 2; Centrifuge C5, reserve ~ Zentrifuge C5, Reserve @ Lab 2 ~ Labor 2
Air handling units | Laboratory Building | AHU 8, fume hoods ~ Lüftung 8, Abzüge @ Roof ~ Dach
Laptops            | Laboratory Building | Tessaro Note 15 · Gita Rao
Vans               | Vehicle Yard East | Van NF 118 · Chidi Okafor ~ Transporter NF 118 · Chidi Okafor @ Row A ~ Reihe A; Van NF 131 · Katja Horvat ~ Transporter NF 131 · Katja Horvat @ Row A ~ Reihe A; Van NF 207 ~ Transporter NF 207 @ Row B ~ Reihe B
Forklifts          | Vehicle Yard East | Forklift F2, east ~ Stapler F2, Ost @ Loading bay 1 ~ Laderampe 1
Compressors        | Vehicle Yard East | Compressor K4, tyre bay ~ Kompressor K4, Reifenplatz @ Tyre bay ~ Reifenplatz
Fire extinguishers | Vehicle Yard East | Fire extinguisher, yard east ~ Feuerlöscher, Fuhrpark Ost @ Office ~ Büro
Doors and gates    | Vehicle Yard East | Roller door, loading bay 1 ~ Rolltor, Laderampe 1 @ Loading bay 1 ~ Laderampe 1
Vans               | Vehicle Yard West | Van NF 145 · Jonas Vogel ~ Transporter NF 145 · Jonas Vogel @ Row A ~ Reihe A; Van NF 162 ~ Transporter NF 162 @ Row A ~ Reihe A
Forklifts          | Vehicle Yard West | Forklift F3, west ~ Stapler F3, West @ Loading bay 1 ~ Laderampe 1
Vans               | Vehicle Yard South | Van NF 190 · Liam Byrne ~ Transporter NF 190 · Liam Byrne @ Row A ~ Reihe A
Forklifts          | Vehicle Yard South | Forklift F8, yard south ~ Stapler F8, Fuhrpark Süd @ Loading bay 2 ~ Laderampe 2
Compressors        | Print Works | Compressor K2, print hall ~ Kompressor K2, Drucksaal @ Print hall ~ Drucksaal
Rooftop units      | Print Works | Rooftop unit R4, print hall ~ Dachklima R4, Drucksaal @ Roof, north ~ Dach Nord; Rooftop unit R5, print hall ~ Dachklima R5, Drucksaal @ Roof, south ~ Dach Süd
Network switches   | Print Works | Switch, print works ~ Switch, Druckerei @ Office ~ Büro
Forklifts          | Print Works | Forklift F5, paper store ~ Stapler F5, Papierlager @ Paper store ~ Papierlager
Fire extinguishers | Print Works | Fire extinguisher, paper store ~ Feuerlöscher, Papierlager @ Paper store ~ Papierlager
Pumps              | Swimming Hall | Filter pump 1, large basin ~ Filterpumpe 1, großes Becken @ Plant room ~ Technikraum; Filter pump 2, small basin ~ Filterpumpe 2, kleines Becken @ Plant room ~ Technikraum
Water systems      | Swimming Hall | Pool water plant ~ Badewasseraufbereitung @ Plant room ~ Technikraum
Boilers            | Swimming Hall | Boiler 4, pool ~ Kessel 4, Bad @ Plant room ~ Technikraum
Air handling units | Swimming Hall | AHU 9, pool hall ~ Lüftung 9, Beckenhalle @ Plant room ~ Technikraum
Generators         | Swimming Hall | Generator G4, pool ~ Notstrom G4, Bad @ Yard ~ Hof
Lifts              | Town Library | Lift G, library ~ Aufzug G, Bibliothek @ Foyer
Rooftop units      | Town Library | Rooftop unit R6, reading room ~ Dachklima R6, Lesesaal @ Roof ~ Dach
Fire extinguishers | Town Library | Fire extinguisher, reading room ~ Feuerlöscher, Lesesaal @ Reading room ~ Lesesaal
Rooftop units      | Market Hall | Rooftop unit R7, fish stalls ~ Dachklima R7, Fischstände @ Roof, east ~ Dach Ost; Rooftop unit R8, flower stalls ~ Dachklima R8, Blumenstände @ Roof, west ~ Dach West
Fire extinguishers | Market Hall | Fire extinguisher, east door ~ Feuerlöscher, Osttür @ East door ~ Osttür
Water systems      | Market Hall | Grease separator, market hall ~ Fettabscheider, Markthalle @ Basement ~ Keller
Floors and facades | Market Hall | Market hall floor ~ Boden der Markthalle @ Hall ~ Halle
`,
);

export const assets = assetLists.flatMap(({ category, workspace, names }) =>
  readList(names).map((entry) => {
    const [name = "", location = ""] = entry.split(" @ ");
    return { category, workspace, name, location, person: name.split(" · ")[1] };
  }),
);

/** Assets that were retired: days before the reference day, and why. */
export const retired = readTable(
  "category workspace name daysAgo reason note",
  `
Boilers          | Workshop          | Boiler 5, workshop ~ Kessel 5, Werkstatt | 402 | scrapped | Heat exchanger cracked. The workshop is now on the district loop. ~ Wärmetauscher gerissen. Die Werkstatt hängt jetzt am Nahwärmenetz.
Vans             | Vehicle Yard West | Van NF 088 ~ Transporter NF 088 | 355 | sold     | Sold at 214,000 km, registration handed over. ~ Mit 214.000 km verkauft, Papiere übergeben.
Compressors      | Print Works       | Compressor K0, print hall ~ Kompressor K0, Drucksaal | 318 | scrapped | Replaced by K2. ~ Durch K2 ersetzt.
Network switches | Data Centre       | Leaf switch A2 ~ Leaf-Switch A2 | 221 | disposed | End of support. Drive wiped, taken by the recycler. ~ Support beendet. Speicher gelöscht, vom Entsorger abgeholt.
Laptops          | Main Facility     | Quillon Slate 14, loan 3 ~ Quillon Slate 14, Leihgerät 3 | 160 | stolen   | Taken from a van at Westkai, police report 4471. ~ Am Westkai aus einem Transporter gestohlen, Anzeige 4471.
Laptops          | Main Facility     | Tessaro Note 13, old reserve ~ Tessaro Note 13, alte Reserve | 74  | donated  | Given to the evening school. ~ An die Abendschule gegeben.
`,
).map((row) => ({ ...row, daysAgo: Number(row.daysAgo) }));

/** States other than "in use" of assets outside the stories. */
export const otherStates: Partial<Record<string, AssetState>> = {
  "Quillon Slate 14, loan 1": "available",
  "Quillon Slate 14, loan 2": "available",
  "Centrifuge C5, reserve": "stored",
  "Van NF 207": "available",
  "Generator G2, main building": "available",
  "Generator G3, clinic": "available",
  "Generator G4, pool": "available",
};

/** Days from the reference day until these warranties end. */
export const endingWarranties: Partial<Record<string, number>> = {
  "Compressor K2, print hall": 19,
  "Tessaro Note 15 · Eva Lindqvist": 26,
  "Van NF 190 · Liam Byrne": 58,
  "AHU 6, tower": 81,
};

export const suppliers = readList(
  "Hafen Supplies; Nordlicht Trading; Baltic Parts; Kessler & Sons",
);

/** Three invitations are pending and one has expired. Tara accepted hers. */
export const invitations = readTable(
  "name daysAgo by role workspace workspaceRole end",
  `
tara  | 47 | eva  | member | Data Centre   | member | accepted
zoe   | 33 | ana  | member | Print Works   | member |
xaver | 20 | dara | admin  |               |        | revoked
paula | 5  | bob  | member | Main Facility | member |
lukas | 3  | ana  | member |               |        |
amira | 1  | vera | member | Print Works   | viewer |
`,
);

/** Connected apps: when connected and last used, in days before the reference day. */
export const apps = readTable(
  "name person scopes connected used ended",
  `
Desk Assistant   | dara  | mcp_read mcp_write | 210 | 1   |
Desk Assistant   | eva   | mcp_read mcp_write | 96  | 2   |
Pocket Assistant | pavel | mcp_read mcp_write | 143 | 1   |
Pocket Assistant | bob   | mcp_read mcp_write | 131 | 3   |
Pocket Assistant | hugo  | mcp_read mcp_write | 88  | 4   |
Shift Helper     | sven  | mcp_read           | 62  | 5   |
Report Builder   | ana   | mcp_read           | 120 | 33  | expired
Label Robot      | marek | mcp_read mcp_write | 58  | 41  | disconnected
`,
);
