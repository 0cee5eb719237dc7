import type { ActivityRow } from "../../domain/audit/activity-queries.js";
import { formerMember } from "../../domain/shared/former-member.js";
import { quote } from "../../domain/shared/quote.js";
import { currentLocale, languageOf } from "../../language/locale.js";
import { t, translated } from "../../language/translate.js";
import { toPersonName } from "../text/person-name.js";
import { toFieldLabel } from "../text/field-labels.js";

/** `who` did it: "Dara Novak", or "You". */
export type Describe = (who: string, entry: ActivityRow) => string;

export type Details = ActivityRow["details"];

/** Of lines that count what happened in many ways. */
export function isVarious(details: Details): boolean {
  return details["various"] === true;
}

/** "Signing in failed, 3 times" */
export function withTimes(sentence: string, { times }: Details): string {
  return typeof times === "number" && times > 1
    ? t("{sentence}, {count, plural, one {# time} other {# times}}", { sentence, count: times })
    : sentence;
}

/** Who reads the log, as the one who did something. */
export function you(): string {
  return t("You||who did something");
}

export function whom(who: string): string {
  return who === you() ? t("you||for whom") : who;
}

/** A name as it stands in a sentence, one line of it. */
export function quoted(name: string): string {
  return t('"{name}"', { name: quote(name).slice(1, -1) });
}

export function named(details: Details, key: string): string {
  const name = text(details, key);
  return name === undefined ? t("something") : quoted(name);
}

/** Whose name is missing was erased. */
export function person(details: Details, key = "name"): string {
  return toPersonName(text(details, key) ?? formerMember);
}

export function text(details: Details, key: string): string | undefined {
  const value = details[key];
  return typeof value === "string" && value !== "" ? value : undefined;
}

const roles: Partial<Record<string, string>> = translated({
  owner: "owner||role in a sentence",
  admin: "admin||role in a sentence",
  member: "member||role in a sentence",
  viewer: "viewer||role in a sentence",
});

export function nameRole(role: string): string {
  return roles[role] ?? role;
}

/** "Dara Novak joined the organization as admin" */
export function withRole(sentence: string, details: Details, keys: readonly string[]): string {
  const role = keys.map((key) => text(details, key)).find((one) => one !== undefined);
  return role === undefined
    ? sentence
    : t("{sentence} as {role}", { sentence, role: nameRole(role) });
}

/** "Dara Novak changed the organization: name, time zone" */
export function withFields(sentence: string, { changed }: Details): string {
  const fields: unknown[] = Array.isArray(changed) ? changed : [];
  const names = fields.filter((field) => typeof field === "string").map(nameField);
  if (names.length === 0) return sentence;
  return t("{sentence}: {fields}", { sentence, fields: names.join(", ") });
}

/** German nouns are capitalized everywhere. */
function nameField(field: string): string {
  const label = toFieldLabel(field);
  return languageOf(currentLocale()) === "en" ? label.toLowerCase() : label;
}
