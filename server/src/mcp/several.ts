import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { Tx } from "../db/database.js";
import type { AssetState } from "../db/entities/assets.js";
import type { Caller } from "../domain/access/caller.js";
import { changeSeveral as changeInSet } from "../domain/history/change-several.js";
import type { ChangedItems } from "../domain/history/change-all.js";
import type { Change } from "../domain/history/record-events.js";
import type { Confirmation } from "./define-tool.js";
import { aboutRecord, ArgumentError, groupMistakes } from "./mistakes.js";
import { text } from "./parameter-schemas.js";

const most = 100;

/** References to several records, instead of the parameter for one. */
export function referencesInPlaceOf(one: string) {
  return z
    .array(text({ max: 64 }))
    .max(most)
    .optional()
    .describe(`Up to ${most}, instead of ${one}.`);
}

/** Rows with parameters that are described outside. The tool list shows no details. */
export function rowsOf<Row extends z.ZodObject>(row: Row, description: string) {
  return z
    .array(row.meta({ abridged: true }))
    .min(1)
    .max(most)
    .optional()
    .describe(description);
}

const mostUnasked = 20;

/** Asks the person if more records change than they can check. `word` receives "27 assets". */
export function askBeforeMany(
  word: (records: string) => string,
  records: readonly unknown[] | undefined,
  of: "assets" | "tasks",
): Confirmation<unknown> | undefined {
  const count = records?.length ?? 0;
  if (count <= mostUnasked) return undefined;
  const answer = String(count);
  return {
    deletes: false,
    ask: () => ({
      question: { about: "several", words: word(`${answer} ${of}`) },
      label: `How many ${of}`,
      answer,
    }),
  };
}

export function wordStateChange(state: AssetState, assets: string): string {
  if (state === "deleted") return `Retire ${assets}?`;
  return `Mark ${assets} as ${state.replaceAll("_", " ")}?`;
}

/** The target of a call: one record, or several that change atomically. */
export type Targets = { one: string } | { several: ChangedItems<string> };

/**
 * Reads two parameters of which exactly one must be given, by their names. `ofOne` are parameters
 * for the first only, such as a version.
 */
export function readTargets(
  given: Record<string, string | string[] | undefined>,
  ofOne: Record<string, unknown> = {},
): Targets {
  const [[single, one], [plural, several]] = Object.entries(given) as [
    [string, string | undefined],
    [string, string[] | undefined],
  ];
  if (several === undefined) {
    if (one === undefined)
      throw new ArgumentError(
        single,
        `${single} is missing. Give ${single}, or ${plural} for several.`,
      );
    return { one };
  }
  if (one !== undefined) {
    throw new ArgumentError(plural, `${single} and ${plural} are both given. Give one of the two.`);
  }
  const alone = Object.keys(ofOne).find((name) => ofOne[name] !== undefined);
  if (alone !== undefined) {
    throw new ArgumentError(
      alone,
      `${alone} only works with ${single}, not with ${plural}. Leave it out, or make one call for each.`,
    );
  }
  return { several: { field: plural, items: [...new Set(several)], nameOf: String } };
}

interface Answered {
  changed?: readonly Change[];
  warnings: readonly string[];
}

interface SeveralAnswered<Row> {
  rows: (Row & { unchanged?: true })[];
  /** One per field. Values only if all records share them. */
  changed: Change[];
  warnings: string[];
}

/** Makes one change to each record, in one change set. Warnings name their record. */
export async function changeSeveral<Item, Answer extends Answered, Row>(
  { tx, caller }: { tx: Tx; caller: Caller },
  changed: ChangedItems<Item>,
  change: (item: Item, caller: Caller) => Promise<Answer>,
  toRow: (answer: Answer) => Row,
): Promise<SeveralAnswered<Row>> {
  const { items, nameOf } = changed;
  const answers = await changeInSet(tx, caller, changed, change);
  return {
    rows: answers.map((answer) => ({
      ...toRow(answer),
      ...(answer.changed?.length === 0 && { unchanged: true as const }),
    })),
    changed: combineChanges(answers.flatMap(({ changed }) => changed ?? [])),
    warnings: groupMistakes(
      answers.flatMap(({ warnings }, index) =>
        warnings.map((warning) => aboutRecord(nameOf(items[index] as Item, index), warning)),
      ),
    ),
  };
}

function combineChanges(changes: readonly Change[]): Change[] {
  const combined = new Map<string, Change>();
  for (const change of changes) {
    const { field } = change;
    const known = combined.get(field) ?? change;
    combined.set(field, {
      field,
      ...(isDeepStrictEqual(known.from, change.from) && { from: change.from }),
      ...(isDeepStrictEqual(known.to, change.to) && { to: change.to }),
    });
  }
  return [...combined.values()];
}
