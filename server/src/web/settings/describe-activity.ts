import type { ActivityRow } from "../../domain/audit/activity-queries.js";
import { organizationEventTypes } from "../../db/entities/activity-entry.js";
import type { ActivityType } from "../../domain/audit/record-activity.js";
import { t, translated } from "../../language/translate.js";
import {
  isVarious,
  named,
  person,
  quoted,
  text,
  withRole,
  type Describe,
} from "./activity-details.js";
import { accountWords } from "./describe-account-activity.js";
import { appWords } from "./describe-app-activity.js";
import { memberWords } from "./describe-member-activity.js";
import { organizationWords } from "./describe-organization-activity.js";

type WebhookActivity = Extract<ActivityType, `webhook_${string}`>;

const of = (describe: (values: { who: string; host: string }) => string) => ({
  group: "organization" as const,
  describe: ((who, { details }) =>
    describe({ who, host: named(details, "host") })) satisfies Describe,
});

/** What is told of webhooks; their addresses are named by their hosts. */
const webhookWords = {
  webhook_added: of((values) => t("{who} added a webhook to {host}", values)),
  webhook_changed: of((values) => t("{who} changed the webhook to {host}", values)),
  webhook_stopped: of((values) => t("{who} stopped the webhook to {host}", values)),
  webhook_resumed: of((values) => t("{who} resumed the webhook to {host}", values)),
  webhook_removed: of((values) => t("{who} deleted the webhook to {host}", values)),
  webhook_failed: of((values) =>
    t("{who} stopped, because it did not answer well, the webhook to {host}", values),
  ),
} satisfies Record<WebhookActivity, { group: "organization"; describe: Describe }>;

/** What people look for in the log, in the order in which it is offered. */
export const activityGroups = translated({
  account: "Sign-ins and accounts",
  apps: "Connected Apps",
  people: "Members and roles",
  invitations: "Invitations",
  organization: "Organization and workspaces",
  deletions: "Permanent deletions",
});
export type ActivityGroup = keyof typeof activityGroups;

/** Every type of the log: where it belongs, and its sentence. */
const words: Record<ActivityType, { group: ActivityGroup; describe: Describe }> = {
  ...accountWords,
  ...memberWords,
  ...organizationWords,
  ...webhookWords,
  ...appWords,
  provider_identity_bound: {
    group: "account",
    describe: (who, { details }) =>
      t("{who} signed in for the first time with the identity provider {issuer}", {
        who,
        issuer: named(details, "issuer"),
      }),
  },
  provider_identity_released: {
    group: "account",
    describe: (who, { details }) =>
      t("{who} released {name} from the identity provider {issuer}", {
        who,
        name: person(details),
        issuer: named(details, "issuer"),
      }),
  },
  asset_force_deleted: { group: "deletions", describe: describeDeletion },
  invite_sent: {
    group: "invitations",
    describe: (who, { details }) =>
      withRole(t("{who} invited {email}", { who, email: person(details, "email") }), details, [
        "organization_role",
      ]),
  },
  invite_resent: {
    group: "invitations",
    describe: (who, { details }) =>
      t("{who} sent the invitation of {email} again", { who, email: person(details, "email") }),
  },
  invite_withdrawn: {
    group: "invitations",
    describe: (who, { details }) =>
      t("{who} withdrew the invitation of {email}", { who, email: person(details, "email") }),
  },
  invite_accepted: {
    group: "invitations",
    describe: (who) => t("{who} accepted an invitation", { who }),
  },
};

/** One line of the log as a sentence without its full stop. */
export function describeActivity(entry: ActivityRow, who: string): string {
  const { type, details } = entry;
  const sentence = words[type].describe(who, entry);
  const isOfOrganization = organizationEventTypes.some((one) => one === type);
  const client = isOfOrganization ? text(details, "client_name") : undefined;
  if (client === undefined) return sentence;
  return t("{sentence}, through {app}", { sentence, app: quoted(client) });
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

function describeDeletion(who: string, { details }: ActivityRow): string {
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
