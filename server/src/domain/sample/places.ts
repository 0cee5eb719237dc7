import type { KindKey } from "./kinds.js";

export interface SamplePlace {
  name: string;
  description?: string;
  address?: string;
  /** What stands here on the day of reference. */
  holds: Partial<Record<KindKey, number>>;
  /** What was retired while it was here. */
  retired?: Partial<Record<KindKey, number>>;
}

/** Ten sites, fourteen buildings, four yards, one empty place and one with retired things only. */
export const samplePlaces: readonly [SamplePlace, ...SamplePlace[]] = [
  {
    name: "Main Facility",
    description: "Site: offices and production.",
    address: "Nordring 12, Berlin",
    holds: {
      airHandler: 3,
      lift: 2,
      generator: 1,
      ups: 1,
      compressor: 1,
      switch: 3,
      laptop: 9,
      extinguisher: 2,
      defibrillator: 1,
      pump: 1,
    },
    retired: { laptop: 3, extinguisher: 1, defibrillator: 1 },
  },
  site("Data Centre", "Nordring 20, Berlin", {
    holds: { airHandler: 2, generator: 2, ups: 4, switch: 4, extinguisher: 1 },
    retired: { switch: 2, ups: 1 },
  }),
  site("Riverside Clinic", "Uferweg 4, Berlin", {
    holds: {
      lift: 2,
      centrifuge: 2,
      defibrillator: 2,
      generator: 1,
      airHandler: 1,
      extinguisher: 1,
    },
  }),
  site("Warehouse North", "Nordring 14, Berlin", {
    holds: { forklift: 2, rooftopUnit: 1, extinguisher: 2, compressor: 1 },
  }),
  site("Linden School", "Lindenallee 31, Berlin", {
    holds: { boiler: 1, rooftopUnit: 1, extinguisher: 3, defibrillator: 1 },
  }),
  site("Print Works", "Gewerbehof 2, Berlin", {
    holds: { compressor: 1, rooftopUnit: 2, switch: 1 },
  }),
  site("Swimming Hall", "Badstrasse 7, Potsdam", { holds: { pump: 3, boiler: 1, airHandler: 1 } }),
  site("Town Library", "Am Markt 3, Potsdam", {
    holds: { lift: 1, rooftopUnit: 1, extinguisher: 1, defibrillator: 1 },
  }),
  site("Waterworks", "Seeweg 1, Potsdam", {
    holds: { pump: 3, generator: 1, compressor: 1, switch: 1 },
  }),
  site("Market Hall", "Am Markt 9, Potsdam", {
    holds: { rooftopUnit: 1, lift: 1, extinguisher: 1 },
  }),
  building("Boiler House", "Heat, compressed air and water for the whole site.", {
    boiler: 3,
    pump: 3,
    compressor: 1,
    extinguisher: 1,
  }),
  building("Laboratory Building", "Test laboratory, two floors.", {
    centrifuge: 3,
    airHandler: 1,
    laptop: 2,
    extinguisher: 1,
  }),
  building("Office Tower, floors 1-4", "Reception and meeting rooms.", {
    lift: 2,
    laptop: 2,
    switch: 1,
  }),
  building("Office Tower, floors 5-8", "Open-plan offices.", { laptop: 3, switch: 1, lift: 1 }),
  building("Archive Building", "Paper archive, dry and cool.", { extinguisher: 4, airHandler: 1 }),
  building("Fire Station 2", "Vehicle hall and crew rooms.", {
    generator: 1,
    compressor: 1,
    defibrillator: 1,
    boiler: 1,
    switch: 1,
  }),
  building("Workshop", "Repairs of our own.", { lift: 1, airHandler: 1, boiler: 1 }),
  building("Parking Deck", "Five levels, goods lift at the back.", { lift: 1, switch: 1, pump: 1 }),
  building("Gatehouse", "Entrance and alarm centre.", { rooftopUnit: 1, ups: 1, switch: 1 }),
  building("Staff Canteen", "Kitchen and dining room.", { airHandler: 1, boiler: 1 }),
  building("Training Centre", "Two classrooms.", { airHandler: 1, laptop: 1 }),
  building("Sorting Hall", "Parcels of the town administration.", { rooftopUnit: 1 }),
  building("Town Hall East Wing", "Registry office.", { lift: 1 }),
  building("Porter's Lodge", "Manned at night.", { defibrillator: 1 }),
  yard("Vehicle Yard East", "Ostkai 3, Berlin", {
    van: 6,
    forklift: 2,
    extinguisher: 1,
    compressor: 1,
  }),
  yard("Vehicle Yard West", "Westkai 18, Berlin", { van: 4, forklift: 2, extinguisher: 1 }),
  yard("Vehicle Yard South", "Am Stadtrand 5, Berlin", {
    van: 2,
    forklift: 2,
    extinguisher: 1,
    switch: 1,
  }),
  yard("Harbour Yard", "Hafenstrasse 1, Potsdam", { van: 1, forklift: 1, extinguisher: 1 }),
  { name: "Annex", description: "Being refurbished; nothing is in it yet.", holds: {} },
  {
    name: "Old Depot",
    description: "Closed. What is still listed here was retired.",
    holds: {},
    retired: { van: 1, forklift: 1, compressor: 1, pump: 1 },
  },
];

function site(
  name: string,
  address: string,
  contents: Pick<SamplePlace, "holds" | "retired">,
): SamplePlace {
  return { name, description: "Site.", address, ...contents };
}

function building(name: string, what: string, holds: SamplePlace["holds"]): SamplePlace {
  return { name, description: `Building. ${what}`, holds };
}

function yard(name: string, address: string, holds: SamplePlace["holds"]): SamplePlace {
  return { name, description: "Vehicle yard.", address, holds };
}
