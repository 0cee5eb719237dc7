import type { Named } from "./refusals.js";
import type { Warning } from "./warnings.js";

/** Longer names are found by their first words. */
const maxWords = 8;
/** Of a part of a name. */
const maxPartWords = 3;
const maxNamesakes = 5;

/** The form in which words are compared. */
export function foldWord(word: string): string {
  return word.toLowerCase().replaceAll("'", "’");
}

const ending = /(?:['’]s)?[.,;:!?)\]]*$/;

/**
 * Returns the person that the words begin with, and the number of words: the longest full name,
 * otherwise the only person whose name contains up to three words.
 */
function findNamed(
  words: readonly string[],
  people: readonly Named[],
): { person: Named; count: number } | undefined {
  for (const isFull of [true, false]) {
    for (let count = Math.min(isFull ? maxWords : maxPartWords, words.length); count > 0; count--) {
      const said = foldWord(words.slice(0, count).join(" ").replace(ending, ""));
      const isMeant = ({ name }: Named) =>
        isFull ? foldWord(name) === said : ` ${foldWord(name)} `.includes(` ${said} `);
      const [person, other] = said === "" ? [] : people.filter(isMeant);
      if (person !== undefined && other === undefined) return { person, count };
    }
  }
  return undefined;
}

const mention = /(?<=^|[\s(])@(\S+)/gmu;

/** Returns the first word after each "@", folded. */
export function findMentionWords(text: string): string[] {
  const words = [...text.matchAll(mention)].map(([, word = ""]) =>
    foldWord(word.replace(ending, "")),
  );
  return [...new Set(words)].filter((word) => word !== "");
}

/** Returns the mentioned people, the text with their full names, and the words after each other "@". */
export function readMentions(
  text: string,
  people: readonly Named[],
): { text: string; mentioned: Named[]; missed: string[][] } {
  const mentioned = new Map<string, Named>();
  const missed: string[][] = [];
  let written = "";
  let at = 0;
  for (const { index } of text.matchAll(mention)) {
    const [line = ""] = text.slice(index + 1).split("\n", 1);
    const words = line.split(/\s+/);
    if (index < at) continue;
    const found = findNamed(words, people);
    if (found === undefined) {
      missed.push(words);
      continue;
    }
    const { person, count } = found;
    const [said = ""] = new RegExp(`^(?:\\S+\\s+){${count - 1}}\\S+`, "u").exec(line) ?? [];
    mentioned.set(person.id, person);
    written += `${text.slice(at, index)}@${person.name}`;
    at = index + 1 + said.replace(ending, "").length;
  }
  return { text: written + text.slice(at), mentioned: [...mentioned.values()], missed };
}

/** Says why mentions notified no one. `people` are those that the author may see. */
export function explainMissed(
  missed: readonly string[][],
  people: readonly Named[],
  kind: "asset" | "task",
): Warning[] {
  const warnings = new Map<string, Warning>();
  for (const words of missed) {
    const said = (words[0] ?? "").replace(ending, "");
    if (said === "") continue;
    const person = findNamed(words, people)?.person;
    const namesakes = people.filter(({ name }) =>
      foldWord(name).split(" ").includes(foldWord(said)),
    );
    const names = namesakes.slice(0, maxNamesakes).map(({ name }) => name);
    const warning: Warning =
      person !== undefined
        ? { key: "mention_unseen", name: person.name, kind }
        : names.length > 1
          ? { key: "mention_ambiguous", name: said, names }
          : { key: "mention_unknown", name: said };
    warnings.set(JSON.stringify(warning), warning);
  }
  return [...warnings.values()];
}
