import type { FastifyPluginAsync } from "fastify";
import type { VNode } from "preact";
import type { Membership } from "../../domain/organizations/organizations.js";
import { AppError } from "../../errors.js";
import { t } from "../../language/translate.js";
import { readText } from "../forms/form-fields.js";
import { Page } from "../layout/layout.js";
import { PageHead } from "../layout/page-head.js";
import { NoOrganization } from "../layout/notices.js";
import { HiddenToken } from "../layout/hidden-token.js";
import { sendPage, flash } from "../layout/reply.js";
import { SampleMark, SampleOffer } from "../organizations/sample/sample-links.js";
import { organizationRoleLabels } from "../text/value-labels.js";
import { readMember } from "../../plugins/members.js";

export const organizationsAddress = "/organizations";

/** `/organizations`: shows the current organization and switches to another. */
export const organizationsPages: FastifyPluginAsync = async (app) => {
  app.addHook("preHandler", readMember);

  app.get(organizationsAddress, async (request, reply) => {
    const { memberships, caller } = request;
    return sendPage(
      reply,
      <OrganizationsPage memberships={memberships} currentId={caller?.organizationId} />,
    );
  });

  app.post(organizationsAddress, async (request, reply) => {
    const id = readText(request.body, "organization_id");
    const chosen = request.memberships.find((membership) => membership.id === id);
    if (chosen === undefined) throw new AppError("not_found", "no_member_of_organization");
    request.session.organizationId = chosen.id;
    flash(request, t("You're now in {name}.", { name: chosen.name }));
    return reply.redirect("/", 303);
  });
};

interface OrganizationsView {
  memberships: readonly Membership[];
  currentId: string | undefined;
}

function OrganizationsPage({ memberships, currentId }: OrganizationsView): VNode {
  return (
    <Page title={t("Your organizations")} current={organizationsAddress}>
      <PageHead title={t("Your organizations")} crumbs={[{ href: "/", label: t("Home") }]} />
      {memberships.length === 0 ? (
        <NoOrganization />
      ) : (
        <>
          <p class="soft">
            {t(
              "You work in one organization at a time. Connected assistants stay in the organization you chose for them.",
            )}
          </p>
          <ul class="rows organizations">
            {memberships.map((membership) => (
              <li key={membership.id} class="row">
                <div>
                  <strong dir="auto">{membership.name}</strong>
                  <p class="soft">
                    {organizationRoleLabels[membership.role]}
                    {membership.is_sample && <SampleMark />}
                  </p>
                </div>
                {membership.id === currentId ? (
                  <span class="soft">{t("Current")}</span>
                ) : (
                  <Choose organization={membership} quiet />
                )}
              </li>
            ))}
          </ul>
          {memberships.every(({ is_sample: isSample }) => !isSample) && <SampleOffer />}
        </>
      )}
    </Page>
  );
}

/** Names the organization to switch to. Other forms name the current one. */
export function Choose({
  organization: { id, name },
  quiet = false,
}: {
  organization: Pick<Membership, "id" | "name">;
  quiet?: boolean;
}): VNode {
  return (
    <form method="post" action={organizationsAddress}>
      <HiddenToken />
      <input type="hidden" name="organization_id" value={id} />
      <button type="submit" class={quiet ? "quiet" : undefined}>
        {t("Switch")} <span class="visually-hidden">({name})</span>
      </button>
    </form>
  );
}
