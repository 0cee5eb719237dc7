import { t } from "../../language/translate.js";
import { changeSetTexts } from "./change-set-texts.js";
import { quote } from "./quote.js";
import { accountTexts, type OfField } from "./account-texts.js";
import { busyTexts, type Waiting } from "./busy-texts.js";
import { fileTexts } from "./file-texts.js";
import { memberTexts } from "./member-texts.js";
import { meterTexts } from "./meter-texts.js";
import { stepTexts } from "./step-texts.js";

export type { OfField } from "./account-texts.js";
export type { MailLimit } from "./busy-texts.js";
export type { WhomToAsk } from "./member-texts.js";

interface OfTwoFields extends OfField {
  otherField: string;
}

/** For a URL without a page, or whose record is gone. */
export const nothingThere = "There's nothing at this address. The link may be old or mistyped.";

/**
 * Error texts for every reader. Only assistants see the kind of error ("Not possible: ") before the
 * text.
 */
export const commonTexts = {
  nothing_there: nothingThere,
  ...fileTexts,
  ...meterTexts,
  ...stepTexts,
  broken_characters: ({ field }: OfField) =>
    t("{field} must not contain broken characters.", { field }),
  control_characters: ({ field }: OfField) =>
    t("{field} must not contain control characters.", { field }),
  not_one_line: ({ field }: OfField) =>
    t("{field} must be one line without control characters.", { field }),
  invisible_characters: ({ field }: OfField) =>
    t("{field} must not contain invisible characters.", { field }),
  piled_marks: ({ field }: OfField) =>
    t("{field} must not have more than 30 marks on one letter.", { field }),
  too_long: ({ field, max }: OfField & { max: number }) =>
    t("{field} must have at most {max} characters.", { field, max }),
  too_short: ({ field, min }: OfField & { min: number }) =>
    t("{field} must have at least {min} characters.", { field, min }),
  too_many_bytes: ({ field, max }: OfField & { max: number }) =>
    t("{field} must have at most {max} bytes.", { field, max }),
  too_uniform: ({ field }: OfField) =>
    t("{field} must have at least four different characters.", { field }),
  is_the_email: ({ field }: OfField) => t("{field} must not be the email.", { field }),
  empty: ({ field }: OfField) => t("{field} must not be empty.", { field }),
  missing: ({ field }: OfField) => t("{field} is missing.", { field }),
  no_email: ({ field }: OfField) =>
    t("{field} must be an address like name@example.com.", { field }),
  unknown_currency: ({ field, code }: OfField & { code: string }) =>
    t("{field} {code} is not an ISO 4217 code. Use one like EUR or USD.", {
      field,
      code: quote(code),
    }),
  above_max: ({ field, max }: OfField & { max: number }) =>
    t("{field} must be at most {max}.", { field, max }),
  too_many_entries: ({ field, max, of }: OfField & { max: number; of: "entries" | "steps" }) =>
    of === "steps"
      ? t("{field} must have at most {max} steps.", { field, max })
      : t("{field} must have at most {max} entries.", { field, max }),
  unknown_time_zone: "time zone must be an IANA name, like Europe/Berlin.",
  wrong_prefix: "inventory prefix must have 1 to 8 characters of A-Z and 0-9.",
  prefix_in_use: ({ field, prefix }: OfField & { prefix: string }) =>
    t("{field} is still {prefix}, because existing inventory numbers use it.", { field, prefix }),
  after_today: ({ field, day, today }: OfField & { day: string; today: string }) =>
    t("{field} {day} is after today, {today}.", { field, day, today }),
  in_future: ({ field }: OfField) => t("{field} must not be in the future.", { field }),
  too_far_back: ({ field, days }: OfField & { days: number }) =>
    t("{field} must be at most {days} days ago.", { field, days }),
  before_other_day: (days: OfTwoFields & { day: string; otherDay: string }) =>
    t("{field} {day} is before {otherField} {otherDay}.", {
      field: days.field,
      day: days.day,
      otherField: days.otherField,
      otherDay: days.otherDay,
    }),
  days_reversed: (days: OfTwoFields & { day: string; otherDay: string }) =>
    t("{field} {day} is after {otherField} {otherDay}.", {
      field: days.field,
      day: days.day,
      otherField: days.otherField,
      otherDay: days.otherDay,
    }),
  times_reversed: (times: OfTwoFields & { from: string; to: string }) =>
    t("{field} {from} is after {otherField} {to}.", {
      field: times.field,
      from: quote(times.from),
      otherField: times.otherField,
      to: quote(times.to),
    }),

  busy: "others are changing the same things right now. Nothing was changed. Try again in a few seconds.",
  access_changed:
    "your access changed while this was running. Nothing was changed. Check what you can do now, then try again.",
  outcome_unknown:
    "Outcome unknown: the database connection broke while saving. The change may or may not have been made. Check before you try again.",
  caller_gone: "the request was cancelled before it finished. Nothing was changed.",
  caller_gone_late:
    "the request was cancelled before it finished, but its change was saved. Do not repeat it.",
  several_too_slow:
    "These changes took too long together, so nothing was changed. Send fewer at a time.",
  too_slow:
    "This took more than 5 seconds and was stopped. Nothing was changed. Use filters or other words, or try again later.",
  database_away: ({ retry_after_seconds: seconds }: Waiting) =>
    t(
      "The database can't be reached right now. Nothing was changed. Try again in {seconds} seconds.",
      { seconds },
    ),
  storage_full:
    "The server's storage is full. Nothing was changed. Ask the server's administrator to make room, then try again.",
  stopping: ({ retry_after_seconds: seconds }: Waiting) =>
    t("Fettle is restarting. Nothing was changed. Try again in {seconds} seconds.", { seconds }),
  no_member_any_more: "you're no longer a member of the organization. Nothing was changed.",

  asset_deleted_for_good: ({ reference, name, inventory_number: number, by, day }: Deletion) =>
    t(
      "Asset not found for {reference}. {name} ({number}) was permanently deleted on {day} by {by}. Its number is never reused.",
      { reference: quote(reference), name: quote(name), number, day, by: quote(by) },
    ),
  parent_is_part: ({ field, reference }: OfField & { reference: string }) =>
    t(
      "{field}: {reference} is the asset itself or one of its parts. An asset can't be part of its own part.",
      { field, reference: quote(reference) },
    ),
  parent_retired: ({ field, reference }: OfField & { reference: string }) =>
    t("{field}: {reference} is retired. Restore it first, or choose another asset.", {
      field,
      reference: quote(reference),
    }),
  parts_too_deep: ({ field, max, levels }: OfField & { max: number; levels: number }) =>
    t(
      "{field}: parts can nest at most {max} levels deep, and this would make {levels}. Choose a higher parent.",
      { field, max, levels },
    ),
  retired_not_looked_for:
    "the asset is retired, so rounds don't look for it. Restore it first if it's still in use.",
  merged_into_itself: ({ field }: OfField) => t("{field} must be another asset.", { field }),
  merged_into_retired: ({ field }: OfField) =>
    t("{field} is itself retired. Choose another asset, or restore it first.", { field }),
  merged_with_work_begun: ({ task }: OfField & { task: string }) =>
    t(
      "work on the asset has started: {task}. Finish or cancel it first. Work that hasn't started moves to the asset to keep.",
      { task },
    ),
  merged_with_much_work: ({ max }: OfField & { max: number }) =>
    t(
      "the asset has more than {max} open tasks. First cancel them, or move them to the asset to keep, up to {max} at once.",
      { max },
    ),
  merged_with_many_files: ({ max }: OfField & { max: number }) =>
    t(
      "the asset to keep would have more than {max} photos and files. First delete the files that you no longer need.",
      { max },
    ),
  events_of_two_kinds: ({ field }: OfField) =>
    t(
      "{field} of members, roles, workspaces and permanent deletions need a separate call, without events of assets and tasks, and without an asset, task or field.",
      { field },
    ),
  finished_meanwhile: "it's finished by now, so there's nothing to plan.",
  no_downtime_of_place: ({ field }: OfField) =>
    t("{field} is only for tasks on an asset. Workspaces have no downtime.", { field }),
  recurrence_without_due_date: ({ field, otherField }: OfTwoFields) =>
    t("{field} needs {otherField}. The next occurrence is counted from it.", {
      field,
      otherField,
    }),
  weekday_of_months_only: ({ field, unit }: OfField & { unit: string }) =>
    t("{field} only works with the units month and year, not {unit}.", { field, unit }),
  recurrence_of_other_task: ({ newest }: { newest: string | undefined }) =>
    newest === undefined
      ? t("the recurrence continues in a workspace you can't see.")
      : t("the recurrence continues with {newest}. Change it there.", { newest }),
  reserved_name: ({ field, name }: OfField & { name: string }) =>
    t("{field} {name} is reserved. Choose another name.", { field, name: quote(name) }),

  no_such_invite: "We can't find that invitation, or you don't have access to it.",
  invite_of_other: ({ email }: { email: string }) =>
    t("This invitation is for {email}.", { email }),
  invite_closed: "This invitation is no longer valid.",

  ...memberTexts,
  ...busyTexts,
  ...accountTexts,
  ...changeSetTexts,

  form_of_other_site:
    "This form was sent from another site, so nothing was changed. Open the page here and try again.",
  form_of_other_organization:
    "You're no longer a member of this form's organization, so nothing was changed.",
  no_member_of_organization: "You're not a member of this organization.",
  asset_out_of_sight: "We can't find that asset, or you don't have access to it.",
  decides_on_no_members:
    "Only a workspace's admins and organization admins can manage its members.",
  too_many_workspaces: ({ max }: { max: number }) =>
    t("An organization can have at most {max} workspaces. Delete an empty one first.", { max }),
  person_not_in_workspace: "This person isn't in that workspace.",
};

interface Deletion {
  reference: string;
  name: string;
  inventory_number: string;
  by: string;
  /** In the organization's time zone. */
  day: string;
}
