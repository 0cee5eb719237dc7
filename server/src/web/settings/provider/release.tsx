import type { VNode } from "preact";
import type { Tx } from "../../../db/database.js";
import type { Caller } from "../../../domain/access/caller.js";
import { findIdentityOf, releaseIdentity } from "../../../domain/accounts/providers.js";
import { getMember } from "../../../domain/people/member-details.js";
import { t, tRich } from "../../../language/translate.js";
import { FormActions, PostForm } from "../../forms/controls.js";
import { seeOther } from "../../forms/form-reply.js";
import { formRoute } from "../../forms/form-route.js";
import { Moment } from "../../layout/moment.js";
import { ActionLink } from "../../layout/page-head.js";
import { membersAddress, membersCrumb, personAddress } from "../members/parts.js";
import { SettingsPage } from "../settings-layout.js";
import { askOwner } from "./forms.js";

/** `/settings/members/:id/release`: unlinks a person whose identity at the provider has changed. */
export const releaseForm = formRoute({
  path: `${membersAddress}/:id/release`,
  open: async (form) => (await askOwner(form)) ?? getMember(form.db, form.caller, form.id),
  change: (tx, { caller, subject }) => releaseIdentity(tx, caller, subject),
  done: (_, { subject: { id, name } }) =>
    seeOther(
      personAddress(id),
      t("The account is linked again the next time {name} signs in.", { name }),
    ),
  page: ({ subject: { id, name } }) => (
    <SettingsPage
      title={t("Unlink from the identity provider")}
      heading={t("Unlink {name} from the identity provider?", { name })}
      current={`${personAddress(id)}/release`}
      crumbs={[membersCrumb, { href: personAddress(id), label: name }]}
    >
      <p>
        {tRich(
          "Use this when {name} has a new account at the provider. The next person who signs in there with this account's address takes the account over, so check that the address is still theirs.",
          { name: <bdi>{name}</bdi> },
        )}
      </p>
      <PostForm>
        <FormActions submit={t("Unlink")} danger cancel={personAddress(id)} />
      </PostForm>
    </SettingsPage>
  ),
});

/** For a person's page. Owners see there if the provider has signed the person in. */
export async function findIdentityPanel(
  db: Tx,
  caller: Caller,
  memberId: string,
): Promise<VNode | undefined> {
  if (caller.organizationRole !== "owner") return undefined;
  const identity = await findIdentityOf(db, caller, memberId);
  if (identity === undefined) return undefined;
  return (
    <section aria-labelledby="identity">
      <h2 id="identity">{t("Identity provider")}</h2>
      <p>
        {tRich("Last sign-in {when}.", {
          when: <Moment at={identity.last_used_at} />,
        })}
      </p>
      <ActionLink href={`${personAddress(memberId)}/release`} quiet>
        {t("Unlink")}
      </ActionLink>
    </section>
  );
}
