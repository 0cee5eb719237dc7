import type { Tx } from "../../db/database.js";
import type { RepeatUnit, TaskType } from "../../db/entities/tasks.js";
import type { PlainText } from "../../language/texts.js";
import { t } from "../../language/translate.js";
import type { Caller } from "../access/caller.js";
import { isAdminSomewhere } from "../access/roles.js";
import type { GivenStep } from "./checklist-steps.js";
import { addProcedure, listProcedures, type ProcedureRow } from "./procedures.js";

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
  steps: readonly ReadyStep[];
}

interface ReadyStep extends Pick<GivenStep, "kind" | "required" | "unit" | "min" | "max"> {
  label: PlainText;
  /** The title of the task that a failed step adds. */
  follow_up?: PlainText;
}

const passFail = (label: PlainText, follow_up?: PlainText): ReadyStep => ({
  ...{ label, kind: "pass_fail", required: true },
  ...(follow_up !== undefined && { follow_up }),
});

const measure = (
  label: PlainText,
  rules: Pick<ReadyStep, "unit" | "min" | "max" | "follow_up">,
): ReadyStep => ({ label, kind: "number", required: true, ...rules });

const signature: ReadyStep = { label: "Signature", kind: "signature", required: true };

type Interval = `${number} ${RepeatUnit}`;

function plan(
  area: Area,
  category: PlainText,
  title: PlainText,
  [interval, minutes, type]: [Interval, number, TaskType],
  ...steps: (PlainText | ReadyStep)[]
): ReadyPlan {
  const [every = "1", unit = "year"] = interval.split(" ");
  const repeats = { every: Number(every), unit: unit as RepeatUnit };
  return {
    ...{ area, category, title, ...repeats, minutes, type },
    steps: steps.map((step) => (typeof step === "string" ? { label: step } : step)),
  };
}

/** True if the plan brings a procedure: a task's form takes only lines. */
export const hasProcedure = ({ steps }: ReadyPlan): boolean =>
  steps.some(({ kind }) => kind !== undefined);

/** The procedure that was added with the plan, or another one with its title. */
export function findProcedureOf(
  { title }: ReadyPlan,
  procedures: readonly ProcedureRow[],
): ProcedureRow | undefined {
  const name = t(title).toLowerCase();
  return procedures.find((one) => one.archived_at === null && one.name.toLowerCase() === name);
}

/**
 * The plan's steps for a new task, or its procedure, added if missing. People who can't add
 * procedures get the steps.
 */
export async function takeSteps(
  tx: Tx,
  caller: Caller,
  plan: ReadyPlan,
): Promise<{ checklist?: GivenStep[]; procedure?: string | undefined }> {
  const steps = plan.steps.map(({ label, follow_up, ...step }) => ({
    ...{ ...step, label: t(label) },
    ...(follow_up !== undefined && { follow_up: t(follow_up) }),
  }));
  if (!hasProcedure(plan)) return { checklist: steps };
  const found = findProcedureOf(plan, await listProcedures(tx, caller, { isArchived: false }));
  if (found !== undefined) return { procedure: found.id };
  if (!(await isAdminSomewhere(tx, caller))) return { checklist: steps, procedure: undefined };
  const given = { name: t(plan.title), category: t(plan.category), steps };
  return { procedure: (await addProcedure(tx, caller, given)).id };
}

/** By a key that addresses use. */
export const planLibrary: Readonly<Record<string, ReadyPlan>> = {
  fire_extinguishers: plan(
    "building",
    "Fire safety",
    "Inspect fire extinguishers",
    ["1 year", 60, "compliance_test"],
    passFail("In place, visible and easy to reach"),
    passFail("Gauge in the green, seal intact", "Replace failed fire extinguishers"),
    "Label with the next date",
    signature,
  ),
  smoke_alarms: plan(
    "building",
    "Fire safety",
    "Test smoke alarms",
    ["1 year", 60, "inspection"],
    passFail("Press the test button on each alarm", "Replace failed smoke alarms"),
    passFail("Openings free of dust and paint"),
    "Replace weak batteries",
    signature,
  ),
  emergency_lighting: plan(
    "building",
    "Fire safety",
    "Test emergency lighting",
    ["1 month", 30, "inspection"],
    passFail("Switch to battery and check each light", "Repair the emergency lighting"),
    passFail("Exit signs clean and readable"),
    "Replace failed lamps",
    signature,
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
    passFail("Emergency call is answered", "Repair the lift's emergency call"),
    passFail("Car stops level with the floor", "Adjust the lift's stops"),
    passFail("Doors reverse when blocked", "Repair the lift doors"),
    { label: "Photo of the report", kind: "photo" },
    signature,
  ),
  heating: plan(
    "building",
    "Heating and ventilation",
    "Service the heating",
    ["1 year", 120, "preventive"],
    "Clean burner and heat exchanger",
    measure("System pressure", { unit: "bar", min: 1, max: 2.5 }),
    passFail("No leaks", "Repair leaks in the heating"),
    passFail("Test the safety valve", "Replace the safety valve"),
    measure("Carbon monoxide in the flue gas", { unit: "ppm", max: 500 }),
    { label: "Photo of the flue gas report", kind: "photo" },
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
    measure("Hot water temperature", {
      ...{ unit: "°C", min: 55, follow_up: "Find out why the hot water is too cold" },
    }),
    measure("Cold water temperature", { unit: "°C", max: 25 }),
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
    passFail("Plug, cable and housing undamaged"),
    measure("Lowest insulation resistance", { unit: "MΩ", min: 1 }),
    measure("Highest earth resistance", { unit: "Ω", max: 0.3 }),
    "Label with the next date",
    signature,
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
    passFail("Tire pressure as the manual says"),
    measure("Lowest tread depth", { unit: "mm", min: 3, follow_up: "Replace worn tires" }),
    passFail("Lights and wipers work", "Repair lights or wipers"),
    "Oil, coolant and washer fluid",
    passFail("First-aid kit and warning triangle"),
    { label: "Photo of any damage", kind: "photo" },
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
    measure("Temperature", { unit: "°C", min: 18, max: 27 }),
    measure("Relative humidity", { unit: "%", min: 20, max: 80 }),
    passFail("Fans run, no warning lights", "Repair fans or faults in the server room"),
  ),
  ups: plan(
    "it",
    "Power supply",
    "Test the UPS",
    ["6 month", 45, "inspection"],
    passFail("Run on battery under load", "Repair the UPS"),
    measure("Runtime on battery", { unit: "min", min: 10 }),
    measure("Age of the batteries in years", { max: 4, follow_up: "Replace UPS batteries" }),
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
