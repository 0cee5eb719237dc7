import type { ActivityRow } from "../../domain/audit/activity-queries.js";
import type { ActivityType } from "../../domain/audit/record-activity.js";
import { t } from "../../language/translate.js";
import { isVarious, named, text, whom, withTimes, type Describe } from "./activity-details.js";

type Words = Partial<Record<ActivityType, { group: "account"; describe: Describe }>>;

const of = (describe: Describe) => ({ group: "account" as const, describe });

/** What happened to accounts: sign-ins, passwords, second factors. */
export const accountWords = {
  account_created: of((who) => t("{who} created an account", { who })),
  signed_in: of(describeSignIn),
  sign_in_failed: of(describeFailedSignIn),
  signed_out: of(describeSignOut),
  account_deactivated: of((who) => t("The account was deactivated: {who}", { who })),
  account_activated: of((who) => t("The account was activated again: {who}", { who })),
  email_verified: of((who) => t("{who} confirmed the email address", { who })),
  name_changed: of((who, { details }) =>
    t("{who} changed the name, from {name}", { who, name: named(details, "former_name") }),
  ),
  password_changed: of(describePasswordChange),
  password_reset_requested: of((who) => t("{who} asked for a link to set a new password", { who })),
  password_reset: of((who) => t("{who} set a new password with a link from a mail", { who })),
  second_factor_failed: of((who, { details }) =>
    withTimes(
      t("Signing in as {who} failed after the right password, at the second factor", {
        who: whom(who),
      }),
      details,
    ),
  ),
  calendar_address_made: of((who, { details }) =>
    details["covers"] === "all"
      ? t("{who} made a calendar address for all visible tasks", { who })
      : t("{who} made a calendar address for own tasks", { who }),
  ),
  calendar_address_revoked: of((who, { details }) =>
    details["signed_out"] === true
      ? t("The calendar address of {who} ended with the sign-ins", { who: whom(who) })
      : t("{who} revoked the calendar address", { who }),
  ),
  authenticator_added: of((who) => t("{who} set up an authenticator app", { who })),
  authenticator_removed: of((who) => t("{who} removed the authenticator app", { who })),
  passkey_added: of((who, { details }) =>
    t("{who} added the passkey {name}", { who, name: named(details, "name") }),
  ),
  passkey_removed: of((who, { details }) =>
    t("{who} removed the passkey {name}", { who, name: named(details, "name") }),
  ),
  passkey_copied: of((who, { details }) =>
    t("The passkey {name} of {who} was refused: there may be a copy of it", {
      who: whom(who),
      name: named(details, "name"),
    }),
  ),
  recovery_code_used: of((who) => t("{who} used a recovery code", { who })),
  recovery_codes_made: of((who) => t("{who} made new recovery codes", { who })),
  second_factors_reset: of((who) =>
    t("The second factors of {who} were removed by who runs the server", { who: whom(who) }),
  ),
} satisfies Words;

function describeSignIn(who: string, { details }: ActivityRow): string {
  const { method } = details;
  const factor = text(details, "factor");
  if (method === "passkey") return t("{who} signed in with a passkey", { who });
  if (method === "provider") return describeProviderSignIn(who, factor);
  if (factor === "recovery_code") return t("{who} signed in with a recovery code", { who });
  return factor === undefined
    ? t("{who} signed in", { who })
    : t("{who} signed in with an authenticator app", { who });
}

function describeProviderSignIn(who: string, factor: string | undefined): string {
  switch (factor) {
    case undefined:
      return t("{who} signed in with the identity provider of the organization", { who });
    case "recovery_code":
      return t(
        "{who} signed in with the identity provider of the organization and a recovery code",
        { who },
      );
    case "passkey":
      return t("{who} signed in with the identity provider of the organization and a passkey", {
        who,
      });
    default:
      return t(
        "{who} signed in with the identity provider of the organization and an authenticator app",
        { who },
      );
  }
}

function describeFailedSignIn(who: string, { details }: ActivityRow): string {
  const sentence = isVarious(details)
    ? t("Signing in as {who} failed from more addresses", { who: whom(who) })
    : t("Signing in as {who} failed", { who: whom(who) });
  return withTimes(sentence, details);
}

function describeSignOut(who: string, { details }: ActivityRow): string {
  const { sessions: ended, other_sessions: others } = details;
  if (typeof ended === "number") {
    return t(
      "Who runs the server signed {who} out of {count, plural, one {# browser} other {# browsers}}",
      { who: whom(who), count: ended },
    );
  }
  if (typeof others !== "number") return t("{who} signed out", { who });
  return t("{who} signed out of {count, plural, one {# other browser} other {# other browsers}}", {
    who,
    count: others,
  });
}

function describePasswordChange(who: string, { details }: ActivityRow): string {
  const ended = details["sessions_ended"];
  if (typeof ended !== "number") return t("A new password was set for {who}", { who: whom(who) });
  if (ended === 0) return t("{who} changed the password", { who });
  return t(
    "{who} changed the password, which ended {count, plural, one {# other session} other {# other sessions}}",
    { who, count: ended },
  );
}
