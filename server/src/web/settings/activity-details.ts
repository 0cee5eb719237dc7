import type { ActivityRow } from "../../domain/logs/activity-queries.js";
import { formerMember } from "../../domain/values/former-member.js";
import { quote } from "../../domain/values/quote.js";
import { countOf } from "../text/format.js";

/** `who` did it: "Dara Novak", or "You". */
export type Describe = (who: string, entry: ActivityRow) => string;

export type Details = ActivityRow["details"];

/** Of lines that count what happened in many ways. */
export function isVarious(details: Details): boolean {
  return details["various"] === true;
}

/** ", 3 times" */
export function timesOf({ times }: Details): string {
  return typeof times === "number" && times > 1 ? `, ${countOf(times, "time")}` : "";
}

export function whom(who: string): string {
  return who === "You" ? "you" : who;
}

export function named(details: Details, key: string): string {
  const name = text(details, key);
  return name === undefined ? "something" : quote(name);
}

/** Whose name is missing was erased. */
export function person(details: Details, key = "name"): string {
  return text(details, key) ?? formerMember;
}

export function text(details: Details, key: string): string | undefined {
  const value = details[key];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** " as admin" */
export function withRole(details: Details, keys: readonly string[]): string {
  const role = keys.map((key) => text(details, key)).find((one) => one !== undefined);
  return role === undefined ? "" : ` as ${role}`;
}
