/** The subject of an unnamed set. Each reader sees the count in their own language. */
export interface Counted {
  counted: { count: number; noun: "asset" | "task" | "record" };
}

/** Returns the title and the stored count. The title is only for people who read the table. */
export function toCounted(
  count: number,
  noun: Counted["counted"]["noun"],
): { title: string; settings: Counted } {
  const title = `${count} ${noun}${count === 1 ? "" : "s"}`;
  return { title, settings: { counted: { count, noun } } };
}
