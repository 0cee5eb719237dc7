import type { FastifyPluginAsync } from "fastify";
import type { VNode } from "preact";
import type { Caller } from "../../../domain/access/caller.js";
import { t } from "../../../language/translate.js";
import { toOptions } from "../../forms/controls.js";
import { FilterForm, FilterSelect } from "../../lists/filters.js";
import { ActionLink } from "../../layout/page-head.js";
import { Pager, ListCount } from "../../lists/pager.js";
import { EmptyState } from "../../layout/notices.js";
import { callerOf, sendPage } from "../../layout/reply.js";
import { choicesOf } from "../../text/value-labels.js";
import { SettingsPage } from "../settings-layout.js";
import { toPageQuery } from "../../lists/list-query.js";
import { readQuery, rowsOnPage } from "../settings-query.js";
import {
  findInvitations,
  InvitationRows,
  inviteStatusLabels,
  type Invitations,
} from "./invitation-rows.js";
import { invitationsAddress, membersAddress, membersCrumb } from "./parts.js";

const statusLabels = () => ({ ...inviteStatusLabels, all: t("All") });

/** `/settings/members/invitations`: open, ended or all invitations. */
export const invitationListPages: FastifyPluginAsync = async (app) => {
  app.get(invitationsAddress, async (request, reply) => {
    const caller = callerOf(request);
    const query = readQuery(request.query, ["status", "cursor"]);
    const status = choicesOf(statusLabels()).find((one) => one === query.status) ?? "pending";
    const { cursor } = query;
    const listing = { status, limit: rowsOnPage, cursor: cursor || undefined };
    const invitations = await findInvitations(request, caller, listing);
    const view = { caller, status, cursor, invitations };
    return sendPage(reply, <InvitationsPage {...view} />);
  });
};

interface InvitationsView {
  caller: Caller;
  status: keyof ReturnType<typeof statusLabels>;
  cursor: string;
  invitations: Invitations;
}

function InvitationsPage({ caller, status, cursor, invitations }: InvitationsView): VNode {
  const { page } = invitations;
  const query = toPageQuery({ status, cursor });
  return (
    <SettingsPage
      title={t("Invitations")}
      current={invitationsAddress}
      width="wide"
      crumbs={[membersCrumb]}
      actions={<ActionLink href={`${membersAddress}/invite`}>{t("Invite a person")}</ActionLink>}
    >
      <FilterForm path={invitationsAddress} label={t("Invitations")} isNarrowed={false}>
        <FilterSelect
          name="status"
          label={t("Show")}
          value={status}
          options={toOptions(statusLabels())}
        />
      </FilterForm>
      {page.total_count === 0 ? (
        <EmptyState title={t("No invitation here")}>
          <p>
            {t("Invite people to look after assets with you. Invitations are valid for 7 days.")}
          </p>
        </EmptyState>
      ) : (
        <>
          <ListCount shown={page.invites.length} total={page.total_count} one="invitation" />
          <InvitationRows invitations={invitations} caller={caller} />
          <Pager path={invitationsAddress} query={query} nextCursor={page.next_cursor} />
        </>
      )}
    </SettingsPage>
  );
}
