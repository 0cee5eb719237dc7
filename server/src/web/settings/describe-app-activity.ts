import { allScopes, type Scope } from "fettle-shared";
import type { ActivityRow } from "../../domain/audit/activity-queries.js";
import type { ActivityType } from "../../domain/audit/record-activity.js";
import { t, translated } from "../../language/translate.js";
import { listOf } from "../text/format.js";
import {
  isVarious,
  named,
  person,
  text,
  whom,
  withTimes,
  type Describe,
  type Details,
} from "./activity-details.js";

type Words = Partial<Record<ActivityType, { group: "apps"; describe: Describe }>>;

/** How apps were connected, and how that ended. */
export const appWords = {
  app_connected: {
    group: "apps",
    describe: (who, { details }) =>
      forDays(withScopes(t("{who} connected {app}", { who, app: app(details) }), details), details),
  },
  app_denied: { group: "apps", describe: describeDenial },
  app_disconnected: { group: "apps", describe: describeDisconnection },
  refresh_reuse: {
    group: "apps",
    describe: (who, { details }) =>
      t(
        "{app} was disconnected for safety: an old key of it was used a second time. It acted for {who}",
        { app: app(details), who: whom(who) },
      ),
  },
} satisfies Words;

function describeDenial(who: string, { details }: ActivityRow): string {
  const sentence = isVarious(details)
    ? t("{who} did not let more apps connect", { who })
    : t("{who} did not let {app} connect", { who, app: app(details) });
  return withTimes(sentence, details);
}

function describeDisconnection(who: string, { details }: ActivityRow): string {
  const reason = text(details, "reason");
  const ofApp = { app: app(details), who: whom(who) };
  if (reason === "revoked_by_client") {
    return t("{app} ended its own access. It acted for {who}", ofApp);
  }
  if (reason === "code_reuse") {
    return t(
      "{app} was disconnected for safety: its code to connect was used a second time. It acted for {who}",
      ofApp,
    );
  }
  if (reason === "expired") {
    return t("The time of {app} was over. It acted for {who}", ofApp);
  }
  if (reason === "too_many") {
    return t(
      "{app} was connected too often: the connection not used for longest ended. It acted for {who}",
      ofApp,
    );
  }
  const byPerson = { who, app: app(details) };
  return text(details, "user_id") === undefined
    ? t("{who} disconnected {app}", byPerson)
    : t("{who} disconnected {app}, which acted for {name}", { ...byPerson, name: person(details) });
}

/** "Dara Novak connected "Helper" for 30 days" */
function forDays(sentence: string, { days }: Details): string {
  return typeof days === "number"
    ? t("{sentence} for {count, plural, one {# day} other {# days}}", { sentence, count: days })
    : sentence;
}

function app(details: Details): string {
  return named(details, "client_name");
}

const scopeVerbs: Record<Scope, string> = translated({
  mcp_read: "read||right of an app, in a sentence",
  mcp_write: "change||right of an app, in a sentence",
  mcp_destructive: "delete permanently||right of an app, in a sentence",
});

/** "Dara Novak connected "Helper" with read and change" */
function withScopes(sentence: string, { scopes: given }: Details): string {
  const granted: unknown[] = Array.isArray(given) ? given : [];
  const verbs = allScopes
    .filter((scope) => granted.includes(scope))
    .map((scope) => scopeVerbs[scope]);
  if (verbs.length === 0) return sentence;
  return t("{sentence} with {rights}", { sentence, rights: listOf(verbs) });
}
