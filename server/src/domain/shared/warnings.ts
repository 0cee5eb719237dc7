import { t } from "../../language/translate.js";
import type { AssetState } from "../../db/entities/assets.js";
import type { TaskState } from "../../db/entities/tasks.js";
import { nameAsset, quote } from "./quote.js";
import { meterWarnings } from "./meter-texts.js";
import { stepWarnings } from "./step-texts.js";
import type { NamedAsset } from "./refusals.js";

const commonWarnings = {
  ...meterWarnings,
  ...stepWarnings,
  serial_number_twice: ({ asset }: { asset: NamedAsset }) =>
    t(
      "{asset}, from the same manufacturer, has the same serial number. Check that this isn't a duplicate.",
      { asset: nameAsset(asset) },
    ),
  name_twice: ({ asset }: { asset: NamedAsset }) =>
    t("{asset} in the same workspace has the same name. Check that it isn't the same asset.", {
      asset: nameAsset(asset),
    }),
  category_like_other: ({ name, other }: { name: string; other: string }) =>
    t("Category {name} is new. There is also {other}.", { name: quote(name), other: quote(other) }),
  parts_stay: ({ parts, total }: { parts: readonly NamedAsset[]; total: number }) =>
    t(
      "{total, plural, one {# part of this asset is} other {# parts of this asset are}} still in use: {parts}.",
      {
        total,
        parts: [...parts.map(nameAsset), ...(total > parts.length ? ["…"] : [])].join(", "),
      },
    ),
  assignee_lost: ({ name, workspace, tasks }: LostAssignee) => {
    const who = {
      name: quote(name),
      place: workspace === undefined ? t("the organization") : quote(workspace),
    };
    return tasks === undefined
      ? t("{name} can't see {place} and is no longer assigned.", who)
      : t(
          "{name} can't see {place} and is no longer assigned to {tasks, plural, one {# open task} other {# open tasks}} of the asset.",
          { ...who, tasks },
        );
  },
  repetition_ended: ({ ends_on: day }: { ends_on: string | null }) =>
    day === null
      ? t("That was the last occurrence.")
      : t("That was the last occurrence: nothing is due after {day}.", { day }),
  occurrences_skipped: ({ skipped, due }: { skipped: number; due: string }) =>
    t(
      "{skipped, plural, one {# occurrence was} other {# occurrences were}} skipped because the day has passed. The next one is due on {due}.",
      { skipped, due },
    ),
  same_title: ({ task_number: number }: { task_number: string }) =>
    t("{number} is open with the same title. Check that this isn't a duplicate.", {
      number,
    }),
  completed_already: ({ day }: { day: string }) =>
    t("The task was already completed on {day}. Only its record was changed.", { day }),
  steps_left: ({ open, total }: { open: number; total: number }) =>
    t("{open, plural, one {# of {total} steps isn't} other {# of {total} steps aren't}} done.", {
      open,
      total,
    }),
  mention_unknown: ({ name }: { name: string }) =>
    t("No one here is named {name}. Edit the comment and write the full name.", {
      name: quote(name),
    }),
  mention_unseen: ({ name, kind }: { name: string; kind: "asset" | "task" }) =>
    kind === "task"
      ? t(
          "{name} can't see this task and wasn't notified. An admin can add them to its workspace.",
          {
            name: quote(name),
          },
        )
      : t(
          "{name} can't see this asset and wasn't notified. An admin can add them to its workspace.",
          { name: quote(name) },
        ),
  mention_ambiguous: ({ name, names }: { name: string; names: readonly string[] }) =>
    t("Several people are named {name}: {names}. Edit the comment and write the full name.", {
      name: quote(name),
      names: names.join(", "),
    }),
  invite_kept: ({ email }: { email: string }) =>
    [
      t("Invitation for {email} created. Email isn't set up, so send the link yourself.", {
        email,
      }),
      t("An organization admin can find the link under Settings > Mail."),
    ].join(" "),
};

interface LostAssignee {
  name: string;
  /** Undefined means without a workspace. */
  workspace: string | undefined;
  /** Number of open tasks of a moved asset. Undefined if the record itself lost its assignee. */
  tasks?: number;
}

/** Warnings that name fields, states or the next step. */
interface DistinctWarnings {
  state_is_so: { state: AssetState; note: boolean; reason: boolean };
  overdue_already: { due: string; today: string };
  /** The new due date moved later occurrences to these days. */
  series_moved: { dues: string[] };
  asset_still_down: object;
  downtime_from_next_start: object;
  cancelled_with_record: { fields: readonly string[] };
  hold_unexplained: object;
  task_is_so: { state: TaskState; note: boolean };
  values_are_so: { kind: "asset" | "task"; note: boolean };
}

type Warnings = {
  [Key in keyof typeof commonWarnings]: Parameters<(typeof commonWarnings)[Key]>[0];
} & DistinctWarnings;

/** A problem that didn't stop a change, or a side effect. */
export type Warning = { [Key in keyof Warnings]: { key: Key } & Warnings[Key] }[keyof Warnings];

/** The text of each warning for one kind of reader, if there is no common text. */
export type WarningTexts = {
  [Key in keyof DistinctWarnings]: (parameters: DistinctWarnings[Key]) => string;
};

export function wordWarning(texts: WarningTexts, warning: Warning): string {
  const text = { ...commonWarnings, ...texts }[warning.key] as (parameters: object) => string;
  return text(warning);
}
