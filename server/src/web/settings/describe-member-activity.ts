import type { ActivityRow } from "../../domain/audit/activity-queries.js";
import type { ActivityType } from "../../domain/audit/record-activity.js";
import { t } from "../../language/translate.js";
import { formatDay } from "../text/format.js";
import {
  nameRole,
  person,
  quoted,
  text,
  withRole,
  type Describe,
  type Details,
} from "./activity-details.js";

type Words = Partial<Record<ActivityType, { group: "people"; describe: Describe }>>;

/** Who is in the organization and its workspaces, and as what. */
export const memberWords = {
  member_added: {
    group: "people",
    describe: (who, { details }) =>
      withRole(t("{who} joined the organization", { who }), details, ["role"]),
  },
  member_removed: { group: "people", describe: describeRemoval },
  person_erased: {
    group: "people",
    describe: (who) => t("{who} erased who a former member was", { who }),
  },
  role_changed: {
    group: "people",
    describe: (who, entry) => describeRoleChange(who, entry, organization()),
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
  const name = person(details);
  return day === undefined
    ? t("{who} took back the last day of {name}", { who, name })
    : t("{who} set {day} as the last day of {name}", { who, name, day: formatDay(day) });
}

function describeRemoval(who: string, { details }: ActivityRow): string {
  const name = person(details);
  if (details["access_ended"] === true) return t("The last day of {name} has passed", { name });
  const from = text(details, "workspace");
  const place = from === undefined ? organization() : quoted(from);
  return t("{who} removed {name} from {place}", { who, name, place });
}

/** By an admin, or by the person's own accepting of an invitation. */
function describeRoleChange(
  who: string,
  { user_id: actorId, details }: ActivityRow,
  place: string,
): string {
  const sentence = isAboutActor(actorId, details)
    ? t("{who} got another role in {place}", { who, place })
    : t("{who} changed the role of {name} in {place}", { who, name: person(details), place });
  return fromTo(sentence, details);
}

function describeJoining(who: string, { user_id: actorId, details }: ActivityRow): string {
  const place = workspace(details);
  const sentence = isAboutActor(actorId, details)
    ? t("{who} joined {place}", { who, place })
    : t("{who} added {name} to {place}", { who, name: person(details), place });
  return withRole(sentence, details, ["role", "to"]);
}

function isAboutActor(actorId: string | null, details: Details): boolean {
  return actorId !== null && text(details, "user_id") === actorId;
}

function organization(): string {
  return t("the organization||in, from, to");
}

function workspace(details: Details): string {
  const name = text(details, "workspace");
  return name === undefined ? t("a workspace||in, from, to") : quoted(name);
}

/** "Dara Novak got another role from member to admin" */
function fromTo(sentence: string, details: Details): string {
  const [from, to] = [text(details, "from"), text(details, "to")];
  if (to === undefined) return sentence;
  return from === undefined
    ? t("{sentence} to {role}", { sentence, role: nameRole(to) })
    : t("{sentence} from {former} to {role}", {
        sentence,
        former: nameRole(from),
        role: nameRole(to),
      });
}
