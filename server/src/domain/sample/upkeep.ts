import type { RepeatAnchor, RepeatUnit } from "../../db/entities/maintenance-plan.js";
import type { TaskType } from "../../db/entities/maintenance-task.js";
import type { KindKey } from "./kinds.js";
import { loadTest } from "./stories.js";

/** Work that repeats on assets of a kind: sixty plans in all. */
export interface Upkeep {
  kind: KindKey;
  /** Which assets of the kind: by key in the plan, or the first so many from one on. */
  on: { keys: readonly string[] } | { from: number; count: number };
  title: string;
  type: TaskType;
  every: number;
  unit: RepeatUnit;
  anchor?: RepeatAnchor;
  /** Occurrences that lie behind. */
  past: number;
  minutes: number;
  checklist: readonly string[];
  downtime?: true;
  /** How the present occurrence stands; by chance when left out. */
  present?: "overdue" | "month_end" | "leap_day";
  /** Days overdue. */
  overdueBy?: readonly [number, number];
}

export const sampleUpkeep: readonly Upkeep[] = [
  {
    kind: "generator",
    on: { keys: ["generator"] },
    title: loadTest,
    type: "preventive",
    every: 3,
    unit: "month",
    past: 7,
    minutes: 90,
    checklist: ["Check fuel and coolant", "Run at 80 % load for 30 minutes", "Log temperatures"],
    present: "overdue",
    overdueBy: [3, 3],
  },
  {
    kind: "generator",
    on: { from: 0, count: 5 },
    title: loadTest,
    type: "preventive",
    every: 3,
    unit: "month",
    past: 7,
    minutes: 90,
    checklist: ["Check fuel and coolant", "Run at 80 % load for 30 minutes", "Log temperatures"],
  },
  {
    kind: "boiler",
    on: { from: 0, count: 8 },
    title: "Yearly burner service",
    type: "preventive",
    every: 1,
    unit: "year",
    past: 1,
    minutes: 180,
    checklist: ["Clean burner", "Measure flue gas", "Test safety valve"],
    downtime: true,
  },
  {
    kind: "boiler",
    on: { from: 0, count: 1 },
    title: "Pressure vessel test",
    type: "preventive",
    every: 4,
    unit: "year",
    past: 0,
    minutes: 240,
    checklist: [],
    present: "leap_day",
  },
  {
    kind: "lift",
    on: { from: 0, count: 6 },
    title: "Half-yearly safety inspection",
    type: "inspection",
    every: 6,
    unit: "month",
    past: 3,
    minutes: 60,
    checklist: ["Test emergency call", "Check door edges", "Check brake"],
  },
  {
    kind: "lift",
    on: { from: 6, count: 6 },
    title: "Half-yearly lift service",
    type: "preventive",
    every: 6,
    unit: "month",
    past: 3,
    minutes: 120,
    checklist: ["Grease rails", "Adjust door drive"],
    downtime: true,
  },
  {
    kind: "airHandler",
    on: { from: 0, count: 10 },
    title: "Change filters",
    type: "preventive",
    every: 3,
    unit: "month",
    past: 6,
    minutes: 45,
    checklist: ["Change supply filter", "Change exhaust filter", "Reset counter"],
  },
  {
    kind: "ups",
    on: { from: 0, count: 6 },
    title: "Battery test",
    type: "preventive",
    every: 6,
    unit: "month",
    anchor: "completion_date",
    past: 3,
    minutes: 40,
    checklist: ["Measure each block", "Test bypass"],
  },
  {
    kind: "defibrillator",
    on: { from: 0, count: 4 },
    title: "Yearly device check",
    type: "inspection",
    every: 1,
    unit: "year",
    past: 1,
    minutes: 20,
    checklist: ["Check electrodes", "Run self-test"],
  },
  {
    kind: "centrifuge",
    on: { from: 0, count: 5 },
    title: "Speed calibration",
    type: "calibration",
    every: 6,
    unit: "month",
    past: 3,
    minutes: 75,
    checklist: ["Measure at 1,000 rpm", "Measure at 4,000 rpm", "Issue certificate"],
  },
  {
    kind: "extinguisher",
    on: { keys: ["extinguisher1", "extinguisher2", "extinguisher3", "extinguisher4"] },
    title: "Yearly inspection",
    type: "inspection",
    every: 1,
    unit: "year",
    past: 1,
    minutes: 10,
    checklist: ["Check pressure", "Check seal", "Renew sticker"],
    present: "overdue",
    overdueBy: [12, 12],
  },
  {
    kind: "van",
    on: { from: 0, count: 3 },
    title: "Service at the garage",
    type: "preventive",
    every: 6,
    unit: "month",
    past: 3,
    minutes: 240,
    checklist: ["Oil and filters", "Brakes", "Tyres"],
    downtime: true,
  },
  {
    kind: "pump",
    on: { from: 0, count: 1 },
    title: "Month-end bearing check",
    type: "preventive",
    every: 1,
    unit: "month",
    past: 12,
    minutes: 15,
    checklist: [],
    present: "month_end",
  },
];
