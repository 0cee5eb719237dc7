import { addDays, startOfDay, weekdayOf } from "../domain/shared/dates.js";

export const sampleTimeZone = "Europe/Berlin";
export const dayMs = 86_400_000;

/** Public holidays of every year, and those in days from Easter Sunday. */
const fixedHolidays = ["01-01", "03-08", "05-01", "10-03", "12-24", "12-25", "12-26", "12-31"];
const movableHolidays = [-2, 1, 39, 50];

export function isWorkday(day: string): boolean {
  const easter = easterOf(Number(day.slice(0, 4)));
  return (
    weekdayOf(day) <= 5 &&
    !fixedHolidays.includes(day.slice(5)) &&
    !movableHolidays.some((days) => addDays(easter, days) === day)
  );
}

/** Easter Sunday, by Gauss. Valid from 1900 to 2099. */
function easterOf(year: number): string {
  const d = (19 * (year % 19) + 24) % 30;
  const e = (2 * (year % 4) + 4 * (year % 7) + 6 * d + 5) % 7;
  const days = d + e - (d === 29 && e === 6 ? 7 : d === 28 && e === 6 && year % 19 > 10 ? 7 : 0);
  return addDays(`${year}-03-22`, days);
}

/** The day itself or the next working day, or the one before with -1. */
export function toWorkday(day: string, direction: 1 | -1 = 1): string {
  return isWorkday(day) ? day : toWorkday(addDays(day, direction), direction);
}

/** Counts working days from a day. 0 is the day itself or the next working day. */
export function addWorkdays(day: string, count: number): string {
  if (count === 0) return toWorkday(day);
  const step = count < 0 ? -1 : 1;
  return Array.from({ length: Math.abs(count) }).reduce<string>(
    (at) => toWorkday(addDays(at, step), step),
    day,
  );
}

const midnights = new Map<string, number>();

/** The instant of a local time in minutes after midnight. Clocks change on Sundays only. */
export function momentOn(day: string, minutes: number): number {
  const known = midnights.get(day) ?? startOfDay(sampleTimeZone, day).getTime();
  midnights.set(day, known);
  return known + Math.round(minutes) * 60_000;
}

/** Reproducible random numbers from a seed, equal on every machine (mulberry32). */
export function createRandom(seed: number) {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
  return {
    next,
    /** A random integer from `least` to `most`, inclusive. */
    between: (least: number, most: number) => least + Math.floor(next() * (most - least + 1)),
    chance: (probability: number) => next() < probability,
    pick: <Item>(items: readonly Item[]): Item => items[Math.floor(next() * items.length)] as Item,
    shuffle: <Item>(items: readonly Item[]): Item[] =>
      items
        .map((item) => ({ item, place: next() }))
        .toSorted((left, right) => left.place - right.place)
        .map(({ item }) => item),
  };
}

/** Groups items by a text. `Map.groupBy` needs a newer Node.js. */
export function groupBy<Item>(items: readonly Item[], toKey: (item: Item) => string) {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(toKey(item), [...(groups.get(toKey(item)) ?? []), item]);
  return groups;
}
