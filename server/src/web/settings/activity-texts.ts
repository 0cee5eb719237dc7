import type { ActivityRow } from "../../domain/audit/activity-queries.js";
import { organizationEventTypes } from "../../db/entities/audit.js";
import type { ActivityType } from "../../domain/audit/record-activity.js";
import { quote } from "../../domain/shared/quote.js";
import type { Arguments, Text } from "../../language/texts.js";
import { t, translated } from "../../language/translate.js";
import { withoutMarks } from "../../domain/shared/text.js";
import {
  describeAbsence,
  describeAccessEnd,
  describeConnection,
  describeDeletion,
  describeDisconnection,
  describeFailedSignIn,
  describeJoining,
  describePasswordChange,
  describeProvider,
  describeRemoval,
  describeRoleChange,
  describeRules,
  describeSignIn,
  describeSignOut,
  describeWorkingTimeChange,
  describeWorkspaceUpdate,
  isVarious,
  named,
  person,
  text,
  whom,
  withFields,
  withRole,
  withTimes,
  type Line,
  type Tell,
} from "./activity-sentences.js";

/** The groups of the log, in the order of the filter. */
export const activityGroups = translated({
  account: "Sign-ins and accounts",
  apps: "Connected Apps",
  people: "Members and roles",
  invitations: "Invitations",
  organization: "Organization and workspaces",
  deletions: "Permanent deletions",
});
export type ActivityGroup = keyof typeof activityGroups;

interface ActivityText {
  group: ActivityGroup;
  tell: Tell;
}

/** Maps each placeholder except `who` to the name of a detail, or to a function. */
type Subject<Message extends Text> = Record<Exclude<Arguments<Message>, "who">, Tell | string> & {
  who?: Tell;
};

interface InGroup {
  (tell: Tell): ActivityText;
  <const Message extends Text>(
    words: Message,
    ...subject: [Exclude<Arguments<Message>, "who">] extends [never]
      ? [Subject<Message>?]
      : [Subject<Message>]
  ): ActivityText;
}

/** The compiler has already checked the values against the text. */
const fill = t as (message: Text, values: Record<string, string>) => string;

function inGroup(group: ActivityGroup): InGroup {
  return (words: Text | Tell, subject: Record<string, Tell | string> = {}) => {
    if (typeof words === "function") return { group, tell: words };
    const tell = (line: Line) => {
      const values: Record<string, string> = { who: line.who };
      for (const [name, value] of Object.entries(subject)) {
        values[name] = typeof value === "string" ? named(line.details, value) : value(line);
      }
      return fill(words, values);
    };
    return { group, tell };
  };
}

/** The actor as the object of the sentence. */
const object = { who: ({ whom: words }: Line) => words };
const email = ({ details }: Line) => person(details, "email");

const account = inGroup("account");
const apps = inGroup("apps");
const people = inGroup("people");
const invitations = inGroup("invitations");
const organization = inGroup("organization");

/** Every type of the log: its group, its text and the text's subject. */
const texts: Record<ActivityType, ActivityText> = {
  account_created: account("{who} created an account"),
  signed_in: account(describeSignIn),
  sign_in_failed: account(describeFailedSignIn),
  signed_out: account(describeSignOut),
  account_deactivated: account("The account was deactivated: {who}"),
  account_activated: account("The account was reactivated: {who}"),
  email_verified: account("{who} confirmed the email address"),
  name_changed: account("{who} changed the name, from {name}", { name: "former_name" }),
  email_change_requested: account("{who} asked to change their email to {email}", { email }),
  email_changed: account("{who} changed their email from {former} to {email}", {
    former: ({ details }) => person(details, "former_email"),
    email,
  }),
  password_changed: account(describePasswordChange),
  password_reset_requested: account("{who} asked for a link to set a new password"),
  password_reset: account("{who} set a new password with an email link"),
  second_factor_failed: account(({ whom: who, details }) =>
    withTimes(
      t("Sign-in as {who} failed at the second factor, after the right password", { who }),
      details,
    ),
  ),
  calendar_address_made: account(({ who, details }) =>
    details["covers"] === "all"
      ? t("{who} created a calendar address for all visible tasks", { who })
      : t("{who} created a calendar address for their own tasks", { who }),
  ),
  calendar_address_revoked: account(({ who, whom, details }) =>
    details["signed_out"] === true
      ? t("The calendar address of {who} was revoked with the sign-out", { who: whom })
      : t("{who} revoked their calendar address", { who }),
  ),
  authenticator_added: account("{who} set up an authenticator app"),
  authenticator_removed: account("{who} removed the authenticator app"),
  passkey_added: account("{who} added the passkey {name}", { name: "name" }),
  passkey_removed: account("{who} removed the passkey {name}", { name: "name" }),
  passkey_copied: account(
    "The passkey {name} of {who} was rejected because it may have been copied",
    {
      name: "name",
      ...object,
    },
  ),
  recovery_code_used: account("{who} used a recovery code"),
  recovery_codes_made: account("{who} generated new recovery codes"),
  second_factors_reset: account(
    "The server's administrator removed the second factors of {who}",
    object,
  ),
  provider_identity_bound: account(
    "{who} signed in for the first time with the identity provider {issuer}",
    { issuer: "issuer" },
  ),
  provider_identity_released: account("{who} unlinked {name} from the identity provider {issuer}", {
    name: ({ details }) => person(details),
    issuer: "issuer",
  }),

  member_added: people(({ who, details }) =>
    withRole(t("{who} joined the organization", { who }), details, ["role"]),
  ),
  member_removed: people(describeRemoval),
  person_erased: people("{who} erased a former member's personal data"),
  role_changed: people(describeRoleChange),
  access_end_changed: people(describeAccessEnd),
  working_time_changed: people(describeWorkingTimeChange),
  absence_added: people((line) =>
    t("{who} added an absence of {name}: {days}", describeAbsence(line)),
  ),
  absence_removed: people((line) =>
    t("{who} removed the absence of {name}: {days}", describeAbsence(line)),
  ),
  workspace_member_added: people(describeJoining),
  workspace_role_changed: people(describeRoleChange),

  invite_sent: invitations(({ who, details }) =>
    withRole(t("{who} invited {email}", { who, email: person(details, "email") }), details, [
      "organization_role",
    ]),
  ),
  invite_resent: invitations("{who} resent the invitation for {email}", { email }),
  invite_withdrawn: invitations("{who} withdrew the invitation for {email}", { email }),
  invite_accepted: invitations("{who} accepted an invitation"),

  second_factor_rules_changed: organization(describeRules),
  deletion_rule_changed: organization(({ who, details }) =>
    details["deletion_needs_person"] === true
      ? t("{who} turned on confirmation of deletions by apps", { who })
      : t("{who} turned off confirmation of deletions by apps", { who }),
  ),
  identity_provider_saved: organization(describeProvider),
  identity_provider_removed: organization("{who} removed the identity provider {issuer}", {
    issuer: "issuer",
  }),
  sign_in_domain_verified: organization("{who} verified the domain {domain}", {
    domain: "domain",
  }),
  sign_in_domain_removed: organization("{who} removed the domain {domain}", {
    domain: "domain",
  }),
  sso_required_started: organization((line) =>
    text(line.details, "user_id") === undefined
      ? t("{who} made single sign-on mandatory for everyone", line)
      : t("{who} made single sign-on mandatory for everyone except {name}", {
          who: line.who,
          name: person(line.details, "break_glass_owner"),
        }),
  ),
  sso_required_ended: organization("{who} allowed passwords and passkeys again"),
  organization_created: organization("{who} created the organization"),
  organization_closed: organization("{who} started deleting an organization"),
  organization_deleted: organization("{who} deleted an organization"),
  organization_updated: organization(({ who, details }) =>
    withFields(t("{who} changed the organization", { who }), details),
  ),
  workspace_created: organization("{who} created the workspace {name}", { name: "name" }),
  workspace_updated: organization(describeWorkspaceUpdate),
  workspace_deleted: organization("{who} deleted the workspace {name}", { name: "name" }),
  place_labels_added: organization("{who} added place labels in {workspace}", {
    workspace: "workspace",
  }),
  place_label_revoked: organization("{who} revoked the place label {name} in {workspace}", {
    name: "name",
    workspace: "workspace",
  }),
  task_link_created: organization("{who} shared {task} with the contractor {name}", {
    task: "task_number",
    name: "contractor",
  }),
  task_link_revoked: organization("{who} revoked the link of the contractor {name} to {task}", {
    task: "task_number",
    name: "contractor",
  }),
  procedure_added: organization("{who} added the procedure {name}", { name: "procedure" }),
  procedure_changed: organization("{who} changed the procedure {name}", { name: "procedure" }),
  procedure_archived: organization("{who} archived the procedure {name}", { name: "procedure" }),
  procedure_restored: organization("{who} restored the procedure {name}", { name: "procedure" }),
  audit_exported: organization("{who} downloaded the activity log"),
  organization_exported: organization("{who} exported all data of the organization"),
  webhook_added: organization("{who} added a webhook to {host}", { host: "host" }),
  webhook_changed: organization("{who} changed the webhook to {host}", { host: "host" }),
  webhook_stopped: organization("{who} paused the webhook to {host}", { host: "host" }),
  webhook_resumed: organization("{who} resumed the webhook to {host}", { host: "host" }),
  webhook_removed: organization("{who} deleted the webhook to {host}", { host: "host" }),
  webhook_failed: organization("{who} paused the failing webhook to {host}", { host: "host" }),

  app_connected: apps(describeConnection),
  app_denied: apps(({ who, details }) =>
    withTimes(
      isVarious(details)
        ? t("{who} refused more apps", { who })
        : t("{who} refused {app}", { who, app: named(details, "client_name") }),
      details,
    ),
  ),
  app_disconnected: apps(describeDisconnection),
  refresh_reuse: apps(
    "{app} was disconnected for safety: an old key was used a second time. It acted for {who}",
    { app: "client_name", ...object },
  ),

  asset_force_deleted: { group: "deletions", tell: describeDeletion },
};

/** An entry of the log as a sentence without its full stop. */
export function describeActivity(entry: ActivityRow, who: string): string {
  const { type, details, user_id: userId } = entry;
  const sentence = texts[type].tell({ type, who, whom: whom(who), userId, details });
  const isOfOrganization = organizationEventTypes.some((one) => one === type);
  const client = isOfOrganization ? text(details, "client_name") : undefined;
  if (client === undefined) return sentence;
  return t("{sentence}, through {app}", { sentence, app: quote(client) });
}

/**
 * True if the entry deserves a second look: an irreversible action, or something that ended for
 * safety.
 */
export function isSerious({ type, details }: ActivityRow): boolean {
  return (
    type === "asset_force_deleted" ||
    type === "refresh_reuse" ||
    type === "second_factor_failed" ||
    type === "passkey_copied" ||
    type === "sso_required_ended" ||
    (type === "sign_in_failed" && isVarious(details)) ||
    details["reason"] === "code_reuse"
  );
}

export function typesOf(group: ActivityGroup): ActivityType[] {
  const types = Object.keys(texts) as ActivityType[];
  return types.filter((type) => texts[type].group === group);
}

/** The routine of every day, which hides everything else. A failed sign-in is no routine. */
const signIns: readonly ActivityType[] = ["signed_in", "signed_out"];

export function typesExceptSignIns(): ActivityType[] {
  return (Object.keys(texts) as ActivityType[]).filter((type) => !signIns.includes(type));
}

/** The types whose sentence contains the word, in the reader's language. */
export function typesWithWord(word: string): ActivityType[] {
  const wanted = toComparable(word);
  const line = { who: "", whom: "", userId: null, details: {} };
  return (Object.keys(texts) as ActivityType[]).filter((type) =>
    toComparable(texts[type].tell({ ...line, type })).includes(wanted),
  );
}

function toComparable(text: string): string {
  return withoutMarks(text).toLowerCase();
}
