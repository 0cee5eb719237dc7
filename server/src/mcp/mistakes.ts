/** A call whose arguments don't match the tool's schema. The message is for the assistant. */
export class ArgumentError extends Error {
  readonly field: string;
  readonly details: { nearest: string } | undefined;

  constructor(field: string, problem: string, nearest?: string) {
    super(`Validation failed: ${problem}`);
    this.name = "ArgumentError";
    this.field = field;
    this.details = nearest === undefined ? undefined : { nearest };
  }
}

/** A mistake in a parameter, row or record. `say` puts its label into a sentence. */
export interface Mistake {
  name: string;
  /** Records with different names can share a sentence, parameters can't. */
  isRecord?: boolean;
  say: (label: string) => string;
  nearest?: string | undefined;
}

export function aboutRecord(name: string, text: string): Mistake {
  return { name, isRecord: true, say: (label) => `${label}: ${text}` };
}

const indexed = /^([^[]*)\[(\d+)\](.*)$/s;

/** More different sentences are only counted. */
const mostSentences = 25;

/** Groups equal sentences: "assets[3, 7, 12].name is missing." */
export function groupMistakes(mistakes: readonly Mistake[]): string[] {
  const sentences = new Map<string, { names: string[]; say: Mistake["say"] }>();
  for (const { name, isRecord = false, say } of mistakes) {
    const key = say(isRecord ? (indexed.exec(name)?.[1] ?? "") : shapeOf(name));
    const same = sentences.get(key) ?? { names: [], say };
    same.names.push(name);
    sentences.set(key, same);
  }
  return [...sentences.values()].map(({ names, say }) => say(joinNames(names)));
}

export function toArgumentError(mistakes: readonly Mistake[]): ArgumentError {
  const [first] = mistakes;
  return new ArgumentError(
    (first?.name ?? "").slice(0, 80),
    tellMistakes(mistakes),
    first?.nearest,
  );
}

export function tellMistakes(mistakes: readonly Mistake[]): string {
  const sentences = groupMistakes(mistakes);
  const more = sentences.length - mostSentences;
  const rest = `${more} more ${more === 1 ? "mistake" : "mistakes"} of other kinds.`;
  return [...sentences.slice(0, mostSentences), ...(more > 0 ? [rest] : [])].join(" ");
}

/** A name without its list index. */
function shapeOf(name: string): string {
  return name.replace(indexed, "$1[]$3");
}

/** Joins names: `assets[3, 7].name`. Omits the part after the index if it differs. */
function joinNames(names: readonly string[]): string {
  const places = names.map((name) => indexed.exec(name));
  const [, start, , end] = places[0] ?? [];
  if (start === undefined) return names.join(", ");
  const isSame = places.every((place) => place?.[3] === end);
  return `${start}[${places.map((place) => place?.[2]).join(", ")}]${isSame ? end : ""}`;
}
