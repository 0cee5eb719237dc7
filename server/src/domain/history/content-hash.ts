import { AppError } from "../../errors.js";
import type { VersionedKind } from "../shared/refusals.js";
import { hashJson } from "../shared/canonical-json.js";

/**
 * Returns a number that changes with any of the values, for values without a version. Forms send
 * it like a version.
 */
export function contentHash(values: object): number {
  const digest = hashJson(values);
  // At most nine digits, and never 0, which means a form without a version.
  return (digest.readUInt32BE(0) % 999_999_999) + 1;
}

/** Throws if the change is based on values other than the current ones. */
export function assertUnchanged(
  kind: VersionedKind,
  present: object,
  expected: number | undefined,
): void {
  const version = contentHash(present);
  if (expected === undefined || expected === version) return;
  const found = { field: "expected_version", kind, version, expected, changed: undefined };
  throw new AppError("conflict", "changed_since", found);
}
