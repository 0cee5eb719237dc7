import type { ActivityRow } from "../../domain/audit/activity-queries.js";
import type { ActivityType } from "../../domain/audit/record-activity.js";
import { t } from "../../language/translate.js";
import { listOf } from "../text/format.js";
import { named, person, quoted, text, withFields, type Describe } from "./activity-details.js";

type Words = Partial<Record<ActivityType, { group: "organization"; describe: Describe }>>;

const of = (describe: Describe) => ({ group: "organization" as const, describe });

/** What happened to the organization, its rules and its workspaces. */
export const organizationWords = {
  second_factor_rules_changed: of(describeRules),
  deletion_rule_changed: of((who, { details }) =>
    details["deletion_needs_person"] === true
      ? t("{who} decided that what apps delete is confirmed by a person", { who })
      : t("{who} decided that what apps delete is not confirmed by a person", { who }),
  ),
  identity_provider_saved: of(describeProvider),
  identity_provider_removed: of((who, { details }) =>
    t("{who} removed the identity provider {issuer}", { who, issuer: named(details, "issuer") }),
  ),
  sign_in_domain_verified: of((who, { details }) =>
    t("{who} verified the domain {domain}", { who, domain: named(details, "domain") }),
  ),
  sign_in_domain_removed: of((who, { details }) =>
    t("{who} removed the domain {domain}", { who, domain: named(details, "domain") }),
  ),
  only_way_started: of((who, { details }) =>
    text(details, "user_id") === undefined
      ? t("{who} made the identity provider the only way to sign in, but for nobody", { who })
      : t("{who} made the identity provider the only way to sign in, but for {name}", {
          who,
          name: person(details, "way_back"),
        }),
  ),
  only_way_ended: of((who) =>
    t("{who} let people sign in with passwords and passkeys again", { who }),
  ),
  organization_created: of((who) => t("{who} created the organization", { who })),
  organization_closed: of((who) => t("{who} began to delete an organization", { who })),
  organization_deleted: of((who) => t("{who} deleted an organization", { who })),
  organization_updated: of((who, { details }) =>
    withFields(t("{who} changed the organization", { who }), details),
  ),
  workspace_created: of((who, { details }) =>
    t("{who} created the workspace {name}", { who, name: named(details, "name") }),
  ),
  workspace_updated: of(describeWorkspaceUpdate),
  workspace_deleted: of((who, { details }) =>
    t("{who} deleted the workspace {name}", { who, name: named(details, "name") }),
  ),
  audit_exported: of((who) => t("{who} downloaded the activity log", { who })),
  organization_exported: of((who) =>
    t("{who} downloaded everything that the organization has here", { who }),
  ),
} satisfies Words;

const rules = {
  admins_need_second_factor: {
    on: () => t("now of owners and admins"),
    off: () => t("no longer of owners and admins"),
  },
  destructive_needs_second_factor: {
    on: () => t("now before an app may delete permanently"),
    off: () => t("no longer before an app may delete permanently"),
  },
};

function describeRules(who: string, { details }: ActivityRow): string {
  const parts = Object.entries(rules).flatMap(([rule, { on, off }]) => {
    const isOn = details[rule];
    return typeof isOn === "boolean" ? [isOn ? on() : off()] : [];
  });
  return t("{who} changed what a second factor is asked for: {rules}", {
    who,
    rules: listOf(parts),
  });
}

function describeProvider(who: string, { details }: ActivityRow): string {
  const former = text(details, "former_issuer");
  const issuer = named(details, "issuer");
  const sentence =
    former === undefined
      ? t("{who} set the identity provider {issuer}", { who, issuer })
      : t("{who} set the identity provider {issuer}, in place of {former}", {
          who,
          issuer,
          former: quoted(former),
        });
  return details["secret_changed"] === true
    ? t("{sentence}, with a new secret", { sentence })
    : sentence;
}

function describeWorkspaceUpdate(who: string, { details }: ActivityRow): string {
  const former = text(details, "former_name");
  const name = named(details, "name");
  if (former === undefined) {
    return withFields(t("{who} changed the workspace {name}", { who, name }), details);
  }
  return t("{who} renamed the workspace {former} to {name}", {
    who,
    former: quoted(former),
    name,
  });
}
