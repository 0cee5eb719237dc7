import { changeSetTexts } from "./change-set-texts.js";
import { anyOf, quote } from "../values/quote.js";
import { accountTexts, type OfField } from "./account-texts.js";
import { fileTexts } from "./file-texts.js";
import { meterTexts } from "./meter-texts.js";

export type { OfField } from "./account-texts.js";

interface OfTwoFields extends OfField {
  otherField: string;
}

/** Up to three people who could do it or change the role. */
export interface WhomToAsk {
  of: "workspace" | "organization" | "owners";
  names: readonly string[];
}

interface MissingRole {
  action: string;
  /** What the action is about, where that is a field. */
  otherField?: string | undefined;
  /** About what is in no workspace. */
  outside?: boolean;
  ask: WhomToAsk;
}

/**
 * What refusals say to every reader. An assistant reads them after the kind of refusal ("Not
 * possible: "), a person as a sentence of its own.
 */
export const commonTexts = {
  nothing_there: "There is nothing at this address. The link may be old, or mistyped.",
  ...fileTexts,
  ...meterTexts,
  broken_characters: ({ field }: OfField) => `${field} must not contain broken characters.`,
  control_characters: ({ field }: OfField) => `${field} must not contain control characters.`,
  not_one_line: ({ field }: OfField) => `${field} must be one line without control characters.`,
  invisible_characters: ({ field }: OfField) => `${field} must not contain invisible characters.`,
  piled_marks: ({ field }: OfField) => `${field} must not have more than 30 marks on one letter.`,
  too_long: ({ field, max }: OfField & { max: number }) =>
    `${field} must have at most ${max} characters.`,
  too_short: ({ field, min }: OfField & { min: number }) =>
    `${field} must have at least ${min} characters.`,
  too_many_bytes: ({ field, max }: OfField & { max: number }) =>
    `${field} must have at most ${max} bytes.`,
  too_uniform: ({ field }: OfField) => `${field} must have at least four different characters.`,
  is_the_email: ({ field }: OfField) => `${field} must not be the email.`,
  empty: ({ field }: OfField) => `${field} must not be empty.`,
  missing: ({ field }: OfField) => `${field} is missing.`,
  no_email: ({ field }: OfField) => `${field} must be an address like name@example.com.`,
  unknown_currency: ({ field, code }: OfField & { code: string }) =>
    `${field} ${quote(code)} is not an ISO 4217 code. Use one like EUR or USD.`,
  above_max: ({ field, max }: OfField & { max: number }) => `${field} must be at most ${max}.`,
  too_many_entries: ({ field, max, of }: OfField & { max: number; of: "entries" | "steps" }) =>
    `${field} must have at most ${max} ${of}.`,
  unknown_time_zone: "time zone must be an IANA name, like Europe/Berlin.",
  wrong_prefix: "inventory prefix must have 1 to 8 characters of A-Z and 0-9.",
  prefix_in_use: ({ field, prefix }: OfField & { prefix: string }) =>
    `${field} stays ${prefix}, because inventory numbers were given with it.`,
  after_today: ({ field, day, today }: OfField & { day: string; today: string }) =>
    `${field} ${day} lies after today, ${today}.`,
  in_future: ({ field }: OfField) => `${field} must not lie in the future.`,
  too_far_back: ({ field, days }: OfField & { days: number }) =>
    `${field} must be at most ${days} days back.`,
  before_other_day: (days: OfTwoFields & { day: string; otherDay: string }) =>
    `${days.field} ${days.day} lies before ${days.otherField} ${days.otherDay}.`,
  days_reversed: (days: OfTwoFields & { day: string; otherDay: string }) =>
    `${days.field} ${days.day} is after ${days.otherField} ${days.otherDay}.`,
  times_reversed: (times: OfTwoFields & { from: string; to: string }) =>
    `${times.field} ${quote(times.from)} lies after ${times.otherField} ${quote(times.to)}.`,

  busy: "others are changing the same things at this moment. Nothing was changed. Try again in a few seconds.",
  role_too_low: ({ place, present, needed, ...rest }: RoleTooLow) =>
    `your role in ${place === undefined ? "the organization" : quote(place)} is ${present ?? "none"}; ${needed} is needed to ${actionOf(rest)}. ${wordWhomToAsk(rest.ask)}`,
  access_changed:
    "your access changed while this was under way. Nothing was changed. Look at what you may do now, then try again.",
  outcome_unknown:
    "Outcome unknown: the connection to the database broke while the change was being saved, so it may or may not have been made. Look before you repeat it.",
  caller_gone: "the request was given up before it was answered. Nothing was changed.",
  caller_gone_late:
    "the request was given up before it was answered, but its change was made. Do not repeat it.",
  several_too_slow:
    "So many changes together took too long, so nothing was changed. Send fewer at a time.",
  too_slow:
    "This needed more than 5 seconds and was stopped. Nothing was changed. Narrow it down with filters or other words, or try again later.",
  database_away: ({ retry_after_seconds: seconds }: Waiting) =>
    `The database cannot be reached at the moment. Nothing was changed. Try again in ${seconds} seconds.`,
  stopping: ({ retry_after_seconds: seconds }: Waiting) =>
    `Fettle is being stopped or started again. Nothing was changed. Try again in ${seconds} seconds.`,
  no_member_any_more: "you are no longer a member of the organization. Nothing was changed.",

  asset_deleted_for_good: ({ reference, name, inventory_number: number, by, day }: Deletion) =>
    `Asset not found for ${quote(reference)}. ${quote(name)} (${number}) was permanently deleted on ${day} by ${quote(by)}: nothing of it is left, and its number is not given again.`,
  parent_is_part: ({ field, reference }: OfField & { reference: string }) =>
    `${field}: ${quote(reference)} is the asset itself or one of its parts. An asset cannot be part of its own part.`,
  parts_too_deep: ({ field, max, levels }: OfField & { max: number; levels: number }) =>
    `${field}: parts nest at most ${max} levels deep, and this would make ${levels}. Choose a parent further up.`,
  retired_not_looked_for:
    "the asset is retired, and retired assets are not looked for. Restore it first, if it is in use after all.",
  merged_into_itself: ({ field }: OfField) => `${field} must be another asset.`,
  merged_into_retired: ({ field }: OfField) =>
    `${field} is retired itself. Name the asset that stays, or restore it first.`,
  merged_with_work_begun: ({ task }: OfField & { task: string }) =>
    `work on the asset has begun, ${task}. Finish or cancel it first; work that has not begun goes to the asset that stays.`,
  merged_with_much_work: ({ max }: OfField & { max: number }) =>
    `the asset has more than ${max} open tasks. Move them to the asset that stays first, up to ${max} at once, or cancel them.`,
  merged_with_many_files: ({ max }: OfField & { max: number }) =>
    `the asset that stays would have more than ${max} photos and files. Delete those of either asset that are not needed any more first.`,
  events_of_two_kinds: ({ field }: OfField) =>
    `${field} of members, roles, workspaces and permanent deletions are asked for in a call of their own, without those of assets and tasks, and without an asset, a task or a field.`,
  finished_meanwhile: "it is finished by now, so there is nothing to plan.",
  no_downtime_of_place: ({ field }: OfField) =>
    `${field} is only for tasks of an asset: a place has no downtime.`,
  recurrence_without_due_date: ({ field, otherField }: OfTwoFields) =>
    `${field} needs ${otherField}: the next occurrence is counted from it.`,
  weekday_of_months_only: ({ field, unit }: OfField & { unit: string }) =>
    `${field} goes with the units month and year, not ${unit}.`,
  recurrence_of_other_task: ({ newest }: { newest: string }) =>
    `the repetition goes on with its newest occurrence, ${newest}. Change the recurrence there.`,
  unknown_step: ({ field, step, steps }: OfField & { step: number; steps: number }) =>
    `${field} names step ${step}, but ${steps === 0 ? "the task has no checklist" : `the steps are 1 to ${steps}`}.`,
  reserved_name: ({ field, name }: OfField & { name: string }) =>
    `${field} ${quote(name)} has a meaning of its own. Choose another one.`,

  own_role: "nobody changes their own role. Ask another admin to do it.",
  owner_only: ({ name, is, present }: { name: string; is: boolean; present: string }) =>
    `${quote(name)} ${is ? "is" : "would become"} an owner of the organization, and your role is ${present}; only an owner makes somebody an owner, or changes the role of one.`,
  role_changed: ({ by, name, role, expected }: RoleChanged) =>
    `${by === undefined ? "somebody" : quote(by)} changed the role of ${quote(name)} meanwhile; it is ${role} now, not ${expected}. Nothing else was changed. Send it again if your choice should take its place.`,
  removes_self: "nobody removes themselves. Ask another admin to do it.",
  removes_owner: ({ name }: { name: string }) =>
    `${quote(name)} is an owner of the organization, and your role is admin; only an owner can remove an owner.`,
  last_owner: ({ name }: { name: string }) =>
    `${quote(name)} is the only owner. An organization always has one; make somebody else an owner first.`,
  erases_last_owner: ({ name, organization }: { name: string; organization: string }) =>
    `${quote(name)} is the only owner of ${quote(organization)}. Make somebody else an owner first (fettle members set-role), or delete the organization (fettle organization delete).`,
  demoted_by_operator: ({ name }: { name: string }) =>
    `${quote(name)} would not see every workspace any more, and what they are responsible for there has to go to somebody: an owner decides on that, under Settings > Members.`,
  reassigned_to_same: ({ field, whose }: OfField & { whose: "role" | "removal" }) =>
    `${field} is the person ${whose === "role" ? "whose role changes" : "who is removed"}. Name somebody else, or leave it out.`,
  in_workspace_already: ({ name, workspace, present }: InWorkspace & { present: string }) =>
    `${quote(name)} already belongs to ${quote(workspace)}, as ${present}. Change the role there instead.`,
  not_in_workspace: ({ name, workspace, action }: InWorkspace & { action: "add" | "remove" }) =>
    `User not found in the workspace ${quote(workspace)}: ${quote(name)} does not belong to it${action === "add" ? ". Add them first" : ", so there is nothing to remove"}.`,
  no_such_member:
    "There is no such member of the organization. It may also be somebody you cannot see.",

  workspace_member_already: ({ email, workspace }: { email: string; workspace: string }) =>
    `${email} is already a member of ${quote(workspace)}. Their role there is changed under Settings > Members.`,
  admin_already: ({ email, role }: { email: string; role: string }) =>
    `${email} is already an ${role} of the organization and sees every workspace.`,
  too_many_mails: ({ limit, retry_after_seconds: seconds }: TooManyMails) =>
    `${limit === undefined ? "" : `${mailLimits[limit.of](limit.max)}; `}try again in ${seconds} seconds.`,
  no_such_invite: "There is no such invitation. It may also be one that you cannot see.",
  invite_of_other: ({ email }: { email: string }) => `This invitation is for ${email}.`,
  invite_closed: "This invitation can no longer be accepted.",

  ...accountTexts,
  ...changeSetTexts,

  too_many_requests: ({ what, retry_after_seconds: seconds }: TooManyRequests) =>
    `${crowds[what]} Wait ${seconds < 90 ? `${seconds} second${seconds === 1 ? "" : "s"}` : `${Math.ceil(seconds / 60)} minutes`}, then try again.`,
  form_of_other_site:
    "This form was sent from another site, so nothing was changed. Open the page here and try again.",
  form_of_other_organization:
    "You are no longer a member of the organization that this form is about, so nothing was changed.",
  no_member_of_organization: "You are not a member of this organization.",
  asset_out_of_sight:
    "There is no such asset in your sight. It may be in a workspace that you do not belong to, or have been permanently deleted.",
  decides_on_no_members:
    "Only admins of a workspace and admins of the organization decide who is in a workspace. Ask one of them.",
  person_not_in_workspace: "This person does not belong to that workspace.",
};

interface Deletion {
  reference: string;
  name: string;
  inventory_number: string;
  by: string;
  /** In the organization's time zone. */
  day: string;
}

interface RoleTooLow extends MissingRole {
  /** The name of the workspace; undefined is the organization. */
  place: string | undefined;
  present: string | undefined;
  needed: string;
}

interface RoleChanged {
  by: string | undefined;
  name: string;
  role: string;
  expected: string;
}

interface InWorkspace {
  name: string;
  workspace: string;
}

interface Waiting {
  /** How long to wait before trying again. */
  retry_after_seconds: number;
}

interface TooManyMails extends Waiting {
  limit?: MailLimit | undefined;
}

export interface MailLimit {
  of: keyof typeof mailLimits;
  max: number;
}

interface TooManyRequests extends Waiting {
  what: keyof typeof crowds;
}

const mailLimits = {
  invitation: (max: number) => `an invitation is sent again at most ${max} times a day`,
  address: (max: number) => `an address gets at most ${max} invitation mails a day`,
  organization: (max: number) => `an organization sends at most ${max} invitation mails a day`,
};

const crowds = {
  network: "Too many requests from your network.",
  sign_ins: "Too many sign-ins have failed.",
  openings: "This was opened too often.",
  organization: "Your organization does too much at the same time.",
  several: "Others of your organization change several records at once, one after the other.",
  pages: "You opened too many pages in a short time.",
  messages: "You sent too much in a short time.",
  bodies: "You send too much at the same time.",
  unread: "Answers to you wait to be read, and no more are kept: read them.",
};

function actionOf({ action, otherField, outside }: MissingRole): string {
  const what = otherField === undefined ? action : `${action} ${otherField}`;
  return outside === true ? `${what} outside of workspaces` : what;
}

function wordWhomToAsk({ of, names }: WhomToAsk): string {
  if (names.length === 0) return "Ask an admin of the organization.";
  const whom = {
    workspace: "a workspace admin",
    organization: "an organization admin",
    owners: "an owner of the organization",
  };
  return `Ask ${whom[of]}: ${anyOf(names.map(quote))}.`;
}
