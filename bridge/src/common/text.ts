/** RFC 9110 §5.6.2. */
export const headerName = /^[\w!#$%&'*+.^`|~-]+$/;

/** Whether a text goes into a header as it is: visible ASCII with spaces inside (RFC 9110 §5.5). */
export function isHeaderValue(text: unknown): text is string {
  return typeof text === "string" && /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/.test(text);
}

const maxLength = 120;
const byteOrderMark = Buffer.from("\ufeff");

/** Some programs write it before every text, and JSON must not begin with it. */
export function withoutMark(bytes: Buffer): Buffer {
  return bytes[0] === byteOrderMark[0] && byteOrderMark.equals(bytes.subarray(0, 3))
    ? bytes.subarray(3)
    : bytes;
}

/** On one line, without control characters. */
export function toPlainText(text: string): string {
  return text.replace(/[\p{C}\s]+/gu, " ").trim();
}

/** Text of a server as a person may see it: in quotes, cut, without control characters. */
export function quote(text: string): string {
  const plain = toPlainText(text);
  return `"${plain.length > maxLength ? `${plain.slice(0, maxLength)}…` : plain}"`;
}

/** A moment as people at this computer write it. */
export function toLocalTime(moment: string | number): string {
  return new Date(moment).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}
