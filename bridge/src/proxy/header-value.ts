const prefix = "=?base64?";
const suffix = "?=";
/** Visible ASCII with spaces and tabs inside: what a header field carries unchanged (RFC 9110 §5.5). */
const plain = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/;

/** A text as MCP writes it into a header: as it is where that is unambiguous, else in base64. */
export function toHeaderValue(text: string): string {
  const looksEncoded = text.startsWith(prefix) && text.endsWith(suffix);
  if (plain.test(text) && !looksEncoded) return text;
  return prefix + Buffer.from(text, "utf8").toString("base64") + suffix;
}
