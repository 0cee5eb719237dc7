/*
 * The fifteen kinds of things that Northgate Facilities looks after. Makers and models are invented.
 */

export const kindKeys = [
  "airHandler",
  "rooftopUnit",
  "lift",
  "generator",
  "ups",
  "compressor",
  "boiler",
  "van",
  "forklift",
  "switch",
  "laptop",
  "extinguisher",
  "defibrillator",
  "centrifuge",
  "pump",
] as const;
export type KindKey = (typeof kindKeys)[number];

export interface SampleKind {
  name: string;
  category: string;
  /** Maker and model. */
  makes: readonly [[string, string], ...[string, string][]];
  /** Least and most it costs, in the organization's currency. */
  cost: readonly [number, number];
  yearsOfWarranty: number;
  locations: readonly [string, ...string[]];
  /** What breaks. */
  faults: readonly [string, ...string[]];
  /** The more a kind matters, the lower. */
  rank: number;
  /** Things of this kind also come in after the first day. */
  grows?: true;
  /** Held by a person. */
  personal?: true;
}

/** A part of its own below each thing of a kind. */
export const sampleParts: Partial<
  Record<KindKey, { name: string; make: [string, string]; cost: [number, number] }>
> = {
  airHandler: { name: "Supply fan", make: ["Velmora", "VF 300"], cost: [900, 2_100] },
  rooftopUnit: { name: "Condenser fan", make: ["Velmora", "VF 120"], cost: [400, 1_200] },
  lift: { name: "Door drive", make: ["Aldring", "DD 5"], cost: [1_100, 2_600] },
};

export const sampleKinds: Readonly<Record<KindKey, SampleKind>> = {
  airHandler: {
    name: "Air handling unit",
    category: "Air handling units",
    makes: [
      ["Velmora", "AH 450"],
      ["Velmora", "AH 900"],
      ["Norrbeck", "Klima 7"],
    ],
    cost: [9_000, 24_000],
    yearsOfWarranty: 3,
    locations: ["Roof", "Plant room 1", "Plant room 2"],
    faults: ["Belt squeals", "Fan vibrates", "No supply air"],
    rank: 4,
  },
  rooftopUnit: {
    name: "Rooftop unit",
    category: "Rooftop units",
    makes: [
      ["Velmora", "RT 60"],
      ["Kestrin", "Dachline 4"],
    ],
    cost: [7_000, 15_000],
    yearsOfWarranty: 3,
    locations: ["Roof, east", "Roof, west"],
    faults: ["Does not cool", "Loses refrigerant"],
    rank: 7,
  },
  lift: {
    name: "Lift",
    category: "Lifts",
    makes: [
      ["Aldring", "Vertica 8"],
      ["Aldring", "Vertica 13"],
      ["Hestrup", "L 1000"],
    ],
    cost: [45_000, 90_000],
    yearsOfWarranty: 5,
    locations: ["Staircase A", "Staircase B", "Goods entrance"],
    faults: ["Door reopens", "Stops between floors", "Call button dead"],
    rank: 3,
  },
  generator: {
    name: "Backup generator",
    category: "Generators",
    makes: [
      ["Duremont", "GX 250"],
      ["Duremont", "GX 400"],
    ],
    cost: [28_000, 60_000],
    yearsOfWarranty: 5,
    locations: ["Yard, north side", "Basement, room 4"],
    faults: ["Does not start", "Coolant low"],
    rank: 0,
  },
  ups: {
    name: "UPS",
    category: "UPS",
    makes: [
      ["Elsted", "Guard 20"],
      ["Elsted", "Guard 60"],
      ["Tessaro", "U 15"],
    ],
    cost: [4_000, 15_000],
    yearsOfWarranty: 3,
    locations: ["Server room 1", "Server room 2"],
    faults: ["Battery alarm", "Bypass active"],
    rank: 2,
  },
  compressor: {
    name: "Air compressor",
    category: "Compressors",
    makes: [
      ["Brunvik", "K 11"],
      ["Brunvik", "K 22"],
      ["Ironvale", "Airo 15"],
    ],
    cost: [3_500, 9_000],
    yearsOfWarranty: 2,
    locations: ["Hall, bay 1", "Hall, bay 3"],
    faults: ["Oil leak", "Pressure drops", "Overheats"],
    rank: 5,
  },
  boiler: {
    name: "Boiler",
    category: "Boilers",
    makes: [
      ["Norrbeck", "Therm 300"],
      ["Norrbeck", "Therm 500"],
      ["Galdine", "B 40"],
    ],
    cost: [18_000, 42_000],
    yearsOfWarranty: 5,
    locations: ["Hall, bay 2", "Boiler room"],
    faults: ["Burner locks out", "Pressure too low"],
    rank: 1,
  },
  van: {
    name: "Delivery van",
    category: "Vans",
    makes: [
      ["Corvane", "Carry L2"],
      ["Corvane", "Carry L3"],
      ["Jorund", "Transit E"],
    ],
    cost: [24_000, 38_000],
    yearsOfWarranty: 3,
    locations: ["Row A", "Row B", "Row C"],
    faults: ["Warning light on", "Sliding door stuck", "Brakes grind"],
    rank: 8,
    grows: true,
    personal: true,
  },
  forklift: {
    name: "Forklift",
    category: "Forklifts",
    makes: [
      ["Fenwark", "Lift 16"],
      ["Fenwark", "Lift 25"],
      ["Ironvale", "Stack 2"],
    ],
    cost: [17_000, 29_000],
    yearsOfWarranty: 2,
    locations: ["Loading bay 1", "Loading bay 2"],
    faults: ["Mast slow", "Hydraulic leak"],
    rank: 9,
    grows: true,
  },
  switch: {
    name: "Network switch",
    category: "Network switches",
    makes: [
      ["Lumeris", "NS 24"],
      ["Lumeris", "NS 48"],
      ["Tessaro", "Link 10"],
    ],
    cost: [700, 3_100],
    yearsOfWarranty: 3,
    locations: ["Rack A1", "Rack B4", "Floor distributor"],
    faults: ["Ports flap", "Fan noisy"],
    rank: 10,
    grows: true,
  },
  laptop: {
    name: "Laptop",
    category: "Laptops",
    makes: [
      ["Tessaro", "Note 13"],
      ["Tessaro", "Note 15"],
      ["Quillon", "Slate 14"],
    ],
    cost: [900, 1_900],
    yearsOfWarranty: 3,
    locations: ["Office, 2nd floor", "Office, 3rd floor", "Home office"],
    faults: ["Battery swollen", "Display flickers", "Keyboard sticks"],
    rank: 13,
    grows: true,
    personal: true,
  },
  extinguisher: {
    name: "Fire extinguisher",
    category: "Fire extinguishers",
    makes: [
      ["Halvorsen & Rike", "F 6"],
      ["Halvorsen & Rike", "F 9"],
    ],
    cost: [60, 140],
    yearsOfWarranty: 2,
    locations: ["Corridor, ground floor", "Staircase B", "Beside the exit"],
    faults: ["Seal broken", "Pressure in the red"],
    rank: 12,
    grows: true,
  },
  defibrillator: {
    name: "Defibrillator",
    category: "Defibrillators",
    makes: [
      ["Halvorsen & Rike", "Beat 2"],
      ["Medrona", "AED 5"],
    ],
    cost: [1_100, 1_900],
    yearsOfWarranty: 5,
    locations: ["Reception", "First-aid room"],
    faults: ["Electrodes expired", "Self-test fails"],
    rank: 6,
  },
  centrifuge: {
    name: "Centrifuge",
    category: "Centrifuges",
    makes: [
      ["Medrona", "Spin 4"],
      ["Medrona", "Spin 12"],
    ],
    cost: [3_000, 12_000],
    yearsOfWarranty: 2,
    locations: ["Laboratory 1", "Laboratory 2"],
    faults: ["Imbalance error", "Lid does not lock"],
    rank: 8,
  },
  pump: {
    name: "Circulation pump",
    category: "Pumps",
    makes: [
      ["Brunvik", "Flow 32"],
      ["Brunvik", "Flow 50"],
      ["Galdine", "P 80"],
    ],
    cost: [600, 2_400],
    yearsOfWarranty: 2,
    locations: ["Circuit 1", "Circuit 2", "Filter room"],
    faults: ["Shaft seal leaks", "Bearing noise", "No flow"],
    rank: 7,
    grows: true,
  },
};
