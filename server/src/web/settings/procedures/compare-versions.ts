import { isDeepStrictEqual } from "node:util";
import type { StepDefinition } from "../../../db/entities/tasks.js";
import { findByKey, keysOf } from "../../../domain/tasks/checklist-steps.js";
import { t } from "../../../language/translate.js";
import { listOf } from "../../text/format.js";

/** Changes between two versions, one line for each kind of change. */
export function compareVersions(
  before: readonly StepDefinition[] | undefined,
  after: readonly StepDefinition[],
): string[] {
  if (before === undefined) return [];
  const [old, now] = [keysOf(before), keysOf(after)];
  const added = now.filter((key) => !old.includes(key));
  const removed = old.filter((key) => !now.includes(key));
  const kept = now.filter((key) => old.includes(key));
  const changed = kept.filter(
    (key) => !isDeepStrictEqual(findByKey(before, key), findByKey(after, key)),
  );
  const isMoved = !isDeepStrictEqual(
    old.filter((key) => kept.includes(key)),
    kept,
  );
  return [
    ...(added.length > 0 ? [t("Added: {steps}", { steps: listOf(added) })] : []),
    ...(removed.length > 0 ? [t("Removed: {steps}", { steps: listOf(removed) })] : []),
    ...(changed.length > 0 ? [t("Changed: {steps}", { steps: listOf(changed) })] : []),
    ...(isMoved ? [t("Order changed")] : []),
  ];
}
