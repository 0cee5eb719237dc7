/** What a set is about that nobody gave a name, so that each reader counts it in their language. */
export interface Counted {
  counted: { count: number; noun: "asset" | "task" | "record" };
}

/** The title and what is kept beside it; the title alone is for whoever reads the table. */
export function toCounted(
  count: number,
  noun: Counted["counted"]["noun"],
): { title: string; settings: Counted } {
  const title = `${count} ${noun}${count === 1 ? "" : "s"}`;
  return { title, settings: { counted: { count, noun } } };
}
