import { allScopes, type Scope } from "fettle-shared";
import type { ActivityRow } from "../../domain/logs/activity-queries.js";
import { organizationEventTypes } from "../../db/entities/activity-entry.js";
import type { ActivityType } from "../../domain/logs/record-activity.js";
import { quote } from "../../domain/values/quote.js";
import { toFieldLabel } from "../text/field-labels.js";
import { countOf, listOf } from "../text/format.js";
import {
  isVarious,
  named,
  person,
  text,
  timesOf,
  whom,
  withRole,
  type Describe,
  type Details,
} from "./activity-details.js";
import { webhookWords } from "./describe-webhook-activity.js";
import { memberWords } from "./describe-member-activity.js";
import { accountWords } from "./describe-account-activity.js";

/** What people look for in the log, in the order in which it is offered. */
export const activityGroups = {
  account: "Sign-ins and accounts",
  apps: "Connected Apps",
  people: "Members and roles",
  invitations: "Invitations",
  organization: "Organization and workspaces",
  deletions: "Permanent deletions",
};
export type ActivityGroup = keyof typeof activityGroups;

/** Every type of the log: where it belongs, and its sentence. */
const words: Record<ActivityType, { group: ActivityGroup; describe: Describe }> = {
  ...accountWords,
  ...memberWords,
  second_factor_rules_changed: { group: "organization", describe: describeRules },
  deletion_rule_changed: {
    group: "organization",
    describe: (who, { details }) =>
      `${who} decided that what apps delete is ${details["deletion_needs_person"] === true ? "" : "not "}confirmed by a person`,
  },
  identity_provider_saved: { group: "organization", describe: describeProvider },
  identity_provider_removed: {
    group: "organization",
    describe: (who, { details }) =>
      `${who} removed the identity provider ${named(details, "issuer")}`,
  },
  sign_in_domain_verified: {
    group: "organization",
    describe: (who, { details }) => `${who} verified the domain ${named(details, "domain")}`,
  },
  sign_in_domain_removed: {
    group: "organization",
    describe: (who, { details }) => `${who} removed the domain ${named(details, "domain")}`,
  },
  only_way_started: {
    group: "organization",
    describe: (who, { details }) =>
      `${who} made the identity provider the only way to sign in, but for ${text(details, "user_id") === undefined ? "nobody" : person(details, "way_back")}`,
  },
  only_way_ended: {
    group: "organization",
    describe: (who) => `${who} let people sign in with passwords and passkeys again`,
  },
  provider_identity_bound: {
    group: "account",
    describe: (who, { details }) =>
      `${who} signed in for the first time with the identity provider ${named(details, "issuer")}`,
  },
  provider_identity_released: {
    group: "account",
    describe: (who, { details }) =>
      `${who} released ${person(details)} from the identity provider ${named(details, "issuer")}`,
  },
  organization_created: {
    group: "organization",
    describe: (who) => `${who} created the organization`,
  },
  organization_closed: {
    group: "organization",
    describe: (who) => `${who} began to delete an organization`,
  },
  organization_deleted: {
    group: "organization",
    describe: (who) => `${who} deleted an organization`,
  },
  organization_updated: {
    group: "organization",
    describe: (who, { details }) => `${who} changed the organization${changedFields(details)}`,
  },
  workspace_created: {
    group: "organization",
    describe: (who, { details }) => `${who} created the workspace ${named(details, "name")}`,
  },
  workspace_updated: { group: "organization", describe: describeWorkspaceUpdate },
  workspace_deleted: {
    group: "organization",
    describe: (who, { details }) => `${who} deleted the workspace ${named(details, "name")}`,
  },
  ...webhookWords,
  audit_exported: {
    group: "organization",
    describe: (who) => `${who} downloaded the activity log`,
  },
  organization_exported: {
    group: "organization",
    describe: (who) => `${who} downloaded everything that the organization has here`,
  },
  asset_force_deleted: { group: "deletions", describe: describeDeletion },
  invite_sent: {
    group: "invitations",
    describe: (who, { details }) =>
      `${who} invited ${person(details, "email")}${withRole(details, ["organization_role"])}`,
  },
  invite_resent: {
    group: "invitations",
    describe: (who, { details }) =>
      `${who} sent the invitation of ${person(details, "email")} again`,
  },
  invite_withdrawn: {
    group: "invitations",
    describe: (who, { details }) => `${who} withdrew the invitation of ${person(details, "email")}`,
  },
  invite_accepted: {
    group: "invitations",
    describe: (who) => `${who} accepted an invitation`,
  },
  app_connected: {
    group: "apps",
    describe: (who, { details }) =>
      `${who} connected ${app(details)}${withScopes(details)}${forDays(details)}`,
  },
  app_denied: { group: "apps", describe: describeDenial },
  app_disconnected: { group: "apps", describe: describeDisconnection },
  refresh_reuse: {
    group: "apps",
    describe: (who, { details }) =>
      `${app(details)} was disconnected for safety: an old key of it was used a second time. It acted for ${whom(who)}`,
  },
};

/** One line of the log as a sentence without its full stop. */
export function describeActivity(entry: ActivityRow, who: string): string {
  const { type, details } = entry;
  const sentence = words[type].describe(who, entry);
  const isOfOrganization = organizationEventTypes.some((one) => one === type);
  const client = isOfOrganization ? text(details, "client_name") : undefined;
  return client === undefined ? sentence : `${sentence}, through ${quote(client)}`;
}

/** Whether the line deserves a second look: what cannot be undone, and what ended for safety. */
export function isSerious({ type, details }: ActivityRow): boolean {
  return (
    type === "asset_force_deleted" ||
    type === "refresh_reuse" ||
    type === "second_factor_failed" ||
    type === "passkey_copied" ||
    type === "only_way_ended" ||
    (type === "sign_in_failed" && isVarious(details)) ||
    details["reason"] === "code_reuse"
  );
}

export function typesOf(group: ActivityGroup): ActivityType[] {
  const types = Object.keys(words) as ActivityType[];
  return types.filter((type) => words[type].group === group);
}

const rules = {
  admins_need_second_factor: "of owners and admins",
  destructive_needs_second_factor: "before an app may delete permanently",
};

function describeRules(who: string, { details }: ActivityRow): string {
  const parts = Object.entries(rules).flatMap(([rule, of]) => {
    const isOn = details[rule];
    return typeof isOn === "boolean" ? [`${isOn ? "now" : "no longer"} ${of}`] : [];
  });
  return `${who} changed what a second factor is asked for: ${listOf(parts)}`;
}

function describeProvider(who: string, { details }: ActivityRow): string {
  const former = text(details, "former_issuer");
  const from = former === undefined ? "" : `, in place of ${quote(former)}`;
  const secret = details["secret_changed"] === true ? ", with a new secret" : "";
  return `${who} set the identity provider ${named(details, "issuer")}${from}${secret}`;
}

function describeDenial(who: string, { details }: ActivityRow): string {
  const what = isVarious(details) ? "more apps" : app(details);
  return `${who} did not let ${what} connect${timesOf(details)}`;
}

function describeWorkspaceUpdate(who: string, { details }: ActivityRow): string {
  const former = text(details, "former_name");
  if (former === undefined) {
    return `${who} changed the workspace ${named(details, "name")}${changedFields(details)}`;
  }
  return `${who} renamed the workspace ${quote(former)} to ${named(details, "name")}`;
}

function describeDeletion(who: string, { details }: ActivityRow): string {
  const { tasks_removed: tasks, events_removed: events } = details;
  const what = `${who} permanently deleted the asset ${text(details, "inventory_number") ?? ""}`;
  if (typeof tasks !== "number" || typeof events !== "number") return what;
  return `${what} ${named(details, "asset_name")} with ${countOf(tasks, "task")} and ${countOf(events, "history event")}`;
}

function describeDisconnection(who: string, { details }: ActivityRow): string {
  const reason = text(details, "reason");
  if (reason === "revoked_by_client") {
    return `${app(details)} ended its own access. It acted for ${whom(who)}`;
  }
  if (reason === "code_reuse") {
    return `${app(details)} was disconnected for safety: its code to connect was used a second time. It acted for ${whom(who)}`;
  }
  if (reason === "expired") {
    return `The time of ${app(details)} was over. It acted for ${whom(who)}`;
  }
  const isOwn = text(details, "user_id") === undefined;
  return `${who} disconnected ${app(details)}${isOwn ? "" : `, which acted for ${person(details)}`}`;
}

/** " for 30 days" */
function forDays({ days }: Details): string {
  return typeof days === "number" ? ` for ${countOf(days, "day")}` : "";
}

function app(details: Details): string {
  return named(details, "client_name");
}

/** ": name, time zone" */
function changedFields(details: Details): string {
  const { changed } = details;
  const fields: unknown[] = Array.isArray(changed) ? changed : [];
  const names = fields.filter((field) => typeof field === "string");
  if (names.length === 0) return "";
  return `: ${names.map((name) => toFieldLabel(name).toLowerCase()).join(", ")}`;
}

const scopeVerbs: Record<Scope, string> = {
  mcp_read: "read",
  mcp_write: "change",
  mcp_destructive: "delete permanently",
};

/** " with read and change" */
function withScopes(details: Details): string {
  const { scopes: given } = details;
  const granted: unknown[] = Array.isArray(given) ? given : [];
  const verbs = allScopes
    .filter((scope) => granted.includes(scope))
    .map((scope) => scopeVerbs[scope]);
  if (verbs.length === 0) return "";
  return ` with ${listOf(verbs)}`;
}
