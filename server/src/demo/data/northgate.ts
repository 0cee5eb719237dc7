import type { RepeatAnchor, TaskType } from "../../db/entities/tasks.js";
import type { OrganizationRole, WorkspaceRole } from "../../domain/access/caller.js";
import { readList, readPairs, readRange, readTable } from "./tables.js";

/*
 * Northgate Facilities: its assets, places, people and recurring work. Manufacturers and models are
 * invented.
 */

/**
 * The fifteen kinds of assets, most critical first. Personal assets are assigned to someone. Some
 * personal and spare assets arrived after the first day. `faults` are typical failures.
 */
export const kinds = readTable(
  "category name price yearsOfWarranty use models locations faults",
  `
Generators         | Backup generator  | 28000-60000 | 5 |          | Duremont GX 250; Duremont GX 400                      | Yard, north side; Basement, room 4                   | Does not start; Coolant low
Boilers            | Boiler            | 18000-42000 | 5 |          | Norrbeck Therm 300; Norrbeck Therm 500; Galdine B 40  | Hall, bay 2; Boiler room                             | Burner locks out; Pressure too low
UPS                | UPS               | 4000-15000  | 3 |          | Elsted Guard 20; Elsted Guard 60; Tessaro U 15        | Server room 1; Server room 2                         | Battery alarm; Bypass active
Lifts              | Lift              | 45000-90000 | 5 |          | Aldring Vertica 8; Aldring Vertica 13; Hestrup L 1000 | Staircase A; Staircase B; Goods entrance             | Door reopens; Stops between floors; Call button dead
Air handling units | Air handling unit | 9000-24000  | 3 |          | Velmora AH 450; Velmora AH 900; Norrbeck Klima 7      | Roof; Plant room 1; Plant room 2                     | Belt squeals; Fan vibrates; No supply air
Compressors        | Air compressor    | 3500-9000   | 2 |          | Brunvik K 11; Brunvik K 22; Ironvale Airo 15          | Hall, bay 1; Hall, bay 3                             | Oil leak; Pressure drops; Overheats
Defibrillators     | Defibrillator     | 1100-1900   | 5 |          | Halvorsen Beat 2; Medrona AED 5                       | Reception; First-aid room                            | Electrodes expired; Self-test fails
Rooftop units      | Rooftop unit      | 7000-15000  | 3 |          | Velmora RT 60; Kestrin Dachline 4                     | Roof, east; Roof, west                               | Does not cool; Loses refrigerant
Pumps              | Circulation pump  | 600-2400    | 2 | spare    | Brunvik Flow 32; Brunvik Flow 50; Galdine P 80        | Circuit 1; Circuit 2; Filter room                    | Shaft seal leaks; Bearing noise; No flow
Centrifuges        | Centrifuge        | 3000-12000  | 2 |          | Medrona Spin 4; Medrona Spin 12                       | Laboratory 1; Laboratory 2                           | Imbalance error; Lid does not lock
Vans               | Delivery van      | 24000-38000 | 3 | personal | Corvane Carry L2; Corvane Carry L3; Jorund Transit E  | Row A; Row B; Row C                                  | Warning light on; Sliding door stuck; Brakes grind
Forklifts          | Forklift          | 17000-29000 | 2 | spare    | Fenwark Lift 16; Fenwark Lift 25; Ironvale Stack 2    | Loading bay 1; Loading bay 2                         | Mast slow; Hydraulic leak
Network switches   | Network switch    | 700-3100    | 3 | spare    | Lumeris NS 24; Lumeris NS 48; Tessaro Link 10         | Rack A1; Rack B4; Floor distributor                  | Ports flap; Fan noisy
Fire extinguishers | Fire extinguisher | 60-140      | 2 | spare    | Halvorsen F 6; Halvorsen F 9                          | Corridor, ground floor; Staircase B; Beside the exit | Seal broken; Pressure in the red
Laptops            | Laptop            | 900-1900    | 3 | personal | Tessaro Note 13; Tessaro Note 15; Quillon Slate 14    | Office, 2nd floor; Office, 3rd floor; Home office    | Battery swollen; Display flickers; Keyboard sticks
`,
).map((row) => ({
  ...row,
  price: readRange(row.price),
  yearsOfWarranty: Number(row.yearsOfWarranty),
  models: readList(row.models),
  locations: readList(row.locations),
  faults: readList(row.faults),
}));

export type Kind = (typeof kinds)[number];

export function kindOf(category: string): Kind {
  const kind = kinds.find((candidate) => candidate.category === category);
  if (kind === undefined) throw new Error(`The sample has no kind called ${category}.`);
  return kind;
}

/** Each asset of these kinds has a child asset. */
export const parts = readTable(
  "category name model price",
  `
Lifts              | Door drive    | Aldring DD 5   | 1100-2600
Air handling units | Supply fan    | Velmora VF 300 | 900-2100
Rooftop units      | Condenser fan | Velmora VF 120 | 400-1200
`,
).map((row) => ({ ...row, price: readRange(row.price) }));

/**
 * Ten sites, fourteen buildings, four yards, an empty workspace and a workspace with only retired
 * assets.
 */
export const workspaces = readTable(
  "name address description assets retired",
  `
Main Facility            | Nordring 12, Berlin    | Site: offices and production.                       | Air handling units: 2; Lifts: 2; Generators: 1; UPS: 2; Compressors: 1; Network switches: 3; Laptops: 7; Fire extinguishers: 2; Pumps: 1 | Laptops: 3; Fire extinguishers: 1
Data Centre              | Nordring 20, Berlin    | Site.                                               | Air handling units: 2; Generators: 1; UPS: 4; Network switches: 3; Fire extinguishers: 1 | Network switches: 2; UPS: 1
Riverside Clinic         | Uferweg 4, Berlin      | Site.                                               | Lifts: 2; Centrifuges: 2; Defibrillators: 2; Generators: 1; Air handling units: 1; Fire extinguishers: 1
Warehouse North          | Nordring 14, Berlin    | Site. New things are delivered here.                | Forklifts: 1; Rooftop units: 1; Fire extinguishers: 2; Compressors: 1
Linden School            | Lindenallee 31, Berlin | Site.                                               | Boilers: 1; Rooftop units: 1; Fire extinguishers: 3; Defibrillators: 1
Print Works              | Gewerbehof 2, Berlin   | Site.                                               | Compressors: 1; Rooftop units: 2; Network switches: 1
Swimming Hall            | Badstrasse 7, Potsdam  | Site.                                               | Pumps: 3; Boilers: 1; Air handling units: 1
Town Library             | Am Markt 3, Potsdam    | Site.                                               | Lifts: 1; Rooftop units: 1; Fire extinguishers: 1; Defibrillators: 1
Waterworks               | Seeweg 1, Potsdam      | Site.                                               | Pumps: 2; Generators: 1; Compressors: 1; Network switches: 1
Market Hall              | Am Markt 9, Potsdam    | Site.                                               | Rooftop units: 1; Lifts: 1; Fire extinguishers: 1
Boiler House             |                        | Building. Heat, air and water for the whole site.   | Boilers: 3; Compressors: 1; Fire extinguishers: 1
Laboratory Building      |                        | Building. Test laboratory, two floors.              | Centrifuges: 3; Air handling units: 1; Laptops: 2; Fire extinguishers: 1
Office Tower, floors 1-4 |                        | Building. Reception and meeting rooms.              | Lifts: 2; Laptops: 2; Network switches: 1
Office Tower, floors 5-8 |                        | Building. Open-plan offices.                        | Laptops: 2; Network switches: 1; Lifts: 1
Archive Building         |                        | Building. Paper archive, dry and cool.              | Air handling units: 1
Fire Station 2           |                        | Building. Vehicle hall and crew rooms.              | Generators: 1; Compressors: 1; Defibrillators: 1; Boilers: 1; Network switches: 1
Workshop                 |                        | Building. Repairs of our own.                       | Lifts: 1; Boilers: 1; Pumps: 1
Parking Deck             |                        | Building. Five levels, goods lift at the back.      | Lifts: 1; Network switches: 1; Pumps: 1
Gatehouse                |                        | Building. Entrance and alarm centre.                | Rooftop units: 1; UPS: 1; Network switches: 1
Staff Canteen            |                        | Building. Kitchen and dining room.                  | Air handling units: 1; Boilers: 1
Training Centre          |                        | Building. Two classrooms.                           | Air handling units: 1
Sorting Hall             |                        | Building. Parcels of the town administration.       | Rooftop units: 1
Town Hall East Wing      |                        | Building. Registry office.                          | Lifts: 1
Porter's Lodge           |                        | Building. Manned at night.                          | Defibrillators: 1
Vehicle Yard East        | Ostkai 3, Berlin       | Vehicle yard.                                       | Vans: 6; Forklifts: 2; Fire extinguishers: 1; Compressors: 1
Vehicle Yard West        | Westkai 18, Berlin     | Vehicle yard.                                       | Vans: 4; Forklifts: 2; Fire extinguishers: 1
Vehicle Yard South       | Am Stadtrand 5, Berlin | Vehicle yard.                                       | Vans: 1; Forklifts: 2; Fire extinguishers: 1; Network switches: 1
Harbour Yard             | Hafenstrasse 1, Potsdam | Vehicle yard.                                      | Vans: 1; Forklifts: 1; Fire extinguishers: 1
Annex                    |                        | Being refurbished; nothing is in it yet.            |
Old Depot                |                        | Closed. What is still listed here was retired.      |        | Vans: 1; Forklifts: 1; Compressors: 1; Pumps: 1
`,
).map((row) => ({
  ...row,
  assets: readCategories(row.assets),
  retired: readCategories(row.retired),
}));

/** Returns each category once per asset. */
function readCategories(cell: string): string[] {
  return readPairs(cell).flatMap(([category, count]) =>
    Array<string>(Number(count)).fill(category),
  );
}

export const sampleDays = 730;

/**
 * The first person owns the organization. `joined` and `lastActive` are days before the reference
 * day. Null: the person never signed in.
 */
export const people = readTable(
  "name role joined lastActive workspaces",
  `
Dara Novak      | owner
Ana Keller      | admin
Marek Vesely    | admin
Ingrid Solheim  | admin  | 610
Bob Ferreira    | member |     |       | Main Facility: admin; Boiler House: member; Workshop: member
Chidi Okafor    | member |     |       | Vehicle Yard East: admin; Vehicle Yard South: member
Eva Lindqvist   | member |     |       | Data Centre: admin; Office Tower, floors 1-4: member; Office Tower, floors 5-8: member
Frank Weber     | member |     | 141   | Main Facility: viewer; Staff Canteen: viewer
Gita Rao        | member |     |       | Riverside Clinic: admin; Laboratory Building: member
Hugo Martins    | member |     |       | Swimming Hall: admin; Waterworks: member; Boiler House: member
Ilse Brandt     | member |     | 96    | Laboratory Building: admin
Jonas Vogel     | member |     |       | Vehicle Yard West: admin; Vehicle Yard East: member; Vehicle Yard South: member
Katja Horvat    | member |     |       | Vehicle Yard East: member; Vehicle Yard West: member; Vehicle Yard South: member; Harbour Yard: member
Liam Byrne      | member |     |       | Vehicle Yard South: admin; Vehicle Yard East: member; Harbour Yard: admin
Mina Sato       | member |     |       | Main Facility: member; Archive Building: admin; Town Library: member
Nils Andersen   | member |     |       | Warehouse North: admin; Print Works: member
Olga Petrova    | member |     |       | Linden School: admin; Training Centre: admin; Fire Station 2: member
Pavel Dvorak    | member |     |       | Office Tower, floors 1-4: admin; Office Tower, floors 5-8: admin; Parking Deck: member; Gatehouse: member
Quentin Moreau  | member |     | 118   | Print Works: admin; Sorting Hall: member; Market Hall: member
Rosa Conti      | member |     |       | Market Hall: admin; Town Hall East Wing: member; Town Library: member
Sven Olsen      | member |     |       | Main Facility: member; Workshop: admin; Staff Canteen: member
Tara Singh      | member | 45  |       | Data Centre: member; Gatehouse: viewer
Umar Khan       | member |     |       | Fire Station 2: admin; Porter's Lodge: member; Town Hall East Wing: member
Vera Nowak      | member |     |       | Waterworks: admin; Swimming Hall: member
Wim de Boer     | member |     | 203   | Old Depot: admin; Vehicle Yard West: member; Sorting Hall: admin
Yusuf Demir     | member | 12  | never | Main Facility: viewer
`,
).map((row) => ({
  key: row.name.slice(0, row.name.indexOf(" ")).toLowerCase(),
  name: row.name,
  role: row.role as OrganizationRole,
  workspaces: readPairs(row.workspaces) as [name: string, role: WorkspaceRole][],
  joined: row.joined === "" ? sampleDays + 4 : Number(row.joined),
  lastActive: row.lastActive === "never" ? null : Number(row.lastActive),
}));

export type Person = (typeof people)[number];

/**
 * Work that repeats every few months, sixty maintenance plans in total. "assets" is a range of the
 * kind's assets that existed on the first day. "past" is the number of past occurrences. The
 * current occurrence is due at random, or a number of days after the reference day.
 */
export const repeatingWork = readTable(
  "category assets title type every past due minutes anchor downtime checklist",
  `
Generators         | 1-1    | Quarterly load test           | preventive  | 3     | 7    | -3        | 90      | due_date        |     | Check fuel and coolant; Run at 80 % load for 30 minutes; Log temperatures
Generators         | 2-6    | Quarterly load test           | preventive  | 3     | 7    | 40        | 90      | due_date        |     | Check fuel and coolant; Run at 80 % load for 30 minutes; Log temperatures
Boilers            | 1-8    | Yearly burner service         | preventive  | 12    | 1    |           | 180     | due_date        | yes | Clean burner; Measure flue gas; Test safety valve
Boilers            | 1-1    | Pressure vessel test          | preventive  | 48    | 0    | leap day  | 240     | due_date        |     |
Lifts              | 1-6    | Half-yearly safety inspection | inspection  | 6     | 3    |           | 60      | due_date        |     | Test emergency call; Check door edges; Check brake
Lifts              | 7-12   | Half-yearly lift service      | preventive  | 6     | 3    |           | 120     | due_date        | yes | Grease rails; Adjust door drive
Air handling units | 1-10   | Change filters                | preventive  | 3     | 6    |           | 45      | due_date        |     | Change supply filter; Change exhaust filter; Reset counter
UPS                | 1-6    | Battery test                  | preventive  | 6     | 3    |           | 40      | completion_date |     | Measure each block; Test bypass
Defibrillators     | 2-5    | Yearly device check           | inspection  | 12    | 1    |           | 20      | due_date        |     | Check electrodes; Run self-test
Centrifuges        | 1-5    | Speed calibration             | calibration | 6     | 3    |           | 75      | due_date        |     | Measure at 1,000 rpm; Measure at 4,000 rpm; Issue certificate
Fire extinguishers | 1-4    | Yearly inspection             | inspection  | 12    | 1    | -12       | 10      | due_date        |     | Check pressure; Check seal; Renew sticker
Vans               | 2-4    | Service at the garage         | preventive  | 6     | 3    |           | 240     | due_date        | yes | Oil and filters; Brakes; Tyres
Pumps              | 2-2    | Month-end bearing check       | preventive  | 1     | 12   | month end | 15      | due_date        |     |
`,
).map((row) => ({
  ...row,
  assets: readRange(row.assets),
  type: row.type as TaskType,
  every: Number(row.every),
  minutes: Number(row.minutes),
  anchor: row.anchor as RepeatAnchor,
  downtime: row.downtime === "yes",
  checklist: readList(row.checklist),
}));

export type RepeatingWork = (typeof repeatingWork)[number];

/**
 * Three invitations are pending and one has expired. Tara accepted hers and is one of the people.
 */
export const invitations = readTable(
  "name daysAgo by role workspace workspaceRole end",
  `
tara  | 47      | eva  | member | Data Centre     | member        | accepted
zoe   | 33      | ana  | member | Print Works     | member        |
xaver | 20      | dara | admin  |                 |               | revoked
paula | 5       | bob  | member | Main Facility   | member        |
lukas | 3       | ana  | member |                 |               |
amira | 1       | nils | member | Warehouse North | viewer        |
`,
);

/** Small tasks without recurrence. */
export const smallJobs = readList(
  "Tighten fixings; Clean housing; Renew labels; Check mounting; Take photos; Touch up paint",
);

export const suppliers = readList(
  "Hafen Supplies; Nordlicht Trading; Baltic Parts; Kessler & Sons",
);

/** Notes about an asset without a change. */
export const observations = [
  "Sounds a little louder than last month.",
  "Label is hard to read, will be replaced.",
  "Key is with the porter.",
  "Supplier called back: delivery next week.",
  "Checked on the monthly round, nothing to report.",
  "Manual is in the red folder.",
];
