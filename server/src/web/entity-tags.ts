/** Whether the client has what the tag names. Proxies that compress an answer mark its tag as weak. */
export function isKnown(condition: string | undefined, etag: string): boolean {
  const known = (condition ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return known.includes(etag) || known.includes("*");
}
