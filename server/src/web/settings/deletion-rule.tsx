import type { VNode } from "preact";
import { requireOrganizationAdmin } from "../../domain/access/roles.js";
import {
  changeDeletionRule,
  getDeletionRule,
  readingOfDeletionRule,
} from "../../domain/organizations/deletion-rule.js";
import { t } from "../../language/translate.js";
import { Checkbox, FormActions, PostForm } from "../forms/controls.js";
import { checkboxField } from "../forms/form-fields.js";
import { seeOther } from "../forms/form-reply.js";
import { formRoute } from "../forms/form-route.js";
import { StaleLink } from "../forms/stale-notice.js";
import { Facts } from "../layout/facts.js";
import { ActionLink } from "../layout/page-head.js";
import { organizationAddress, organizationCrumbs } from "./organization-address.js";
import { SettingsPage } from "./settings-layout.js";

const address = `${organizationAddress}/deletions`;

/** `/settings/organization/deletions`: whether a person confirms what apps delete. */
export const deletionRuleForm = formRoute({
  path: address,
  open: async ({ db, caller }) => {
    await requireOrganizationAdmin(db, caller, "decide how apps delete");
    return getDeletionRule(db, caller);
  },
  version: readingOfDeletionRule,
  fields: { deletion_needs_person: checkboxField("A person confirms what an app deletes") },
  begin: ({ subject: needsPerson }) => (needsPerson ? { deletion_needs_person: "yes" } : {}),
  change: (tx, { caller, given, version }) =>
    changeDeletionRule(tx, caller, given.deletion_needs_person === true, version),
  done: (changed) =>
    seeOther(
      organizationAddress,
      changed ? t("The rule for deletions by apps is saved.") : t("Nothing was changed."),
    ),
  page: () => (
    <SettingsPage title={t("Deletions by apps")} current={address} crumbs={organizationCrumbs}>
      <StaleLink what="settings" href={address} />
      <PostForm>
        <Checkbox
          name="deletion_needs_person"
          help={t(
            "Before an app deletes an asset permanently, deletes a workspace, or removes somebody from the organization, the person whose app it is types its name or number on a page here that the app links to. Without this rule apps ask by themselves, where they can.",
          )}
        />
        <FormActions submit={t("Save")} cancel={organizationAddress} />
      </PostForm>
    </SettingsPage>
  ),
});

/** For the page of the organization, where every member reads it. */
export function DeletionRulePanel({
  needsPerson,
  isAdmin,
}: {
  needsPerson: boolean;
  isAdmin: boolean;
}): VNode {
  return (
    <section class="panel" aria-labelledby="deletions">
      <h2 id="deletions">{t("Deletions by apps")}</h2>
      <Facts
        facts={[
          [t("Confirmed by a person"), needsPerson ? t("Always") : t("Where the app can ask")],
        ]}
      />
      {isAdmin && (
        <div class="actions">
          <ActionLink href={address} quiet>
            {t("Change")}
          </ActionLink>
        </div>
      )}
    </section>
  );
}
