import { createHash } from "node:crypto";

/** The SHA-256 hash of a JSON value. Equal values have equal hashes. */
export function hashJson(value: unknown): Buffer {
  return createHash("sha256").update(canonicalJson(value)).digest();
}

/**
 * Serializes a JSON value by RFC 8785. Equal values have equal texts, whatever their key order.
 * Absent and undefined are equal. `canonical_json` in the database matches it.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  // Dates serialize to text.
  if (value === null || typeof value !== "object" || "toJSON" in value) {
    return JSON.stringify(value ?? null);
  }
  const members = Object.entries(value)
    .filter(([, part]) => part !== undefined)
    // By UTF-16 code units. An object can't hold this order, because numeric keys always come
    // first.
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, part]) => `${JSON.stringify(name)}:${canonicalJson(part)}`);
  return `{${members.join(",")}}`;
}
