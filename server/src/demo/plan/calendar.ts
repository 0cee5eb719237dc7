import type { Random } from "./random.js";

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

export function addDays(day: string, days: number): string {
  return dayOf(Date.parse(day) + days * dayMs);
}

/** Clamps to the end of a shorter month: the 31st becomes the 30th. */
export function addMonths(day: string, months: number): string {
  const [year = 0, month = 0, date = 0] = day.split("-").map(Number);
  const last = new Date(Date.UTC(year, month + months, 0));
  return dayOf(last.setUTCDate(Math.min(date, last.getUTCDate())));
}

export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/**
 * A random time in a range, mostly in working hours if it has any. Counted in UTC: these hours are
 * on one day in Berlin, in winter and in summer.
 */
export function momentBetween(random: Random, from: number, to: number): number {
  for (let tries = 0; tries < 24; tries += 1) {
    const day = Date.parse(dayOf(from + random.next() * (to - from)));
    const isWeekend = new Date(day).getUTCDay() % 6 === 0;
    if (isWeekend && !random.chance(0.06)) continue;
    const hour = random.chance(0.95) ? random.between(6, 14) : random.between(4, 20);
    const at = day + hour * hourMs + random.between(0, 3_599) * 1_000;
    if (at >= from && at <= to) return at;
  }
  return Math.round((from + random.next() * (to - from)) / 1_000) * 1_000;
}
