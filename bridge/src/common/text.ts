/** RFC 9110 §5.6.2. */
export const headerName = /^[\w!#$%&'*+.^`|~-]+$/;

/**
 * Returns true if a text is a valid header value: visible ASCII with inner spaces (RFC 9110 §5.5).
 */
export function isHeaderValue(text: unknown): text is string {
  return typeof text === "string" && /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/.test(text);
}

const maxLength = 120;
const byteOrderMark = Buffer.from("\ufeff");

/** Some programs write a byte order mark before each text. JSON must not start with one. */
export function withoutMark(bytes: Buffer): Buffer {
  return bytes[0] === byteOrderMark[0] && byteOrderMark.equals(bytes.subarray(0, 3))
    ? bytes.subarray(3)
    : bytes;
}

export function toPlainText(text: string): string {
  return text.replace(/[\p{C}\s]+/gu, " ").trim();
}

/** Server text for display: quoted, truncated, without control characters. */
export function quote(text: string): string {
  const plain = toPlainText(text);
  return `"${plain.length > maxLength ? `${plain.slice(0, maxLength)}…` : plain}"`;
}

export function toLocalTime(moment: string | number): string {
  return new Date(moment).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}
