import type { FastifyPluginAsync } from "fastify";
import type { VNode } from "preact";
import type { Caller } from "../../../domain/access/caller.js";
import { listInvites, type InvitePage } from "../../../domain/invites/invite-queries.js";
import { findDeliveryStates } from "../../../domain/mail/undelivered-mails.js";
import { toOptions } from "../../forms/controls.js";
import { FilterForm, FilterSelect } from "../../lists/filters.js";
import { ActionLink, ListCount, Pager } from "../../layout/page-parts.js";
import { EmptyState } from "../../layout/parts.js";
import { callerOf, sendPage } from "../../layout/reply.js";
import { choicesOf } from "../../text/value-labels.js";
import { SettingsPage } from "../settings-layout.js";
import { InvitationRows, inviteStatusLabels, type Deliveries } from "./invitation-rows.js";
import {
  invitationsAddress,
  membersAddress,
  membersCrumb,
  readQuery,
  rowsOnPage,
} from "./parts.js";

const statusLabels = { ...inviteStatusLabels, all: "All" };

/** `/settings/members/invitations`: open ones, or those that ended, or all. */
export const invitationListPages: FastifyPluginAsync = async (app) => {
  app.get(invitationsAddress, async (request, reply) => {
    const caller = callerOf(request);
    const query = readQuery(request.query, ["status", "cursor"]);
    const status = choicesOf(statusLabels).find((one) => one === query.status) ?? "pending";
    const { cursor } = query;
    const listing = { status, limit: rowsOnPage, ...(cursor !== "" && { cursor }) };
    const page = await listInvites(app.db.manager, caller, listing, app.cursors);
    const ids = page.invites.map(({ id }) => id);
    const deliveries = await findDeliveryStates(app.db.manager, caller, ids);
    return sendPage(reply, <InvitationsPage {...{ caller, status, cursor, page, deliveries }} />);
  });
};

interface InvitationsView {
  caller: Caller;
  status: keyof typeof statusLabels;
  cursor: string;
  page: InvitePage;
  deliveries: Deliveries;
}

function InvitationsPage({ caller, status, cursor, page, deliveries }: InvitationsView): VNode {
  const query = new URLSearchParams({ status, ...(cursor !== "" && { cursor }) });
  return (
    <SettingsPage
      title="Invitations"
      current={invitationsAddress}
      width="wide"
      crumbs={[membersCrumb]}
      actions={<ActionLink href={`${membersAddress}/invite`}>Invite a person</ActionLink>}
    >
      <FilterForm path={invitationsAddress} label="Invitations" isNarrowed={false}>
        <FilterSelect
          {...{ name: "status", label: "Show", value: status }}
          options={toOptions(statusLabels)}
        />
      </FilterForm>
      {page.total_count === 0 ? (
        <EmptyState title="No invitation here">
          <p>Invite people to look after assets together. An invitation is valid for 7 days.</p>
        </EmptyState>
      ) : (
        <>
          <ListCount shown={page.invites.length} total={page.total_count} one="invitation" />
          <InvitationRows invites={page.invites} deliveries={deliveries} caller={caller} />
          <Pager path={invitationsAddress} query={query} nextCursor={page.next_cursor} />
        </>
      )}
    </SettingsPage>
  );
}
