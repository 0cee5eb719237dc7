import { Readable } from "node:stream";
import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import type { VNode } from "preact";
import {
  listActivity,
  readActivity,
  seesActivityOfAll,
  type ActivityPage,
  type ActivityRow,
} from "../../domain/audit/activity-queries.js";
import { findConnectionsToUndo } from "../../domain/oauth/connections-to-undo.js";
import { exportChain } from "../../domain/audit/export-chain.js";
import { verifyChain } from "../../domain/audit/verify-chain.js";
import { commit } from "../../domain/history/transactions.js";
import type { Caller } from "../../domain/access/caller.js";
import { getPerson } from "../../domain/shared/person-references.js";
import { addDays, startOfDay, toLocalTimestamp, toTimestamp } from "../../domain/shared/dates.js";
import { idKindOf } from "../../domain/shared/ids.js";
import { isRefusal } from "../../errors.js";
import { requireOrganizationAdmin } from "../../domain/access/roles.js";
import { recordActivity } from "../../domain/audit/record-activity.js";
import { toCell } from "../../domain/exchange/cell-texts.js";
import type { SheetRow } from "../../domain/exchange/headings.js";
import { currentLocale, inLocale } from "../../language/locale.js";
import { t } from "../../language/translate.js";
import { describeBrowser } from "../text/browser-names.js";
import { personOptions } from "../forms/choices.js";
import { PostForm, toOptions, type Option } from "../forms/controls.js";
import { FilterForm } from "../lists/filters.js";
import { dayField, readFields, readForm, textField } from "../forms/form-fields.js";
import { toPersonReference } from "../forms/person-choice.js";
import { DayList, TimeOfDay } from "../lists/day-list.js";
import { ExportLinks } from "../lists/export-links.js";
import { addExports, refuseWrongFilters } from "../lists/export-route.js";
import { WrongFilters } from "../lists/wrong-filters.js";
import { readFilterText, toListQuery, toPageQuery } from "../lists/list-query.js";
import { inTurns, streamWhileAuthorized } from "../lists/stream-while-authorized.js";
import { Pager } from "../lists/pager.js";
import type { FormError } from "../layout/error-summary.js";
import { EmptyState } from "../layout/notices.js";
import { callerOf, flash, flashRefusal, personOf, sendPage } from "../layout/reply.js";
import { toPersonName } from "../text/person-name.js";
import { choicesOf } from "../text/value-labels.js";
import {
  activityGroups,
  describeActivity,
  isSerious,
  typesExceptSignIns,
  typesOf,
  typesWithWord,
} from "./activity-texts.js";
import { appsAddress } from "./app-rows.js";
import { you } from "./activity-sentences.js";
import { SettingsPage } from "./settings-layout.js";
import { routeLimit } from "../../traffic/bounds.js";

const address = "/settings/activity";
const perPage = 50;

const exportAddress = `${address}/export`;
const verifyAddress = `${address}/verify`;

/** `/settings/activity`: actions on accounts, access and roles. */
export const activityPages: FastifyPluginAsync = async (app) => {
  app.get(address, async (request, reply) => {
    const { caller } = request;
    const { id: userId } = personOf(request);
    const query = readQuery(request);
    const { values, errors, cursor } = query;
    const { cursors } = app.services;
    const listing = await toListing(request, query);
    const paging = { limit: perPage, cursor: cursor || undefined };
    const [page, people] = await Promise.all([
      listActivity(request.db, { userId, caller }, { ...listing, ...paging }, cursors),
      seesActivityOfAll(caller) ? personOptions(request.db, caller) : undefined,
    ]);
    const toUndo = await findUndoLinks(request, page.entries);
    const view = { page, toUndo, people, values, errors, cursor, userId, caller };
    return sendPage(reply.code(errors.length === 0 ? 200 : 400), <ActivityLogPage {...view} />);
  });
};

const columns = ["time", "person", "action", "type", "ip_address", "browser"];

/** `/settings/activity.csv` and `.xlsx`: the log with the page's filters. */
export const activityFiles: FastifyPluginAsync = async (app) => {
  addExports(app, { path: address, columns, find: exportRows });
};

async function* exportRows(request: FastifyRequest, caller: Caller): AsyncGenerator<SheetRow[]> {
  const query = readQuery(request);
  refuseWrongFilters(query.errors);
  const { cursors } = request.server.services;
  // A file is written after the request, which knows the language.
  const locale = currentLocale();
  const listing = await toListing(request, query);
  for await (const entries of readActivity(request.db, { ...caller, caller }, listing, cursors)) {
    yield inLocale(locale, () => entries.map((entry) => toRow(entry, caller)));
  }
}

function toRow(entry: ActivityRow, { timeZone }: Caller): SheetRow {
  const { created_at: at, type, user_agent: userAgent, ip_address: ipAddress } = entry;
  const person = toPersonName(entry.actor_name);
  const time = toLocalTimestamp(timeZone, toTimestamp(at));
  const browser = userAgent === null ? null : describeBrowser(userAgent);
  const row = [time, person, describeActivity(entry, person), type, ipAddress, browser];
  return row.map((value) => toCell("", value));
}

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

/** Verifies the organization's chain as `fettle audit verify` does. */
export const activityVerification: FastifyPluginAsync = async (app) => {
  const config = { rateLimit: routeLimit("log-verification") };
  app.post(verifyAddress, { config }, async (request, reply) => {
    const caller = callerOf(request);
    const { organizationId: id, userId } = caller;
    await app.services.limitSettings(userId);
    await requireOrganizationAdmin(request.db, caller, "verify the activity log");
    const chain = { id, organization: caller.organizationName };
    const report = await verifyChain(request.db, app.services.auditSigner, chain);
    const { ok, entries, signed_to: signedTo, problems } = report;
    if (ok)
      flash(
        request,
        t(
          "Activity log intact: {entries, plural, one {# entry} other {# entries}}, {signedTo, plural, =0 {none signed yet} other {signed up to entry #}}.",
          { entries, signedTo },
        ),
      );
    else
      flashRefusal(
        request,
        t(
          "The activity log was changed: {count, plural, one {# problem} other {# problems}} found. Ask the server's administrator to run {command}.",
          { count: problems.length, command: "fettle audit verify" },
        ),
      );
    return reply.redirect(address, 303);
  });
};

const exceptSignIns = "except_sign_ins";
const filterFields = { q: textField("Search"), from: dayField("From"), to: dayField("To") };

/** Reads the query. Ignores unknown kinds and people. */
function readQuery(request: FastifyRequest) {
  const fields = readFields(request.query, ["type", "person", "cursor"]);
  const { values, given, errors } = readForm(request.query, filterFields);
  const rule = { field: "q", label: filterFields.q.label(), max: 200 };
  const types = [exceptSignIns, ...choicesOf(activityGroups)];
  return {
    values: {
      type: types.find((one) => one === fields.type) ?? "",
      person: toPersonReference(fields.person).trim(),
      ...values,
    },
    given: { ...given, q: readFilterText(given.q, rule, errors) },
    errors,
    cursor: fields.cursor,
  };
}

const maxWords = 8;

async function toListing(
  request: FastifyRequest,
  { values: { type, person }, given: { q = "", from, to } }: ReturnType<typeof readQuery>,
) {
  const { caller } = request;
  const zone = caller?.timeZone ?? "UTC";
  const words = q.split(/\s+/).filter((word) => word !== "");
  return {
    types: toTypes(type),
    personId: caller === null ? undefined : await findPersonId(request, caller, person),
    from: from === undefined ? undefined : startOfDay(zone, from),
    until: to === undefined ? undefined : startOfDay(zone, addDays(to, 1)),
    words: words.slice(0, maxWords).map((text) => ({ text, types: typesWithWord(text) })),
  };
}

function toTypes(type: string) {
  const group = choicesOf(activityGroups).find((one) => one === type);
  if (group !== undefined) return typesOf(group);
  return type === exceptSignIns ? typesExceptSignIns() : undefined;
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
  values: ReturnType<typeof readQuery>["values"];
  errors: readonly FormError[];
  cursor: string;
  userId: string;
  caller: Caller | null;
}

function ActivityLogPage(view: ActivityView): VNode {
  const { page, people, values, errors, cursor, caller } = view;
  const filters = { ...values, person: people === undefined ? "" : values.person };
  return (
    <SettingsPage
      title={t("Activity||the log")}
      width="wide"
      current={address}
      actions={people && <LogActions />}
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
      {errors.length > 0 && <WrongFilters errors={errors} />}
      {caller !== null && <ExportLinks path={address} query={toListQuery(filters, {})} />}
      {page.entries.length === 0 ? (
        <EmptyState title={t("Nothing to show")}>
          {errors.length === 0 && values.to !== "" && values.from > values.to && (
            <p>{t("“From” is after “To”.")}</p>
          )}
          <p>
            <a href={address}>{t("Show everything that happened")}</a>
          </p>
        </EmptyState>
      ) : (
        <Entries {...view} />
      )}
      <Pager
        path={address}
        query={toPageQuery({ ...filters, cursor })}
        nextCursor={page.next_cursor}
      />
    </SettingsPage>
  );
}

function LogActions(): VNode {
  return (
    <>
      <PostForm action={verifyAddress}>
        <button type="submit" class="quiet">
          {t("Verify the log")}
        </button>
      </PostForm>
      <PostForm action={exportAddress}>
        <button type="submit" class="quiet">
          {t("Download as JSON Lines")}
        </button>
      </PostForm>
    </>
  );
}

function Filters({ values, people }: ActivityView): VNode {
  const { type, person, q, from, to } = values;
  const kinds = [
    { value: exceptSignIns, label: t("Everything except sign-ins") },
    ...toOptions(activityGroups),
  ];
  return (
    <FilterForm
      path={address}
      label={t("Activity||the log")}
      q={q}
      searchLabel={t("Search by person, app or action")}
      isNarrowed={[type, people && person, q, from, to].some((value) => (value ?? "") !== "")}
      folded={[
        { name: "type", label: t("Show"), any: t("Everything"), value: type, options: kinds },
        ...(people === undefined
          ? []
          : [
              {
                name: "person",
                label: t("Person"),
                any: t("Everyone"),
                value: person,
                options: people,
              },
            ]),
        { name: "from", label: t("From"), value: from },
        { name: "to", label: t("To"), value: to },
      ]}
    />
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
