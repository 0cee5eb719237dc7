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
Generators         | critical | Duremont GX 250; Duremont GX 400                      | 28000-60000 | 5 | Operating hours, h | 9-14      |
Boilers            | high     | Norrbeck Therm 300; Norrbeck Therm 500; Galdine B 40  | 18000-42000 | 5 |                    |           |
UPS                | critical | Elsted Guard 20; Elsted Guard 60; Tessaro U 15        | 4000-15000  | 3 |                    |           |
Lifts              | high     | Aldring Vertica 8; Aldring Vertica 13; Hestrup L 1000 | 45000-90000 | 5 |                    |           | Door drive
Air handling units | medium   | Velmora AH 450; Velmora AH 900; Norrbeck Klima 7      | 9000-24000  | 3 |                    |           | Supply fan
Compressors        | high     | Brunvik K 11; Brunvik K 22; Ironvale Airo 15          | 3500-9000   | 2 | Operating hours, h | 290-330   |
Defibrillators     | critical | Medrona AED 5; Halvorsen Beat 2                       | 1100-1900   | 5 |                    |           |
Rooftop units      | medium   | Velmora RT 60; Kestrin Dachline 4                     | 7000-15000  | 3 |                    |           |
Pumps              | medium   | Brunvik Flow 32; Brunvik Flow 50; Galdine P 80        | 600-2400    | 2 |                    |           |
Centrifuges        | high     | Medrona Spin 4; Medrona Spin 12                       | 3000-12000  | 2 |                    |           |
Vans               | medium   | Corvane Carry L2; Corvane Carry L3; Jorund Transit E  | 24000-38000 | 3 | Mileage, km        | 1150-1900 |
Forklifts          | medium   | Fenwark Lift 16; Fenwark Lift 25; Ironvale Stack 2    | 17000-29000 | 2 | Operating hours, h | 55-85     |
Network switches   | medium   | Lumeris NS 24; Lumeris NS 48; Tessaro Link 10         | 700-3100    | 3 |                    |           |
Fire extinguishers | medium   | Halvorsen F 6; Halvorsen F 9                          | 60-140      | 2 |                    |           |
Laptops            | low      | Tessaro Note 15; Tessaro Note 13; Quillon Slate 14    | 900-1900    | 3 |                    |           |
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
Main Facility            | Nordring 12, Berlin    | Offices and production hall. Deliveries at gate 2, keys at reception.
Boiler House             | Nordring 12, Berlin    | Heat for the Nordring site. Enter only with ear protection.
Archive Building         | Nordring 12, Berlin    | Paper archive on four levels, kept dry and cool.
Workshop                 | Nordring 12, Berlin    | Our own repairs, welding bay and parts store.
Data Centre              | Nordring 20, Berlin    | Two feeds, cold aisles. Sign in with the duty engineer first.
Office Tower, floors 1-4 | Nordring 8, Berlin     | Reception and meeting rooms.
Office Tower, floors 5-8 | Nordring 8, Berlin     | Open-plan offices. Plant room on the roof.
Parking Deck             | Nordring 8, Berlin     | Five levels, goods lift at the back.
Riverside Clinic         | Uferweg 4, Berlin      | Day clinic. Ask the ward before you switch anything off.
Laboratory Building      | Uferweg 4, Berlin      | Test laboratory on two floors. Overshoes in the lock.
Vehicle Yard East        | Ostkai 3, Berlin       | Vans and charging points. Key cabinet in the office.
Vehicle Yard West        | Westkai 18, Berlin     | Vans for the western tour.
Vehicle Yard South       | Am Stadtrand 5, Berlin | Winter service and heavy loads.
Print Works              | Gewerbehof 2, Berlin   | Three presses, two shifts. Stop times with the shift leader.
Swimming Hall            | Badstrasse 7, Potsdam  | Public pool. Plant room below the small basin.
Town Library             | Am Markt 9, Potsdam    | Listed building, quiet hours until noon.
Market Hall              | Am Markt 9, Potsdam    | Forty stalls. Work before 7:00 or after 15:00.
`,
);

/**
 * The first person owns the organization. `joined` and `lastActive` are days before the reference
 * day. "never": has never signed in. `app` is the app that the person works with.
 */
export const people = readTable(
  "name role joined lastActive app workspaces",
  `
Dara Novak      | owner  |     |       | Desk Assistant   |
Ana Keller      | admin  |     |       |                  |
Marek Vesely    | admin  |     |       |                  |
Ingrid Solheim  | admin  | 610 |       |                  |
Bob Ferreira    | member |     |       | Pocket Assistant | Main Facility: admin; Boiler House: member; Workshop: member
Chidi Okafor    | member |     |       |                  | Vehicle Yard East: admin; Vehicle Yard South: member
Eva Lindqvist   | member |     |       | Desk Assistant   | Data Centre: admin; Office Tower, floors 1-4: member; Office Tower, floors 5-8: member
Frank Weber     | member |     |       |                  | Main Facility: viewer; Office Tower, floors 1-4: viewer; Town Library: viewer; Market Hall: viewer
Gita Rao        | member |     |       |                  | Riverside Clinic: admin; Laboratory Building: member
Hugo Martins    | member |     |       | Pocket Assistant | Swimming Hall: admin; Boiler House: member
Ilse Brandt     | member |     | 96    |                  | Laboratory Building: admin
Jonas Vogel     | member |     |       |                  | Vehicle Yard West: admin; Vehicle Yard East: member; Vehicle Yard South: member
Katja Horvat    | member |     |       |                  | Vehicle Yard East: member; Vehicle Yard West: member; Vehicle Yard South: member
Liam Byrne      | member |     |       |                  | Vehicle Yard South: admin; Vehicle Yard East: member
Mina Sato       | member |     |       |                  | Main Facility: member; Archive Building: admin; Town Library: member
Nils Andersen   | member |     |       |                  | Print Works: member; Main Facility: member
Olga Petrova    | member |     |       |                  | Boiler House: member; Laboratory Building: member
Pavel Dvorak    | member |     |       | Pocket Assistant | Office Tower, floors 1-4: admin; Office Tower, floors 5-8: admin; Parking Deck: member; Data Centre: member
Quentin Moreau  | member |     | 118   |                  | Print Works: member; Market Hall: member
Rosa Conti      | member |     |       |                  | Market Hall: admin; Town Library: member
Sven Olsen      | member |     |       |                  | Main Facility: member; Workshop: admin; Boiler House: admin
Tara Singh      | member | 45  |       |                  | Data Centre: member; Main Facility: viewer
Umar Khan       | member |     | 141   |                  | Market Hall: member; Town Library: admin
Vera Nowak      | member |     |       |                  | Print Works: admin; Swimming Hall: member
Wim de Boer     | member |     | 203   |                  | Parking Deck: member; Vehicle Yard West: member
Yusuf Demir     | member | 12  | never |                  | Main Facility: viewer
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
Air handling units | Main Facility | AHU 1, offices north @ Roof, north; AHU 2, offices south @ Roof, south
Lifts              | Main Facility | Lift A, main entrance @ Staircase A; Lift B, canteen @ Staircase B
Generators         | Main Facility | Generator G2, main building @ Yard, gate 2
UPS                | Main Facility | UPS, reception @ Reception, cabinet; UPS, production line @ Hall, bay 1
Compressors        | Main Facility | Compressor K1, production hall @ Hall, bay 3
Rooftop units      | Main Facility | Rooftop unit R1, canteen @ Roof, east; Rooftop unit R2, meeting rooms @ Roof, west
Pumps              | Main Facility | Heating pump, offices @ Basement, room 4; Rainwater pump, yard @ Yard, shaft 2
Network switches   | Main Facility | Core switch A @ Server room, rack 1; Core switch B @ Server room, rack 2; Switch, ground floor @ Distributor 0; Switch, 1st floor @ Distributor 1; Switch, 2nd floor @ Distributor 2; Switch, production hall @ Hall, bay 2
Fire extinguishers | Main Facility | Fire extinguisher, reception @ Beside the desk; Fire extinguisher, canteen @ Beside the exit; Fire extinguisher, 1st floor @ Corridor, 1st floor; Fire extinguisher, 2nd floor @ Corridor, 2nd floor; Fire extinguisher, hall, bay 1 @ Hall, bay 1; Fire extinguisher, hall, bay 3 @ Hall, bay 3; Fire extinguisher, server room @ Server room; Fire extinguisher, gate 2 @ Gate 2
Defibrillators     | Main Facility | Defibrillator, production hall @ Hall, first-aid point
Laptops            | Main Facility | Tessaro Note 15 · Mina Sato; Tessaro Note 13 · Bob Ferreira; Tessaro Note 15 · Sven Olsen; Quillon Slate 14 · Nils Andersen; Tessaro Note 15 · Dara Novak; Tessaro Note 15 · Ana Keller; Tessaro Note 13 · Marek Vesely; Tessaro Note 13 · Ingrid Solheim; Quillon Slate 14, loan 1 @ IT store; Quillon Slate 14, loan 2 @ IT store; Tessaro Note 13, front desk @ Reception; Tessaro Note 15, training 1 @ Training room; Tessaro Note 15, training 2 @ Training room; Tessaro Note 15, training 3 @ Training room; Quillon Slate 14, goods inward @ Gate 2; Tessaro Note 13, first aid @ First-aid room; Tessaro Note 15, canteen till @ Canteen; Quillon Slate 14, works council @ 2nd floor
Boilers            | Boiler House | Boiler 1, base load @ Bay 1; Boiler 2, peak load @ Bay 2; Boiler 3, hot water @ Bay 3
Pumps              | Boiler House | Circulation pump, heating circuit 2 @ Circuit 2; Circulation pump, hot water @ Bay 3
Fire extinguishers | Boiler House | Fire extinguisher, boiler house @ Beside the door
Air handling units | Archive Building | AHU 3, archive @ Level 4
Compressors        | Workshop | Compressor K3, workshop @ Parts store
Forklifts          | Workshop | Forklift F1, parts store @ Parts store
Fire extinguishers | Workshop | Fire extinguisher, welding bay @ Welding bay
UPS                | Data Centre | UPS A, feed A @ Power room A; UPS B, feed B @ Power room B
Air handling units | Data Centre | AHU 4, cold aisle 1 @ Hall 1; AHU 5, cold aisle 2 @ Hall 2
Network switches   | Data Centre | Spine switch 1 @ Rack A1; Spine switch 2 @ Rack B1; Leaf switch A4 @ Rack A4; Leaf switch B4 @ Rack B4
Fire extinguishers | Data Centre | Fire extinguisher, hall 1 @ Hall 1
Lifts              | Office Tower, floors 1-4 | Lift C, tower west @ Lobby; Lift D, tower east @ Lobby
Network switches   | Office Tower, floors 1-4 | Switch, tower 2nd floor @ Distributor 2
Laptops            | Office Tower, floors 1-4 | Tessaro Note 15 · Eva Lindqvist; Tessaro Note 13 · Pavel Dvorak
Fire extinguishers | Office Tower, floors 1-4 | Fire extinguisher, tower lobby @ Lobby
Defibrillators     | Office Tower, floors 1-4 | Defibrillator, tower lobby @ Lobby
Air handling units | Office Tower, floors 5-8 | AHU 6, tower @ Roof plant room
Network switches   | Office Tower, floors 5-8 | Switch, tower 6th floor @ Distributor 6
Rooftop units      | Office Tower, floors 5-8 | Rooftop unit R3, tower @ Roof
Lifts              | Parking Deck | Lift E, goods @ Level 0, back
Pumps              | Parking Deck | Sump pump, level -1 @ Level -1
Lifts              | Riverside Clinic | Lift F, beds @ East wing
Generators         | Riverside Clinic | Generator G3, clinic @ Courtyard
Centrifuges        | Riverside Clinic | Centrifuge C1, ward laboratory @ Room 114; Centrifuge C2, blood bank @ Room 116
Defibrillators     | Riverside Clinic | Defibrillator, ward 1 @ Ward 1; Defibrillator, reception clinic @ Foyer
Air handling units | Riverside Clinic | AHU 7, treatment rooms @ Attic
Fire extinguishers | Riverside Clinic | Fire extinguisher, ward 1 @ Ward 1
Centrifuges        | Laboratory Building | Centrifuge C3, water analysis @ Lab 1; Centrifuge C4, soil analysis @ Lab 2; Centrifuge C5, reserve @ Lab 2
Air handling units | Laboratory Building | AHU 8, fume hoods @ Roof
Laptops            | Laboratory Building | Tessaro Note 15 · Gita Rao
Vans               | Vehicle Yard East | Van NF 118 · Chidi Okafor @ Row A; Van NF 131 · Katja Horvat @ Row A; Van NF 207 @ Row B
Forklifts          | Vehicle Yard East | Forklift F2, east @ Loading bay 1
Compressors        | Vehicle Yard East | Compressor K4, tyre bay @ Tyre bay
Fire extinguishers | Vehicle Yard East | Fire extinguisher, yard east @ Office
Vans               | Vehicle Yard West | Van NF 145 · Jonas Vogel @ Row A; Van NF 162 @ Row A
Forklifts          | Vehicle Yard West | Forklift F3, west @ Loading bay 1
Vans               | Vehicle Yard South | Van NF 190 · Liam Byrne @ Row A
Forklifts          | Vehicle Yard South | Forklift F8, yard south @ Loading bay 2
Compressors        | Print Works | Compressor K2, print hall @ Print hall
Rooftop units      | Print Works | Rooftop unit R4, print hall @ Roof, north; Rooftop unit R5, print hall @ Roof, south
Network switches   | Print Works | Switch, print works @ Office
Forklifts          | Print Works | Forklift F5, paper store @ Paper store
Fire extinguishers | Print Works | Fire extinguisher, paper store @ Paper store
Pumps              | Swimming Hall | Filter pump 1, large basin @ Plant room; Filter pump 2, small basin @ Plant room; Lift pump, splash water @ Plant room
Boilers            | Swimming Hall | Boiler 4, pool @ Plant room
Air handling units | Swimming Hall | AHU 9, pool hall @ Plant room
Generators         | Swimming Hall | Generator G4, pool @ Yard
Lifts              | Town Library | Lift G, library @ Foyer
Rooftop units      | Town Library | Rooftop unit R6, reading room @ Roof
Fire extinguishers | Town Library | Fire extinguisher, reading room @ Reading room; Fire extinguisher, stacks @ Stacks
Rooftop units      | Market Hall | Rooftop unit R7, fish stalls @ Roof, east; Rooftop unit R8, flower stalls @ Roof, west
Fire extinguishers | Market Hall | Fire extinguisher, east door @ East door
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
Boilers          | Workshop          | Boiler 5, workshop           | 402 | scrapped | Heat exchanger cracked. The workshop is now on the district loop.
Vans             | Vehicle Yard West | Van NF 088                   | 355 | sold     | Sold at 214,000 km, registration handed over.
Compressors      | Print Works       | Compressor K0, print hall    | 318 | scrapped | Replaced by K2.
Network switches | Data Centre       | Leaf switch A2               | 221 | disposed | End of support. Drive wiped, taken by the recycler.
Laptops          | Main Facility     | Quillon Slate 14, loan 3     | 160 | stolen   | Taken from a van at Westkai, police report 4471.
Laptops          | Main Facility     | Tessaro Note 13, old reserve | 74  | donated  | Given to the evening school.
`,
).map((row) => ({ ...row, daysAgo: Number(row.daysAgo) }));

/** States other than "in use" of assets outside the stories. */
export const otherStates: Partial<Record<string, AssetState>> = {
  "Quillon Slate 14, loan 1": "available",
  "Quillon Slate 14, loan 2": "available",
  "Tessaro Note 15, training 3": "stored",
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
amira | 1  | nils | member | Print Works   | viewer |
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
