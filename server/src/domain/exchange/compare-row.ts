import { isDeepStrictEqual } from "node:util";
import type { Change } from "../history/record-events.js";
import { toNfc } from "../shared/text.js";
import type { RowValues } from "./read-values.js";

/** Fields that are matched without regard to letter case. */
const anyCase = new Set([
  ...["workspace_id", "category", "assigned_to_user_id", "procedure", "currency", "email"],
]);

export function findDiffering(values: RowValues, stored: RowValues): RowValues {
  const differing = Object.entries(values).filter(
    ([field, value]) => !isSame(field, value, stored),
  );
  return Object.fromEntries(differing);
}

function isSame(field: string, value: unknown, stored: RowValues): boolean {
  const before = stored[field];
  if (typeof value === "number") return Math.abs(value - Number(before ?? Number.NaN)) < 0.00005;
  if (Array.isArray(value)) {
    const lower = value.map((one: unknown) => toCompared(one).toLowerCase());
    return isDeepStrictEqual([...new Set(lower)], before);
  }
  if (typeof value !== "string") return value === before;
  const text = toCompared(value);
  if (!anyCase.has(field)) return text === toCompared(before);
  const also = field === "assigned_to_user_id" ? stored["assigned_to"] : before;
  return [before, also].some((one) => toCompared(one).toLowerCase() === text.toLowerCase());
}

/** Normalizes a value as it is cleaned before storage. */
function toCompared(value: unknown): string {
  return typeof value === "string" ? toNfc(value.replaceAll(/\r\n?/g, "\n").trim()) : "";
}

export function toPlannedChanges(differing: RowValues, stored: RowValues): Change[] {
  return Object.entries(differing).map(([field, to]) => {
    const from = stored[field] ?? undefined;
    return { field, ...(from !== undefined && { from }), to };
  });
}
