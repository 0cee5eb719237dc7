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

/** `/settings/members/:id/release`: for whom the provider means by another identity now. */
export const releaseForm = formRoute({
  path: `${membersAddress}/:id/release`,
  open: async (form) => (await askOwner(form)) ?? getMember(form.db, form.caller, form.id),
  change: (tx, { caller, subject }) => releaseIdentity(tx, caller, subject),
  done: (_, { subject: { id, name } }) =>
    seeOther(personAddress(id), t("The next sign-in of {name} binds the account anew.", { name })),
  page: ({ subject: { id, name } }) => (
    <SettingsPage
      title={t("Release from the identity provider")}
      heading={t("Release {name} from the identity provider?", { name })}
      current={`${personAddress(id)}/release`}
      crumbs={[membersCrumb, { href: personAddress(id), label: name }]}
    >
      <p>
        {tRich(
          "Do this when {name} got another account at the provider. Whoever signs in there next with the address of this account gets it: make sure that the address is still theirs.",
          { name: <bdi>{name}</bdi> },
        )}
      </p>
      <PostForm>
        <FormActions submit={t("Release")} danger cancel={personAddress(id)} />
      </PostForm>
    </SettingsPage>
  ),
});

/** For the page of a person, where owners see whether the provider has signed them in. */
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
        {tRich("Last signed in with it {when}.", {
          when: <Moment at={identity.last_used_at} />,
        })}
      </p>
      <ActionLink href={`${personAddress(memberId)}/release`} quiet>
        {t("Release")}
      </ActionLink>
    </section>
  );
}
