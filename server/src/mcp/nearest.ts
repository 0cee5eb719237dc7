import { editDistance } from "../domain/shared/edit-distance.js";

export function findNearest(wrong: string, words: readonly string[]): string | undefined {
  return findBest(wrong, words, rankOf);
}

/** Like `findNearest`, for names. Also finds the only name with an equal first word. */
export function findNearestName(wrong: string, names: readonly string[]): string | undefined {
  const [first] = wrong.toLowerCase().split("_");
  const alike = names.filter((name) => name.split("_")[0] === first);
  const sameFirst = alike.length === 1 ? alike[0] : undefined;
  return findBest(wrong, names, (word, name) =>
    name === sameFirst ? Math.min(rankOf(word, name), ranks.begins) : rankOf(word, name),
  );
}

/** Other services' terms for our tools' subjects. */
const otherWords = new Map([
  ["equipment", "asset"],
  ["event", "history"],
  ["invitation", "invite"],
  ["location", "workspace"],
  ["log", "history"],
  ["member", "user"],
  ["order", "task"],
  ["people", "user"],
  ["site", "workspace"],
  ["statistic", "stat"],
  ["team", "user"],
  ["ticket", "task"],
  ["work", "maintenance"],
]);

/** The name that shares most words with a wrong one, at least two, if it is unique. */
export function findNearestByWords(wrong: string, names: readonly string[]): string | undefined {
  const wanted = new Set(wordsOf(wrong));
  const shared = names.map((name) => wordsOf(name).filter((word) => wanted.has(word)).length);
  const most = Math.max(...shared);
  if (most < 2 || shared.indexOf(most) !== shared.lastIndexOf(most)) return undefined;
  return names[shared.indexOf(most)];
}

function wordsOf(name: string): string[] {
  const words =
    name
      .slice(0, 64)
      .toLowerCase()
      .match(/[a-z]+/g) ?? [];
  return words.map((word) => word.replace(/s$/, "")).map((word) => otherWords.get(word) ?? word);
}

/**
 * Distances, best first: up to three different letters, a common prefix, a substring. Never more.
 */
const ranks = { begins: 4, inside: 5, far: Number.POSITIVE_INFINITY };

function findBest(
  wrong: string,
  words: readonly string[],
  rank: (wrong: string, word: string) => number,
): string | undefined {
  const written = wrong.toLowerCase().slice(0, 64);
  let best: string | undefined;
  let bestRank = ranks.far;
  for (const word of words) {
    const reached = rank(written, word);
    if (reached < bestRank) [best, bestRank] = [word, reached];
  }
  return best;
}

function rankOf(wrong: string, word: string): number {
  const distance = editDistance(wrong, word);
  if (distance <= mostEdits(wrong)) return distance;
  const [short, long] = wrong.length < word.length ? [wrong, word] : [word, wrong];
  if (short.length < 3 || !long.includes(short)) return ranks.far;
  return long.startsWith(short) ? ranks.begins : ranks.inside;
}

function mostEdits({ length }: string): number {
  if (length <= 4) return 1;
  return length <= 8 ? 2 : 3;
}
