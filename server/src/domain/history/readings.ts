import { createHash } from "node:crypto";
import { AppError } from "../../errors.js";
import type { VersionedKind } from "../shared/refusals.js";
import { canonicalJson } from "../shared/canonical-json.js";

/**
 * A number for values that are changed together and count no versions: another one when any of them is
 * another one. Forms carry it as they carry a version.
 */
export function readingOf(values: object): number {
  const digest = createHash("sha256").update(canonicalJson(values)).digest();
  // At most nine digits, and never 0, which stands for a form of no version.
  return (digest.readUInt32BE(0) % 999_999_999) + 1;
}

/** Refuses a change that was decided on other values than those that are there now. */
export function checkReading(
  kind: VersionedKind,
  present: object,
  expected: number | undefined,
): void {
  const version = readingOf(present);
  if (expected === undefined || expected === version) return;
  const found = { field: "expected_version", kind, version, expected, changed: undefined };
  throw new AppError("conflict", "changed_since", found);
}
