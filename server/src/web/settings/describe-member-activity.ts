import type { ActivityRow } from "../../domain/logs/activity-queries.js";
import type { ActivityType } from "../../domain/logs/record-activity.js";
import { quote } from "../../domain/values/quote.js";
import { formatDay } from "../text/format.js";
import { person, text, withRole, type Describe, type Details } from "./activity-details.js";

type Words = Partial<Record<ActivityType, { group: "people"; describe: Describe }>>;

/** Who is in the organization and its workspaces, and as what. */
export const memberWords = {
  member_added: {
    group: "people",
    describe: (who, { details }) => `${who} joined the organization${withRole(details, ["role"])}`,
  },
  member_removed: { group: "people", describe: describeRemoval },
  person_erased: {
    group: "people",
    describe: (who) => `${who} erased who a former member was`,
  },
  role_changed: {
    group: "people",
    describe: (who, entry) => describeRoleChange(who, entry, "the organization"),
  },
  access_end_changed: { group: "people", describe: describeAccessEnd },
  workspace_member_added: {
    group: "people",
    describe: describeJoining,
  },
  workspace_role_changed: {
    group: "people",
    describe: (who, entry) => describeRoleChange(who, entry, workspace(entry.details)),
  },
} satisfies Words;

function describeAccessEnd(who: string, { details }: ActivityRow): string {
  const day = text(details, "access_ends_on");
  return day === undefined
    ? `${who} took back the last day of ${person(details)}`
    : `${who} set ${formatDay(day)} as the last day of ${person(details)}`;
}

function describeRemoval(who: string, { details }: ActivityRow): string {
  if (details["access_ended"] === true) return `The last day of ${person(details)} has passed`;
  const from = text(details, "workspace");
  return `${who} removed ${person(details)} from ${from === undefined ? "the organization" : quote(from)}`;
}

/** By an admin, or by the person's own accepting of an invitation. */
function describeRoleChange(
  who: string,
  { user_id: actorId, details }: ActivityRow,
  place: string,
): string {
  if (isAboutActor(actorId, details))
    return `${who} got another role in ${place}${fromTo(details)}`;
  return `${who} changed the role of ${person(details)} in ${place}${fromTo(details)}`;
}

function describeJoining(who: string, { user_id: actorId, details }: ActivityRow): string {
  const role = withRole(details, ["role", "to"]);
  if (isAboutActor(actorId, details)) return `${who} joined ${workspace(details)}${role}`;
  return `${who} added ${person(details)} to ${workspace(details)}${role}`;
}

function isAboutActor(actorId: string | null, details: Details): boolean {
  return actorId !== null && text(details, "user_id") === actorId;
}

function workspace(details: Details): string {
  const name = text(details, "workspace");
  return name === undefined ? "a workspace" : quote(name);
}

/** " from member to admin" */
function fromTo(details: Details): string {
  const [from, to] = [text(details, "from"), text(details, "to")];
  if (to === undefined) return "";
  return from === undefined ? ` to ${to}` : ` from ${from} to ${to}`;
}
