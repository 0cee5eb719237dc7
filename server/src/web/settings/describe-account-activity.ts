import type { ActivityRow } from "../../domain/logs/activity-queries.js";
import type { ActivityType } from "../../domain/logs/record-activity.js";
import { countOf } from "../text/format.js";
import { isVarious, named, text, timesOf, whom, type Describe } from "./activity-details.js";

type Words = Partial<Record<ActivityType, { group: "account"; describe: Describe }>>;

/** What happened to accounts: sign-ins, passwords, second factors. */
export const accountWords = {
  account_created: { group: "account", describe: (who) => `${who} created an account` },
  signed_in: { group: "account", describe: describeSignIn },
  sign_in_failed: { group: "account", describe: describeFailedSignIn },
  signed_out: { group: "account", describe: describeSignOut },
  account_deactivated: {
    group: "account",
    describe: (who) => `The account was deactivated: ${who}`,
  },
  account_activated: {
    group: "account",
    describe: (who) => `The account was activated again: ${who}`,
  },
  email_verified: { group: "account", describe: (who) => `${who} confirmed the email address` },
  name_changed: {
    group: "account",
    describe: (who, { details }) =>
      `${who} changed the name, from ${named(details, "former_name")}`,
  },
  password_changed: { group: "account", describe: describePasswordChange },
  password_reset_requested: {
    group: "account",
    describe: (who) => `${who} asked for a link to set a new password`,
  },
  password_reset: {
    group: "account",
    describe: (who) => `${who} set a new password with a link from a mail`,
  },
  second_factor_failed: {
    group: "account",
    describe: (who, { details }) =>
      `Signing in as ${whom(who)} failed after the right password, at the second factor${timesOf(details)}`,
  },
  calendar_address_made: {
    group: "account",
    describe: (who, { details }) =>
      `${who} made a calendar address for ${details["covers"] === "all" ? "all visible tasks" : "own tasks"}`,
  },
  calendar_address_revoked: {
    group: "account",
    describe: (who, { details }) =>
      details["signed_out"] === true
        ? `The calendar address of ${whom(who)} ended with the sign-ins`
        : `${who} revoked the calendar address`,
  },
  authenticator_added: {
    group: "account",
    describe: (who) => `${who} set up an authenticator app`,
  },
  authenticator_removed: {
    group: "account",
    describe: (who) => `${who} removed the authenticator app`,
  },
  passkey_added: {
    group: "account",
    describe: (who, { details }) => `${who} added the passkey ${named(details, "name")}`,
  },
  passkey_removed: {
    group: "account",
    describe: (who, { details }) => `${who} removed the passkey ${named(details, "name")}`,
  },
  passkey_copied: {
    group: "account",
    describe: (who, { details }) =>
      `The passkey ${named(details, "name")} of ${whom(who)} was refused: there may be a copy of it`,
  },
  recovery_codes_made: {
    group: "account",
    describe: (who) => `${who} made new recovery codes`,
  },
  second_factors_reset: {
    group: "account",
    describe: (who) => `The second factors of ${whom(who)} were removed by who runs the server`,
  },
} satisfies Words;

function describeSignIn(who: string, { details }: ActivityRow): string {
  if (details["method"] === "passkey") return `${who} signed in with a passkey`;
  const factor = text(details, "factor");
  if (details["method"] === "provider") {
    const and = factor === undefined ? "" : ` and a ${factor.replace("_", " ")}`;
    return `${who} signed in with the identity provider of the organization${and}`;
  }
  if (factor === "recovery_code") return `${who} signed in with a recovery code`;
  return `${who} signed in${factor === undefined ? "" : " with an authenticator app"}`;
}

function describeFailedSignIn(who: string, { details }: ActivityRow): string {
  const from = isVarious(details) ? " from more addresses" : "";
  return `Signing in as ${whom(who)} failed${from}${timesOf(details)}`;
}

function describeSignOut(who: string, { details }: ActivityRow): string {
  const ended = details["sessions"];
  if (typeof ended === "number") {
    return `Who runs the server signed ${whom(who)} out of ${countOf(ended, "browser")}`;
  }
  const others = details["other_sessions"];
  if (typeof others !== "number") return `${who} signed out`;
  return `${who} signed out of ${countOf(others, "other browser")}`;
}

function describePasswordChange(who: string, { details }: ActivityRow): string {
  const ended = details["sessions_ended"];
  if (typeof ended !== "number") return `A new password was set for ${whom(who)}`;
  return `${who} changed the password${ended === 0 ? "" : `, which ended ${countOf(ended, "other session")}`}`;
}
