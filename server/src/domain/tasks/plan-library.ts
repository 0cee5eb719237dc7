import type { RepeatUnit, TaskType } from "../../db/entities/tasks.js";
import type { PlainText } from "../../language/texts.js";

/** Ready-made plans by what people look after. Starting points, not legal advice. */
export const areas = {
  building: { title: "Buildings", workspace: "Buildings" },
  fleet: { title: "Vehicles", workspace: "Fleet" },
  it: { title: "IT equipment", workspace: "IT" },
  machines: { title: "Machines", workspace: "Workshop" },
} as const satisfies Record<string, { title: PlainText; workspace: PlainText }>;

export type Area = keyof typeof areas;

export interface ReadyPlan {
  area: Area;
  title: PlainText;
  /** The category of the assets that the plan is for. */
  category: PlainText;
  every: number;
  unit: RepeatUnit;
  minutes: number;
  type: TaskType;
  checklist: readonly PlainText[];
}

type Interval = `${number} ${RepeatUnit}`;

function plan(
  area: Area,
  category: PlainText,
  title: PlainText,
  [interval, minutes, type]: [Interval, number, TaskType],
  ...checklist: PlainText[]
): ReadyPlan {
  const [every = "1", unit = "year"] = interval.split(" ");
  const repeats = { every: Number(every), unit: unit as RepeatUnit };
  return { area, category, title, ...repeats, minutes, type, checklist };
}

/** By a key that addresses use. */
export const planLibrary: Readonly<Record<string, ReadyPlan>> = {
  fire_extinguishers: plan(
    "building",
    "Fire safety",
    "Inspect fire extinguishers",
    ["1 year", 60, "compliance_test"],
    "In place, visible and easy to reach",
    "Gauge in the green, seal intact",
    "Label with the next date",
  ),
  smoke_alarms: plan(
    "building",
    "Fire safety",
    "Test smoke alarms",
    ["1 year", 60, "inspection"],
    "Press the test button on each alarm",
    "Openings free of dust and paint",
    "Replace weak batteries",
  ),
  emergency_lighting: plan(
    "building",
    "Fire safety",
    "Test emergency lighting",
    ["1 month", 30, "inspection"],
    "Switch to battery and check each light",
    "Exit signs clean and readable",
    "Replace failed lamps",
  ),
  fire_doors: plan(
    "building",
    "Fire safety",
    "Check fire doors",
    ["3 month", 45, "inspection"],
    "Each door closes and latches unaided",
    "Seals and glass undamaged",
    "Nothing blocks the doors",
  ),
  lift: plan(
    "building",
    "Lifts",
    "Inspect the lift",
    ["6 month", 90, "compliance_test"],
    "Emergency call is answered",
    "Car stops level with the floor",
    "Doors reverse when blocked",
    "File the report",
  ),
  heating: plan(
    "building",
    "Heating and ventilation",
    "Service the heating",
    ["1 year", 120, "preventive"],
    "Clean burner and heat exchanger",
    "Check pressure and leaks",
    "Test the safety valve",
    "Note the flue gas values",
  ),
  ventilation: plan(
    "building",
    "Heating and ventilation",
    "Replace ventilation filters",
    ["6 month", 60, "preventive"],
    "Replace all filters",
    "Check belts and bearings",
    "Clean the air inlets",
  ),
  air_conditioning: plan(
    "building",
    "Heating and ventilation",
    "Service the air conditioning",
    ["1 year", 90, "preventive"],
    "Clean filters and coils",
    "Check for refrigerant leaks",
    "Clear the condensate drain",
  ),
  water: plan(
    "building",
    "Water supply",
    "Flush unused water outlets",
    ["1 week", 30, "preventive"],
    "Run hot and cold water for 3 minutes",
    "Note the hot water temperature",
  ),
  roof: plan(
    "building",
    "Roof and facade",
    "Clean roof drains and gutters",
    ["6 month", 120, "preventive"],
    "Remove leaves and dirt",
    "Check the roof for damage",
  ),
  first_aid: plan(
    "building",
    "Safety equipment",
    "Check first-aid kits",
    ["3 month", 20, "inspection"],
    "Contents complete",
    "Nothing past its expiry date",
  ),
  appliances: plan(
    "building",
    "Electrical equipment",
    "Test portable appliances (PAT)",
    ["1 year", 120, "compliance_test"],
    "Plug, cable and housing undamaged",
    "Measure insulation and earth",
    "Label with the next date",
  ),
  vehicle_service: plan(
    "fleet",
    "Cars and vans",
    "Service vehicles",
    ["1 year", 120, "preventive"],
    "Change oil and filter",
    "Check brakes and fluids",
    "Note the mileage",
  ),
  roadworthiness: plan(
    "fleet",
    "Cars and vans",
    "Arrange the roadworthiness test",
    ["1 year", 90, "compliance_test"],
    "Fix known defects first",
    "File the report",
  ),
  vehicle_check: plan(
    "fleet",
    "Cars and vans",
    "Check vehicles",
    ["1 month", 20, "inspection"],
    "Tire pressure and tread",
    "Lights and wipers work",
    "Oil, coolant and washer fluid",
    "First-aid kit and warning triangle",
  ),
  tires: plan(
    "fleet",
    "Cars and vans",
    "Change seasonal tires",
    ["6 month", 60, "preventive"],
    "Check age and tread",
    "Retighten wheels after 50 km",
  ),
  tail_lifts: plan(
    "fleet",
    "Trucks and trailers",
    "Inspect tail lifts",
    ["1 year", 60, "compliance_test"],
    "Hoses and cylinders free of leaks",
    "Platform locks hold",
    "File the report",
  ),
  restore: plan(
    "it",
    "Servers and network",
    "Test restoring a backup",
    ["3 month", 60, "inspection"],
    "Restore one file and one system",
    "Note how long it took",
  ),
  updates: plan(
    "it",
    "Servers and network",
    "Install server updates",
    ["1 month", 90, "preventive"],
    "Back up first",
    "Install and restart",
    "Test the main services",
  ),
  server_room: plan(
    "it",
    "Servers and network",
    "Check the server room",
    ["1 month", 20, "inspection"],
    "Temperature and humidity",
    "Warning lights and fans",
  ),
  ups: plan(
    "it",
    "Power supply",
    "Test the UPS",
    ["6 month", 45, "inspection"],
    "Run on battery under load",
    "Note runtime and battery age",
  ),
  laptops: plan(
    "it",
    "Laptops",
    "Check laptops",
    ["1 year", 30, "inspection"],
    "Disk encrypted, updates installed",
    "Battery, charger and case",
  ),
  accounts: plan(
    "it",
    "Servers and network",
    "Review user accounts",
    ["3 month", 60, "inspection"],
    "Remove people who left",
    "Check admin rights",
  ),
  compressors: plan(
    "machines",
    "Compressed air",
    "Service compressors",
    ["6 month", 90, "preventive"],
    "Change oil and filter",
    "Drain the condensate",
    "Check hoses for leaks",
  ),
  forklifts: plan(
    "machines",
    "Forklifts and cranes",
    "Inspect forklifts",
    ["1 year", 90, "compliance_test"],
    "Forks, chains and mast",
    "Brakes, steering and horn",
    "File the report",
  ),
  cranes: plan(
    "machines",
    "Forklifts and cranes",
    "Inspect cranes and hoists",
    ["1 year", 120, "compliance_test"],
    "Ropes, chains and hooks",
    "Brakes and limit switches",
    "File the report",
  ),
  guards: plan(
    "machines",
    "Machines",
    "Test emergency stops and guards",
    ["3 month", 30, "inspection"],
    "Each emergency stop stops the machine",
    "Guards in place and locked",
  ),
  lubrication: plan(
    "machines",
    "Machines",
    "Lubricate machines",
    ["1 month", 30, "preventive"],
    "Clean the grease points",
    "Grease as the manual says",
  ),
  generator: plan(
    "machines",
    "Power supply",
    "Run the generator under load",
    ["1 month", 45, "inspection"],
    "Check oil, coolant and fuel",
    "Run for 30 minutes",
    "Note voltage and hours",
  ),
  calibration: plan(
    "machines",
    "Measuring tools",
    "Calibrate measuring tools",
    ["1 year", 60, "calibration"],
    "Compare with the reference",
    "Label with the next date",
    "File the certificate",
  ),
};
