import { dayIn } from "../values/dates.js";
import type { Random } from "./random.js";

export const sampleTimeZone = "Europe/Berlin";
export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);
}

/** Midnight in the sample's time zone, in milliseconds since 1970. */
export function startOfDay(day: string): number {
  const guess = Date.parse(day);
  const winter = guess - hourMs;
  const summer = guess - 2 * hourMs;
  return dayIn(sampleTimeZone, new Date(summer)) === day ? summer : winter;
}

export function dayOf(at: number): string {
  return dayIn(sampleTimeZone, new Date(at));
}

const firstHour = 7;
const lastHour = 17;
const manyTries = 24;

/** A moment from one to another, in working hours where there are any, seldom in others. */
export function momentBetween(random: Random, from: number, to: number): number {
  for (let tries = 0; tries < manyTries; tries += 1) {
    const day = dayOf(from + random.next() * (to - from));
    if (isWeekend(day) && !random.chance(0.06)) continue;
    const usual = random.chance(0.95);
    const hour = usual ? random.between(firstHour, lastHour) : random.between(5, 22);
    const at = startOfDay(day) + hour * hourMs + random.between(0, 3_599) * 1_000;
    if (at >= from && at <= to) return at;
  }
  return Math.round((from + random.next() * (to - from)) / 1_000) * 1_000;
}

function isWeekend(day: string): boolean {
  const weekday = new Date(day).getUTCDay();
  return weekday === 0 || weekday === 6;
}
