/**
 * True if the client has the tagged version. Proxies that compress a response mark its tag as weak.
 */
export function isKnown(condition: string | undefined, etag: string): boolean {
  const known = (condition ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return known.includes(etag) || known.includes("*");
}
