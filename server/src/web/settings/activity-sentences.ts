import { allScopes, type Scope } from "fettle-shared";
import type { ActivityRow } from "../../domain/audit/activity-queries.js";
import type { ActivityType } from "../../domain/audit/record-activity.js";
import { formerMember } from "../../domain/shared/former-member.js";
import { quote } from "../../domain/shared/quote.js";
import type { Text } from "../../language/texts.js";
import { currentLocale, languageOf } from "../../language/locale.js";
import { t, translated } from "../../language/translate.js";
import { toPersonName } from "../text/person-name.js";
import { formatDay, listOf } from "../text/format.js";
import { toFieldLabel } from "../text/field-labels.js";
import { describeDayRange, describeWorkingTime } from "../text/working-time.js";

export type Details = ActivityRow["details"];

/**
 * An entry with the text for its actor, "Dara Novak" or "You": as subject and as object of a
 * sentence.
 */
export interface Line {
  type: ActivityType;
  who: string;
  whom: string;
  userId: string | null;
  details: Details;
}

export type Tell = (line: Line) => string;

/** True for entries that count several kinds of events. */
export function isVarious(details: Details): boolean {
  return details["various"] === true;
}

/** "Signing in failed, 3 times" */
export function withTimes(sentence: string, { times }: Details): string {
  return typeof times === "number" && times > 1
    ? t("{sentence}, {count, plural, one {# time} other {# times}}", { sentence, count: times })
    : sentence;
}

/** The log's reader as the actor. */
export function you(): string {
  return t("You||author of an action");
}

export function whom(who: string): string {
  return who === you() ? t("you||for whom") : who;
}

export function named(details: Details, key: string): string {
  const name = text(details, key);
  return name === undefined ? t("something") : quote(name);
}

/** A person whose name is missing was erased. */
export function person(details: Details, key = "name"): string {
  return toPersonName(text(details, key) ?? formerMember);
}

export function text(details: Details, key: string): string | undefined {
  const value = details[key];
  return typeof value === "string" && value !== "" ? value : undefined;
}

type SentenceWithRole = `{sentence} as ${"an owner" | "an admin" | "a member" | "a viewer"}`;

const sentencesWithRole: Partial<Record<string, SentenceWithRole>> = {
  owner: "{sentence} as an owner",
  admin: "{sentence} as an admin",
  member: "{sentence} as a member",
  viewer: "{sentence} as a viewer",
};

const roles: Partial<Record<string, string>> = translated({
  owner: "owner||role in a sentence",
  admin: "admin||role in a sentence",
  member: "member||role in a sentence",
  viewer: "viewer||role in a sentence",
});

export function nameRole(role: string): string {
  return roles[role] ?? role;
}

/** "Dara Novak joined the organization as an admin" */
export function withRole(sentence: string, details: Details, keys: readonly string[]): string {
  const role = keys.map((key) => text(details, key)).find((one) => one !== undefined);
  const words = role === undefined ? undefined : sentencesWithRole[role];
  return words === undefined ? sentence : t(words, { sentence });
}

/** "Dara Novak changed the organization: name, time zone" */
export function withFields(sentence: string, { changed }: Details): string {
  const fields: unknown[] = Array.isArray(changed) ? changed : [];
  const names = fields.filter((field) => typeof field === "string").map(nameField);
  if (names.length === 0) return sentence;
  return t("{sentence}: {fields}", { sentence, fields: names.join(", ") });
}

/** Languages that capitalize nouns within a sentence: German and Luxembourgish. */
const capitalizing: ReadonlySet<string> = new Set(["de", "lb"]);

function nameField(field: string): string {
  const label = toFieldLabel(field);
  return capitalizing.has(languageOf(currentLocale())) ? label : label.toLowerCase();
}

const signIns = {
  none: "{who} signed in",
  recovery_code: "{who} signed in with a recovery code",
  app: "{who} signed in with an authenticator app",
} as const;

const providerSignIns = {
  none: "{who} signed in with the identity provider of the organization",
  recovery_code:
    "{who} signed in with the identity provider of the organization and a recovery code",
  passkey: "{who} signed in with the identity provider of the organization and a passkey",
  app: "{who} signed in with the identity provider of the organization and an authenticator app",
} as const;

export function describeSignIn({ who, details }: Line): string {
  if (details["method"] === "passkey") return t("{who} signed in with a passkey", { who });
  const factor = text(details, "factor") ?? "none";
  return details["method"] === "provider"
    ? t(pick(providerSignIns, factor) ?? providerSignIns.app, { who })
    : t(pick(signIns, factor) ?? signIns.app, { who });
}

function pick<Message extends Text>(
  texts: Readonly<Record<string, Message>>,
  key: string | undefined,
): Message | undefined {
  return Object.entries(texts).find(([name]) => name === key)?.[1];
}

export function describeFailedSignIn({ whom: who, details }: Line): string {
  const sentence = isVarious(details)
    ? t("Sign-in as {who} failed from more addresses", { who })
    : t("Sign-in as {who} failed", { who });
  return withTimes(sentence, details);
}

export function describeSignOut({ who, whom: object, details }: Line): string {
  const { sessions: ended, other_sessions: others } = details;
  if (typeof ended === "number") {
    return t(
      "The server's administrator signed {who} out of {count, plural, one {# browser} other {# browsers}}",
      { who: object, count: ended },
    );
  }
  if (typeof others !== "number") return t("{who} signed out", { who });
  return t("{who} signed out of {count, plural, one {# other browser} other {# other browsers}}", {
    who,
    count: others,
  });
}

export function describePasswordChange({ who, whom: object, details }: Line): string {
  const ended = details["sessions_ended"];
  if (typeof ended !== "number") return t("A new password was set for {who}", { who: object });
  if (ended === 0) return t("{who} changed the password", { who });
  return t(
    "{who} changed the password, which ended {count, plural, one {# other session} other {# other sessions}}",
    { who, count: ended },
  );
}

export function describeAccessEnd({ who, details }: Line): string {
  const day = text(details, "access_ends_on");
  const name = person(details);
  return day === undefined
    ? t("{who} removed the last day of {name}", { who, name })
    : t("{who} set {day} as the last day of {name}", { who, name, day: formatDay(day) });
}

export function describeWorkingTimeChange({ who, details }: Line): string {
  const { weekly_minutes: minutes, working_days: days } = details;
  const isOfPerson = text(details, "user_id") !== undefined;
  const name = isOfPerson ? person(details) : organization();
  if (typeof minutes !== "number" || !Array.isArray(days)) {
    return t("{who} set the working time of {name} to the usual", { who, name });
  }
  const time = describeWorkingTime({ weekly_minutes: minutes, working_days: days.map(Number) });
  return t("{who} set the working time of {name} to {time}", { who, name, time });
}

export function describeAbsence({ who, details }: Line) {
  const [first_day = "", last_day = ""] = [text(details, "first_day"), text(details, "last_day")];
  const days = first_day === "" ? "…" : describeDayRange({ first_day, last_day });
  return { who, name: person(details), days };
}

export function describeRemoval({ who, details }: Line): string {
  const name = person(details);
  if (details["access_ended"] === true) return t("{name}'s access has ended", { name });
  const from = text(details, "workspace");
  const place = from === undefined ? organization() : quote(from);
  return t("{who} removed {name} from {place}", { who, name, place });
}

/** Changed by an admin, or by the person who accepted an invitation. */
export function describeRoleChange(line: Line): string {
  const { type, who, details } = line;
  const place = type === "role_changed" ? organization() : workspace(details);
  const sentence = isAboutActor(line)
    ? t("{who} got a different role in {place}", { who, place })
    : t("{who} changed {name}'s role in {place}", { who, name: person(details), place });
  const [from, to] = [text(details, "from"), text(details, "to")];
  if (to === undefined) return sentence;
  const role = nameRole(to);
  return from === undefined
    ? t("{sentence} to {role}", { sentence, role })
    : t("{sentence} from {former} to {role}", { sentence, former: nameRole(from), role });
}

export function describeJoining(line: Line): string {
  const { who, details } = line;
  const place = workspace(details);
  const sentence = isAboutActor(line)
    ? t("{who} joined {place}", { who, place })
    : t("{who} added {name} to {place}", { who, name: person(details), place });
  return withRole(sentence, details, ["role", "to"]);
}

function isAboutActor({ userId, details }: Line): boolean {
  return userId !== null && text(details, "user_id") === userId;
}

function organization(): string {
  return t("the organization||in, from, to");
}

function workspace(details: Details): string {
  const name = text(details, "workspace");
  return name === undefined ? t("a workspace||in, from, to") : quote(name);
}

const rules = {
  admins_need_second_factor: {
    on: "now for owners and admins",
    off: "no longer for owners and admins",
  },
  destructive_needs_second_factor: {
    on: "now before an app can delete permanently",
    off: "no longer before an app can delete permanently",
  },
} as const;

export function describeRules({ who, details }: Line): string {
  const parts = Object.entries(rules).flatMap(([rule, { on, off }]) => {
    const isOn = details[rule];
    return typeof isOn === "boolean" ? [t(isOn ? on : off)] : [];
  });
  return t("{who} changed the second-factor rules: {rules}", {
    who,
    rules: listOf(parts),
  });
}

export function describeProvider({ who, details }: Line): string {
  const former = text(details, "former_issuer");
  const issuer = named(details, "issuer");
  const sentence =
    former === undefined
      ? t("{who} set the identity provider {issuer}", { who, issuer })
      : t("{who} replaced the identity provider {former} with {issuer}", {
          who,
          issuer,
          former: quote(former),
        });
  return details["secret_changed"] === true
    ? t("{sentence}, with a new secret", { sentence })
    : sentence;
}

export function describeWorkspaceUpdate({ who, details }: Line): string {
  const former = text(details, "former_name");
  const name = named(details, "name");
  return former === undefined
    ? withFields(t("{who} changed the workspace {name}", { who, name }), details)
    : t("{who} renamed the workspace {former} to {name}", { who, former: quote(former), name });
}

const endings = {
  revoked_by_client: "{app} ended its own access. It acted for {who}",
  code_reuse:
    "{app} was disconnected for safety: its connection code was used a second time. It acted for {who}",
  expired: "Access of {app} expired. It acted for {who}",
  too_many:
    "{app} had too many connections. The one unused for longest was ended. It acted for {who}",
} as const;

export function describeDisconnection({ who, whom: object, details }: Line): string {
  const app = named(details, "client_name");
  const ending = pick(endings, text(details, "reason"));
  if (ending !== undefined) return t(ending, { app, who: object });
  return text(details, "user_id") === undefined
    ? t("{who} disconnected {app}", { who, app })
    : t("{who} disconnected {app}, which acted for {name}", { who, app, name: person(details) });
}

const scopeVerbs: Record<Scope, string> = translated({
  mcp_read: "read||right of an app, in a sentence",
  mcp_write: "change||right of an app, in a sentence",
  mcp_destructive: "delete permanently||right of an app, in a sentence",
});

/** "Dara Novak connected "Helper" with read and change for 30 days" */
export function describeConnection({ who, details }: Line): string {
  const { scopes, days } = details;
  const granted: unknown[] = Array.isArray(scopes) ? scopes : [];
  const verbs = allScopes.filter((scope) => granted.includes(scope)).map((one) => scopeVerbs[one]);
  const connected = t("{who} connected {app}", { who, app: named(details, "client_name") });
  const sentence =
    verbs.length === 0
      ? connected
      : t("{sentence} with {rights}", { sentence: connected, rights: listOf(verbs) });
  return typeof days === "number"
    ? t("{sentence} for {count, plural, one {# day} other {# days}}", { sentence, count: days })
    : sentence;
}

export function describeDeletion({ who, details }: Line): string {
  const { tasks_removed: tasks, events_removed: events } = details;
  const asset = { who, number: text(details, "inventory_number") ?? "" };
  if (typeof tasks !== "number" || typeof events !== "number") {
    return t("{who} permanently deleted the asset {number}", asset);
  }
  return t(
    "{who} permanently deleted the asset {number} {name} with {tasks, plural, one {# task} other {# tasks}} and {events, plural, one {# history event} other {# history events}}",
    { ...asset, name: named(details, "asset_name"), tasks, events },
  );
}
