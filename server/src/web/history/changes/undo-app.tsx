import type { VNode } from "preact";
import type { Tx } from "../../../db/database.js";
import type { Caller } from "../../../domain/access/caller.js";
import type { ConnectionRow } from "../../../domain/oauth/connections.js";
import { getConnectionHere } from "../../../domain/oauth/connections-to-undo.js";
import {
  countPermanentDeletions,
  toInstants,
  undoSpans,
  type UndoSpan,
} from "../../../domain/history/app-spans.js";
import { countSubjects } from "../../../domain/history/find-subjects.js";
import type { Undone } from "../../../domain/history/outcomes.js";
import { planUndo, startUndo, type UndoPage } from "../../../domain/history/undo.js";
import { AppError } from "../../../errors.js";
import { t, translated } from "../../../language/translate.js";
import { FormActions, PostForm, toOptions } from "../../forms/controls.js";
import { hiddenField, required } from "../../forms/form-fields.js";
import { seeOther } from "../../forms/form-reply.js";
import { formRoute } from "../../forms/form-route.js";
import type { FormRequest } from "../../forms/form-spec.js";
import { EmptyState, Notice } from "../../layout/notices.js";
import { FilterForm, FilterSelect } from "../../lists/filters.js";
import { Pager } from "../../lists/pager.js";
import { appsAddress } from "../../settings/app-rows.js";
import { SettingsPage } from "../../settings/settings-layout.js";
import { countOf, describeMomentInFull } from "../../text/format.js";
import { changeSetAddress } from "./addresses.js";
import { runUndo } from "./run-undo.js";
import { UndoneList } from "./undone-list.js";

const spanLabels: Record<UndoSpan, string> = translated({
  hour: "The last hour",
  morning: "This morning",
  today: "Today",
  week: "The last 7 days",
  all: "Everything",
});

interface AppUndo {
  connection: ConnectionRow;
  span: UndoSpan;
  from: string;
  until: string;
}

/** `/settings/apps/:id/undo`: an app's changes in a time span as a diff, and their undo. */
export const undoAppForm = formRoute({
  path: `${appsAddress}/:id/undo`,
  limit: "undo-app",
  open,
  fields: {
    from: required(hiddenField, "Choose a period."),
    until: required(hiddenField, "Choose a period."),
  },
  once: "undo_app",
  change: async (tx, { caller, subject: { connection }, given }) => {
    const [from, until] = [toInstant(given.from), toInstant(given.until)];
    const { client_id: clientId, user_id: userId, client_name: title } = connection;
    const selection = { clientId, userId, from, until };
    return { id: await startUndo(tx, caller, { selection, title }) };
  },
  done: async ({ id }, form) => {
    await runUndo(form, id);
    return seeOther(changeSetAddress(id));
  },
  page: async ({ db, caller, subject, query }) => {
    const { connection, from, until } = subject;
    const { client_id: clientId, user_id: userId } = connection;
    const after = query("after") || undefined;
    const [page, deleted] = await Promise.all([
      planUndo(db, caller, { clientId, userId, from, until }, after),
      countPermanentDeletions(db, caller, { clientId, userId, from, until }),
    ]);
    return <UndoAppPage {...{ ...subject, caller, page, deleted, after }} />;
  },
});

async function open({ request, db, caller, id, query }: FormRequest): Promise<AppUndo> {
  const connection = await getConnectionHere(db, caller, id);
  const asked = query("span");
  const span =
    undoSpans.find((one) => one === asked) ?? (await findSpanWithChanges(db, caller, connection));
  const until = query("until");
  const instants = toInstants(caller, span);
  // Later pages use the end time of the first page.
  const isKept = request.method === "GET" && until !== "" && until < instants.until;
  return { connection, span, ...instants, ...(isKept && { until: toInstant(until) }) };
}

/** The shortest of three spans in which the app changed something, or else today. */
async function findSpanWithChanges(
  db: Tx,
  caller: Caller,
  { client_id: clientId, user_id: userId }: ConnectionRow,
): Promise<UndoSpan> {
  for (const span of ["today", "week", "all"] as const) {
    const selection = { clientId, userId, ...toInstants(caller, span) };
    if ((await countSubjects(db, caller, selection)) > 0) return span;
    if ((await countPermanentDeletions(db, caller, selection)) > 0) return span;
  }
  return "today";
}

/** Recorded events have a year of four digits. The database can't parse other years. */
const instant = /^\d{4}-/;

function toInstant(text: string): string {
  const at = new Date(text);
  const known = Number.isNaN(at.getTime()) ? "" : at.toISOString();
  if (!instant.test(known)) throw new AppError("validation_failed", "no_such_change_set");
  return known;
}

interface UndoAppView extends AppUndo {
  caller: Caller;
  page: UndoPage;
  deleted: number;
  after: string | undefined;
}

function UndoAppPage(view: UndoAppView): VNode {
  const { connection, span, from, until, caller, page, deleted, after } = view;
  const { client_name: name, user_name: person, id, user_id: userId } = connection;
  const day = describeMomentInFull(new Date(until));
  const path = `${appsAddress}/${id}/undo`;
  const parameters = new URLSearchParams({ span, until, ...(after !== undefined && { after }) });
  const conflicts = page.records.filter(hasConflict);
  const others = page.records.filter((record) => !hasConflict(record));
  const isWhole = after === undefined && page.next === undefined;
  return (
    <SettingsPage
      title={t("Undo changes by {name}", { name })}
      current={`${appsAddress}/undo`}
      crumbs={[{ href: appsAddress, label: t("Connected Apps") }]}
    >
      <FilterForm path={path} label={t("When")} isNarrowed={false}>
        <FilterSelect name="span" label={t("When")} value={span} options={toOptions(spanLabels)} />
      </FilterForm>
      <p class="soft">
        {userId === caller.userId
          ? t("Changes by {name} until {day}.", { name, day })
          : t("Changes by {name} for {person} until {day}.", { name, person, day })}{" "}
        {t(
          "Later changes by others are kept. Notes stay in the history. Workspaces, invitations and members aren't undone.",
        )}
      </p>
      {deleted > 0 && (
        <Notice
          kind="warning"
          title={t("{count, plural, one {# asset} other {# assets}} permanently deleted", {
            count: deleted,
          })}
        >
          <p>{t("Permanent deletions can't be undone.")}</p>
        </Notice>
      )}
      {page.total === 0 ? (
        <EmptyState title={t("Nothing to undo")}>
          <p>{t("{name} changed no assets or tasks in this time.", { name })}</p>
        </EmptyState>
      ) : (
        <>
          <h2>
            {countOf(page.total, "record")}
            {conflicts.length > 0 && <>, {describeConflicts(conflicts.length, isWhole)}</>}
          </h2>
          <UndoneList records={[...conflicts, ...others]} caller={caller} />
          <Pager path={path} query={parameters} nextCursor={page.next} parameter="after" />
          <PostForm>
            <input type="hidden" name="from" value={from} />
            <input type="hidden" name="until" value={until} />
            <FormActions
              submit={
                isWhole
                  ? t("Undo changes to {count, plural, one {# record} other {# records}}", {
                      count: page.records.filter(isUndone).length,
                    })
                  : t("Undo")
              }
              cancel={appsAddress}
            />
          </PostForm>
        </>
      )}
    </SettingsPage>
  );
}

const hasConflict = ({ conflicts }: Undone): boolean => conflicts.length > 0;

/** Part of a record may be undone, despite its conflict. */
const isUndone = ({ changes, isRemoved }: Undone): boolean => isRemoved || changes.length > 0;

function describeConflicts(count: number, isWhole: boolean): string {
  return isWhole
    ? t("{count, plural, one {# with a conflict} other {# with conflicts}}", { count })
    : t("{count, plural, one {# with a conflict} other {# with conflicts}} on this page", {
        count,
      });
}
