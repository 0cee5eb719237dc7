/** The same text for equal values, whatever the order of their keys; absent and undefined are equal. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (part === null || typeof part !== "object" || Array.isArray(part)) return part;
    return Object.fromEntries(
      Object.entries(part).sort(([left], [right]) => (left < right ? -1 : 1)),
    );
  });
}
