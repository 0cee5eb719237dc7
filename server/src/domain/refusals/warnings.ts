import type { AssetState } from "../../db/entities/asset.js";
import type { TaskState } from "../../db/entities/maintenance-task.js";
import { nameAsset, quote } from "../values/quote.js";
import { meterWarnings } from "./meter-texts.js";
import type { NamedAsset } from "./refusals.js";

/** What warnings say to every reader. */
const commonWarnings = {
  ...meterWarnings,
  serial_number_twice: ({ asset }: { asset: NamedAsset }) =>
    `The serial number is also on ${nameAsset(asset)}, of the same manufacturer. Check that this is not the same thing twice.`,
  category_like_other: ({ name, other }: { name: string; other: string }) =>
    `Category ${quote(name)} is new; there is also ${quote(other)}.`,
  parts_stay: ({ parts, total }: { parts: readonly NamedAsset[]; total: number }) =>
    `${total === 1 ? "1 part of this asset stays" : `${total} parts of this asset stay`} in use: ${parts.map(nameAsset).join(", ")}${total > parts.length ? ", …" : ""}.`,
  assignee_lost: ({ name, workspace, tasks }: LostAssignee) =>
    `${quote(name)} cannot see ${workspace === undefined ? "the organization" : quote(workspace)} and is no longer assigned${tasks === undefined ? "" : ` to ${tasks === 1 ? "1 open task" : `${tasks} open tasks`} of the asset`}.`,
  repetition_ended: ({ ends_on: day }: { ends_on: string | null }) =>
    `The repetition ended${day === null ? "" : `: nothing is due after ${day}`}.`,
  occurrences_skipped: ({ skipped, due }: { skipped: number; due: string }) =>
    `${skipped === 1 ? "1 occurrence was" : `${skipped} occurrences were`} skipped because the day has passed; the next one is due on ${due}.`,
  same_title: ({ task_number: number }: { task_number: string }) =>
    `${number} is open with the same title. Check that this is not the same work twice.`,
  completed_already: ({ day }: { day: string }) =>
    `The task was completed already on ${day}; only the record of it was changed.`,
  steps_left: ({ open, total }: { open: number; total: number }) =>
    `${open} of ${total} steps ${open === 1 ? "is" : "are"} not ticked.`,
};

interface LostAssignee {
  name: string;
  /** Undefined is what is in no workspace. */
  workspace: string | undefined;
  /** How many open tasks of an asset that moved; undefined for the thing itself. */
  tasks?: number;
}

/** Warnings that name fields, states or the next step. */
interface DistinctWarnings {
  state_is_so: { state: AssetState; note: boolean; reason: boolean };
  overdue_already: { due: string; today: string };
  asset_still_down: object;
  downtime_from_next_start: object;
  task_is_so: { state: TaskState; note: boolean };
  values_are_so: { kind: "asset" | "task"; note: boolean };
}

type Warnings = {
  [Key in keyof typeof commonWarnings]: Parameters<(typeof commonWarnings)[Key]>[0];
} & DistinctWarnings;

/** What a change was made in spite of, or did besides. */
export type Warning = { [Key in keyof Warnings]: { key: Key } & Warnings[Key] }[keyof Warnings];

/** What one kind of reader is told, for each warning that is not worded alike for all. */
export type WarningTexts = {
  [Key in keyof DistinctWarnings]: (parameters: DistinctWarnings[Key]) => string;
};

export function wordWarning(texts: WarningTexts, warning: Warning): string {
  const text = { ...commonWarnings, ...texts }[warning.key] as (parameters: object) => string;
  return text(warning);
}
