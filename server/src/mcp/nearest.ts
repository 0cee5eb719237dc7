/** The name closest to a wrong one, if any is close enough to be what was meant. */
export function findNearest(wrong: string, names: readonly string[]): string | undefined {
  const word = wrong.toLowerCase().slice(0, 64);
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const name of names) {
    const part = name.includes(word) || word.includes(name);
    const distance = part && word.length > 2 ? 1 : editDistance(word, name);
    if (distance < bestDistance) [best, bestDistance] = [name, distance];
  }
  return bestDistance <= Math.max(2, word.length / 2) ? best : undefined;
}

/** How many letters to add, leave out or change (Levenshtein). */
function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const change = left[i - 1] === right[j - 1] ? 0 : 1;
      next.push(Math.min((next[j - 1] ?? 0) + 1, (row[j] ?? 0) + 1, (row[j - 1] ?? 0) + change));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}
