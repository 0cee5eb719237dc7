/** The line end that a text uses. */
export function lineEndOf(text: string): "\n" | "\r\n" {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

export function toLineEnd(text: string, lineEnd: string): string {
  return text.replace(/\r?\n/g, lineEnd);
}

/** Where the line of a place begins. */
export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf("\n", offset - 1) + 1;
}

/** Where the line after a place begins. */
export function nextLine(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  return end < 0 ? text.length : end + 1;
}

export function splice(text: string, [from, to]: readonly [number, number], by: string): string {
  return text.slice(0, from) + by + text.slice(to);
}

/** With a line end at its end, unless there is nothing. */
export function endLine(text: string, lineEnd: string): string {
  return text === "" || text.endsWith("\n") ? text : text + lineEnd;
}
