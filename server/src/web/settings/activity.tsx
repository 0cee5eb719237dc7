import { Readable } from "node:stream";
import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import type { VNode } from "preact";
import {
  listActivity,
  seesActivityOfAll,
  type ActivityPage,
  type ActivityRow,
} from "../../domain/audit/activity-queries.js";
import { findConnectionsToUndo } from "../../domain/oauth/connections-to-undo.js";
import { exportChain } from "../../domain/audit/export-chain.js";
import { commit } from "../../domain/history/transactions.js";
import type { Caller } from "../../domain/access/caller.js";
import { getPerson } from "../../domain/shared/person-references.js";
import { idKindOf } from "../../domain/shared/ids.js";
import { isRefusal } from "../../errors.js";
import { requireOrganizationAdmin } from "../../domain/access/roles.js";
import { recordActivity } from "../../domain/audit/record-activity.js";
import { t } from "../../language/translate.js";
import { describeBrowser } from "../text/browser-names.js";
import { personOptions } from "../forms/choices.js";
import { PostForm, toOptions, type Option } from "../forms/controls.js";
import { FilterForm, FilterSelect } from "../lists/filters.js";
import { readFields } from "../forms/form-fields.js";
import { toPersonReference } from "../forms/person-choice.js";
import { DayList, TimeOfDay } from "../lists/day-list.js";
import { toPageQuery } from "../lists/list-query.js";
import { inTurns, streamWhileAuthorized } from "../lists/stream-while-authorized.js";
import { Pager } from "../lists/pager.js";
import { EmptyState } from "../layout/notices.js";
import { callerOf, personOf, sendPage } from "../layout/reply.js";
import { toPersonName } from "../text/person-name.js";
import { choicesOf } from "../text/value-labels.js";
import { activityGroups, isSerious, describeActivity, typesOf } from "./activity-texts.js";
import { appsAddress } from "./app-rows.js";
import { you } from "./activity-sentences.js";
import { SettingsPage } from "./settings-layout.js";
import { routeLimit } from "../../traffic/bounds.js";

const address = "/settings/activity";
const perPage = 50;

const exportAddress = `${address}/export`;

/** `/settings/activity`: actions on accounts, access and roles. */
export const activityPages: FastifyPluginAsync = async (app) => {
  app.get(address, async (request, reply) => {
    const { caller } = request;
    const { id: userId } = personOf(request);
    const { group, cursor, ...asked } = readQuery(request);
    const person = caller === null ? undefined : await findPersonId(request, caller, asked.person);
    const [page, people] = await Promise.all([
      listActivity(
        request.db,
        { userId, caller },
        {
          types: group && typesOf(group),
          personId: person,
          limit: perPage,
          cursor: cursor || undefined,
        },
        app.services.cursors,
      ),
      seesActivityOfAll(caller) ? personOptions(request.db, caller) : undefined,
    ]);
    const toUndo = await findUndoLinks(request, page.entries);
    return sendPage(
      reply,
      <ActivityLogPage
        page={page}
        toUndo={toUndo}
        people={people}
        filters={{ type: group, person, cursor }}
        userId={userId}
      />,
    );
  });
};

/** The undo links by app and person. Only for the current organization. */
async function findUndoLinks(
  { caller, db }: FastifyRequest,
  entries: readonly ActivityRow[],
): Promise<UndoLinks> {
  const clientIds = entries.flatMap(({ details }) => clientOf(details) ?? []);
  if (caller === null || clientIds.length === 0) return new Map();
  const connections = await findConnectionsToUndo(db, caller, clientIds);
  return new Map(
    connections.map(({ id, client_id: clientId, user_id: userId }) => [
      `${clientId} ${userId}`,
      `${appsAddress}/${id}/undo`,
    ]),
  );
}

type UndoLinks = ReadonlyMap<string, string>;

function clientOf({ client_id: id }: ActivityRow["details"]): string | undefined {
  return typeof id === "string" ? id : undefined;
}

/** The organization's chain, as `fettle audit export` prints it. The download is its last entry. */
export const activityExport: FastifyPluginAsync = async (app) => {
  const config = { rateLimit: routeLimit("log-export") };
  app.post(exportAddress, { config }, async (request, reply) => {
    const caller = callerOf(request);
    const { organizationId, userId, userName: actorName } = caller;
    await app.services.limitSettings(userId);
    await commit({ db: request.db, caller }, async (tx) => {
      await requireOrganizationAdmin(tx, caller, "download the activity log");
      const origin = request.activityOrigin();
      const who = { organizationId, userId, actorName, origin };
      await recordActivity(tx, { ...who, type: "audit_exported" });
    });
    const lines = exportChain(request.db, app.services.auditSigner, organizationId);
    return reply
      .type("application/jsonl; charset=utf-8")
      .header("content-disposition", 'attachment; filename="fettle-activity.jsonl"')
      .send(Readable.from(streamWhileAuthorized(reply, inTurns(request, lines))));
  });
};

/** Reads the query. Ignores unknown kinds and people. */
function readQuery(request: FastifyRequest) {
  const { type, person, cursor } = readFields(request.query, ["type", "person", "cursor"]);
  const group = choicesOf(activityGroups).find((one) => one === type);
  return { group, person: toPersonReference(person).trim(), cursor };
}

async function findPersonId({ db }: FastifyRequest, caller: Caller, reference: string) {
  if (reference === "" || idKindOf(reference) !== undefined) return reference || undefined;
  try {
    return (await getPerson(db, caller, reference)).id;
  } catch (error) {
    if (isRefusal(error, "person_not_found")) return undefined;
    throw error;
  }
}

interface ActivityView {
  toUndo: UndoLinks;
  page: ActivityPage;
  /** The options for owners and admins. Absent for everyone else. */
  people: readonly Option[] | undefined;
  filters: { type: string | undefined; person: string | undefined; cursor: string };
  userId: string;
}

function ActivityLogPage(view: ActivityView): VNode {
  const { page, people, filters } = view;
  const { type, person, cursor } = filters;
  const parameters = toPageQuery({ type, person: people && person, cursor });
  return (
    <SettingsPage
      title={t("Activity||the log")}
      width="wide"
      current={address}
      actions={people && <Download />}
    >
      <p class="soft">
        {people === undefined
          ? t(
              "Your account, apps and organization. Changes to assets and tasks are in their histories.",
            )
          : t(
              "Sign-ins, connected apps, roles, invitations and permanent deletions. Changes to assets and tasks are in their histories.",
            )}
      </p>
      <Filters {...view} />
      {page.entries.length === 0 ? (
        <EmptyState title={t("Nothing to show")}>
          <p>{t("No activity of this kind yet.")}</p>
        </EmptyState>
      ) : (
        <Entries {...view} />
      )}
      <Pager path={address} query={parameters} nextCursor={page.next_cursor} />
    </SettingsPage>
  );
}

function Download(): VNode {
  return (
    <PostForm action={exportAddress}>
      <button type="submit" class="quiet">
        {t("Download as JSON Lines")}
      </button>
    </PostForm>
  );
}

function Filters({ filters: { type, person }, people }: ActivityView): VNode {
  return (
    <FilterForm
      path={address}
      label={t("Activity||the log")}
      isNarrowed={(type ?? person) !== undefined}
    >
      <FilterSelect
        name="type"
        label={t("Show")}
        any={t("Everything")}
        value={type ?? ""}
        options={toOptions(activityGroups)}
      />
      {people !== undefined && (
        <FilterSelect
          name="person"
          label={t("Person")}
          any={t("Everyone")}
          value={person ?? ""}
          options={people}
        />
      )}
    </FilterForm>
  );
}

function Entries({ page, userId, people, toUndo }: ActivityView): VNode {
  const isOwn = (entry: ActivityRow) => people === undefined && entry.user_id === userId;
  return (
    <DayList
      entries={page.entries}
      momentOf={(entry) => entry.created_at}
      heading="h2"
      row={(entry) => {
        const who = isOwn(entry) ? you() : toPersonName(entry.actor_name);
        const undo = toUndo.get(`${clientOf(entry.details) ?? ""} ${whoseApp(entry)}`);
        return (
          <Entry key={entry.id} entry={entry} sentence={describeActivity(entry, who)} undo={undo} />
        );
      }}
    />
  );
}

/** The person who connected the app, even if someone else ended it. */
function whoseApp({ details: { user_id: whose }, user_id: userId }: ActivityRow): string {
  return typeof whose === "string" ? whose : String(userId);
}

function Entry(props: { entry: ActivityRow; sentence: string; undo: string | undefined }): VNode {
  const { entry, sentence, undo } = props;
  const { created_at: createdAt, ip_address: ipAddress, user_agent: userAgent } = entry;
  const browser = userAgent === null ? null : describeBrowser(userAgent);
  const from = [ipAddress, browser].filter((place) => place !== null);
  return (
    <li class={isSerious(entry) ? "grave" : undefined}>
      <TimeOfDay at={createdAt} />
      <div>
        <span>{sentence}.</span>
        {undo !== undefined && (
          <a href={undo} aria-label={t("Undo the app's changes: {sentence}", { sentence })}>
            {t("Undo the app's changes")}
          </a>
        )}
        {from.length > 0 && <p class="soft">{t("From {places}", { places: from.join(", ") })}</p>}
      </div>
    </li>
  );
}
