/**
 * The text of a value by RFC 8785, for what JSON can hold: equal values have equal texts, whatever the
 * order of their keys; absent and undefined are equal. `canonical_json` in the database writes the same.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  // A date is a text.
  if (value === null || typeof value !== "object" || "toJSON" in value) {
    return JSON.stringify(value ?? null);
  }
  const members = Object.entries(value)
    .filter(([, part]) => part !== undefined)
    // By UTF-16 code units. No object can be in this order: its numeric keys always come first.
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, part]) => `${JSON.stringify(name)}:${canonicalJson(part)}`);
  return `{${members.join(",")}}`;
}
