import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import type { VNode } from "preact";
import type { Tx } from "../../../db/database.js";
import type { Caller } from "../../../domain/access/caller.js";
import { findRightsIn } from "../../../domain/access/roles.js";
import { getChangeSet, type ChangeSetRecord } from "../../../domain/history/change-sets.js";
import { listEventsOf, type SetEvent } from "../../../domain/history/change-set-events.js";
import type { RefusedDetails } from "../../../domain/history/change-many.js";
import type { Counted } from "../../../domain/history/counted.js";
import { listRows, type ListedRow } from "../../../domain/history/change-set-rows.js";
import type { KeptRecord } from "../../../domain/history/continue-undo.js";
import {
  isOfRows,
  isRedoing,
  planUndo,
  problemOf,
  startUndoOf,
  type UndoPage,
} from "../../../domain/history/undo.js";
import { idKindOf } from "../../../domain/shared/ids.js";
import type { Refusals } from "../../../domain/shared/refusals.js";
import { t } from "../../../language/translate.js";
import { FormActions, PostForm } from "../../forms/controls.js";
import { readText } from "../../forms/form-fields.js";
import { refuseAt, seeOther } from "../../forms/form-reply.js";
import type { FormRequest } from "../../forms/form-spec.js";
import { formRoute } from "../../forms/form-route.js";
import { toFormErrors } from "../../forms/form-errors.js";
import { toShortLabel } from "../history-list.js";
import { cameFrom } from "../../layout/came-from.js";
import { Facts } from "../../layout/facts.js";
import { Page } from "../../layout/layout.js";
import { Moment } from "../../layout/moment.js";
import { Notice } from "../../layout/notices.js";
import { ActionLink, PageHead } from "../../layout/page-head.js";
import { callerOf, sendPage } from "../../layout/reply.js";
import { Pager } from "../../lists/pager.js";
import { countOf } from "../../text/format.js";
import { changeSetAddress, importAddress } from "./addresses.js";
import { runUndo } from "./run-undo.js";
import {
  addressOf,
  Changes,
  Conflicts,
  DifferenceRow,
  Problems,
  UndoneList,
} from "./undone-list.js";
import { describeRefusalForPeople } from "../../text/refusals-for-people.js";
import { PersonName, toPersonName } from "../../text/person-name.js";

const perPage = 50;

/** `/changes/:id`: an import, an undo or an app's call, with its changes and its undo. */
export const changeSetPages: FastifyPluginAsync = async (app) => {
  app.get<{ Params: { id: string } }>("/changes/:id", async (request, reply) => {
    const caller = callerOf(request);
    const { id } = request.params;
    const db = request.db;
    const set = await getChangeSet(db, caller, id);
    const [changed, refused, kept] = await Promise.all([
      listEventsOf(db, caller, id, { after: readNumber(request, "after"), limit: perPage }),
      // For bulk changes, which have at most a hundred rows. Imports list their own refusals.
      set.kind === "bulk"
        ? listRows(db, caller, id, { outcome: "wrong", after: 0, limit: 100 })
        : { rows: [] },
      listRows(db, caller, id, {
        outcome: "conflict",
        after: Number(readNumber(request, "kept", 9)),
        limit: perPage,
      }),
    ]);
    const outsiders = await findOutsiders(db, caller, refused.rows);
    if (isAtWork(set)) reply.header("refresh", "3");
    return sendPage(
      reply,
      <ChangeSetPage
        {...{ caller, set, changed, refused: refused.rows, outsiders, kept, request }}
      />,
    );
  });
  await app.register(undoForm);
  await app.register(continueForm);
};

/** True if the page will change soon without any action. */
function isAtWork(set: ChangeSetRecord): boolean {
  return set.state === "applying" && !set.is_resting && problemOf(set) === undefined;
}

/** Previews the undo of a whole change set. Later changes by others are always kept. */
const undoForm = formRoute({
  path: "/changes/:id/undo",
  open: ({ db, caller, id }) => getChangeSet(db, caller, id),
  page: async ({ db, caller, id, subject: set, query }) => {
    const after = query("after") || undefined;
    const page = await planUndo(db, caller, { changeSetId: id }, after);
    return <UndoPreview {...{ caller, set, page, after }} />;
  },
  change: (tx, { caller, id }) => startUndoOf(tx, caller, id),
  toErrors: (error, { id }) => refuseAt(changeSetAddress(id), toFormErrors(error)[0]?.message),
  done: async ({ undo, set }, form) => {
    await runUndo(form, undo);
    const from = readText(form.request.body, "from") === "message" && cameFrom(form.request);
    if (from && (await isUndone(form, undo))) {
      const report = { href: changeSetAddress(undo), label: t("View these changes") };
      return seeOther(from, t("Undone."), report);
    }
    return seeOther(set.kind === "import" ? `${importAddress}/${set.id}` : changeSetAddress(undo));
  },
});

function UndoPreview({
  caller,
  set,
  page,
  after,
}: {
  caller: Caller;
  set: ChangeSetRecord;
  page: UndoPage;
  after: string | undefined;
}): VNode {
  const back = set.kind === "import" ? `${importAddress}/${set.id}` : changeSetAddress(set.id);
  const title = t("Undo: {title}", { title: nameOfSet(set) });
  const isOver = set.state !== "applied" || (set.undone_by ?? set.being_undone_by) !== null;
  return (
    <Page title={title} width="reading">
      <PageHead title={title} crumbs={[{ href: back, label: titleOf(set) }]} />
      <SetState set={set} />
      <h2>{countOf(page.total, "record")}</h2>
      <p class="soft">{t("Later changes by others are kept.")}</p>
      <UndoneList records={page.records} caller={caller} />
      <Pager
        path={`${changeSetAddress(set.id)}/undo`}
        query={new URLSearchParams(after === undefined ? {} : { after })}
        nextCursor={page.next}
        parameter="after"
      />
      {!isOver && (
        <PostForm>
          <FormActions submit={t("Undo")} cancel={back} />
        </PostForm>
      )}
    </Page>
  );
}

/** False while an undo is still running, and if it kept later changes by others. */
async function isUndone({ db, caller }: FormRequest, undo: string): Promise<boolean> {
  const { state, counts } = await getChangeSet(db, caller, undo);
  return state === "applied" && (counts["conflicts"] ?? 0) === 0;
}

const continueForm = formRoute({
  path: "/changes/:id/continue",
  change: (tx, { caller, id }) => getChangeSet(tx, caller, id),
  done: async ({ id }, form) => {
    await runUndo(form, id);
    return seeOther(changeSetAddress(id));
  },
});

function readNumber({ query }: FastifyRequest, name: string, maxDigits = 15): string {
  const text = readText(query, name);
  return /^\d+$/.test(text) && text.length <= maxDigits ? text : "0";
}

interface ChangeSetView {
  caller: Caller;
  set: ChangeSetRecord;
  changed: { events: SetEvent[]; next?: string };
  refused: readonly ListedRow[];
  outsiders: readonly Outsider[];
  kept: { rows: ListedRow[]; next?: number };
  request: FastifyRequest;
}

function ChangeSetPage(view: ChangeSetView): VNode {
  const { caller, set, changed, refused, outsiders, kept, request } = view;
  const { counts } = set;
  const path = changeSetAddress(set.id);
  const title = titleOf(set);
  return (
    <Page title={title} width="reading">
      <PageHead title={title} actions={<UndoButton set={set} />} />
      <Facts
        facts={[
          [t("By"), <PersonName name={set.user_name} />],
          [t("Started"), <Moment at={set.created_at} />],
          [t("Undone"), set.kind === "undo" ? countOf(counts["undone"] ?? 0, "record") : ""],
          [t("Kept"), toConflictCount(set)],
        ]}
      />
      <SetState set={set} />
      {refused.length > 0 && <RefusedList rows={refused} outsiders={outsiders} />}
      {kept.rows.length > 0 && (
        <section aria-labelledby="kept">
          <h2 id="kept">{t("Kept because of a conflict")}</h2>
          <KeptList rows={kept.rows} />
          <Pager
            path={path}
            query={pageQuery(request, "kept")}
            nextCursor={kept.next === undefined ? undefined : String(kept.next)}
            parameter="kept"
            label={t("Conflict pages")}
          />
        </section>
      )}
      {(changed.events.length > 0 || refused.length === 0) && (
        <section aria-labelledby="changed">
          <h2 id="changed">{t("Changes")}</h2>
          {changed.events.length === 0 && <p class="soft">{t("No changes")}</p>}
          <EventList events={changed.events} caller={caller} />
          <Pager
            path={path}
            query={pageQuery(request, "after")}
            nextCursor={changed.next}
            parameter="after"
          />
        </section>
      )}
    </Page>
  );
}

function titleOf(set: ChangeSetRecord): string {
  const title = nameOfSet(set);
  if (set.kind === "import") return t("Import of {title}", { title });
  const { client_name: client } = set;
  // Pages make bulk changes, also for contractors who use a link.
  if (set.kind === "call" || (set.kind === "bulk" && client !== null)) {
    const app = client === null ? t("an app") : toPersonName(client);
    return t("Changes by {app}: {title}", { app, title });
  }
  if (set.kind === "bulk") return t("Change to {title}", { title });
  return isRedoing(set) ? t("Redo: {title}", { title }) : t("Undo: {title}", { title });
}

/** The person's title, or the number of records in the set. */
export function nameOfSet({ title, settings }: ChangeSetRecord): string {
  const { counted } = settings as Partial<Counted>;
  return counted === undefined ? title : countOf(counted.count, counted.noun);
}

function pageQuery({ query }: FastifyRequest, name: string): URLSearchParams {
  const value = readText(query, name);
  return new URLSearchParams(value === "" ? {} : { [name]: value });
}

function toConflictCount({ counts }: ChangeSetRecord): string {
  const conflicts = counts["conflicts"] ?? 0;
  if (conflicts === 0) return "";
  return t("{count, plural, one {# conflict} other {# conflicts}}: changes by others kept", {
    count: conflicts,
  });
}

/** Undoing an undo is a redo. */
function UndoButton({ set }: { set: ChangeSetRecord }): VNode | undefined {
  const isNothing = set.kind === "bulk" && set.counts["changed"] === 0;
  const isFinal = isNothing || (set.kind === "undo" && isOfRows(set));
  const isUndone = set.undone_by !== null || set.being_undone_by !== null;
  if (set.state !== "applied" || isUndone || isFinal) return undefined;
  return (
    <PostForm action={`${changeSetAddress(set.id)}/undo`}>
      <button type="submit" class="quiet">
        {set.kind === "undo" && !isRedoing(set) ? t("Redo") : t("Undo")}
      </button>
    </PostForm>
  );
}

export function SetState({
  set,
  undone = t("Undone."),
}: {
  set: ChangeSetRecord;
  /** The result of a finished undo. */
  undone?: string | undefined;
}): VNode | null {
  if (set.undone_by !== null) {
    return (
      <Notice>
        <p>
          {undone} <a href={changeSetAddress(set.undone_by)}>{t("View these changes")}</a>
        </p>
      </Notice>
    );
  }
  if (set.being_undone_by !== null) {
    return (
      <Notice>
        <p>
          {t("This is being undone.")}{" "}
          <a href={changeSetAddress(set.being_undone_by)}>{t("View progress")}</a>
        </p>
      </Notice>
    );
  }
  if (set.state !== "applying" || set.kind === "import") return null;
  const problem = problemOf(set);
  return (
    <Notice
      kind={problem === undefined ? "info" : "warning"}
      title={isAtWork(set) ? t("Still running") : t("Not finished")}
    >
      <p role="status">
        {t("{records} so far.", { records: countOf(set.counts["records"] ?? 0, "record") })}
      </p>
      {!isAtWork(set) && (
        <PostForm action={`${changeSetAddress(set.id)}/continue`}>
          <p>
            {problem === undefined
              ? t("It's waiting for other work, or was interrupted. Completed changes are kept.")
              : describeRefusalForPeople(problem)}
          </p>
          <button type="submit">{t("Continue")}</button>
        </PostForm>
      )}
    </Notice>
  );
}

type Outsider = Refusals["assignee_cannot_see"];

/** The refused assignees whom the caller can add to the workspace. */
async function findOutsiders(
  db: Tx,
  caller: Caller,
  rows: readonly ListedRow[],
): Promise<Outsider[]> {
  const found = new Map<string, Outsider>();
  for (const { details } of rows) {
    for (const { key, params } of (details as Partial<RefusedDetails>).problems ?? []) {
      if (key !== "assignee_cannot_see") continue;
      const outsider = params as Outsider;
      found.set(`${outsider.person_id} ${outsider.workspace.id}`, outsider);
    }
  }
  const administered: Outsider[] = [];
  for (const outsider of found.values()) {
    const may = await findRightsIn(db, caller, outsider.workspace);
    if (may.admin) administered.push(outsider);
  }
  return administered;
}

function RefusedList({
  rows,
  outsiders,
}: Pick<ChangeSetView, "outsiders"> & {
  rows: readonly ListedRow[];
}): VNode {
  return (
    <section aria-labelledby="refused">
      <h2 id="refused">{t("Not changed")}</h2>
      {outsiders.length > 0 && (
        <p class="page-actions">
          {outsiders.map(({ name, person_id, workspace }) => (
            <ActionLink
              key={`${person_id} ${workspace.id}`}
              href={`/settings/members/${person_id}/add?workspace=${workspace.id}`}
            >
              {t("Add {name} to {workspace}", { name, workspace: workspace.name })}
            </ActionLink>
          ))}
        </p>
      )}
      <ul class="differences">
        {rows.map(({ line, name, subject_id: id, details }) => (
          <DifferenceRow
            key={line}
            href={toRecord(name, id)}
            name={name || t("Something you can't see")}
          >
            <Problems problems={(details as Partial<RefusedDetails>).problems} />
          </DifferenceRow>
        ))}
      </ul>
    </section>
  );
}

function toRecord(name: string, id: string | null): string | undefined {
  if (id === null || name === "") return undefined;
  return addressOf({ kind: idKindOf(id) === "task" ? "task" : "asset", id });
}

/** The records that an undo left unchanged. */
export function KeptList({ rows }: { rows: readonly ListedRow[] }): VNode {
  return (
    <ul class="differences">
      {rows.map(({ line, name, subject_id: id, details }) => {
        const { kind, conflicts = [] } = details as Partial<KeptRecord>;
        const isShown = id !== null && name !== "" && kind !== undefined;
        return (
          <DifferenceRow
            key={line}
            href={isShown ? addressOf({ kind, id }) : undefined}
            name={name || t("Something you can't see")}
          >
            <Conflicts conflicts={conflicts} />
          </DifferenceRow>
        );
      })}
    </ul>
  );
}

function EventList({ events, caller }: { events: readonly SetEvent[]; caller: Caller }): VNode {
  return (
    <ul class="differences">
      {events.map((event) => {
        const { id, asset_id: assetId, asset, task_id: taskId, task_number: number } = event;
        const isOfTask = event.type.startsWith("task_");
        const name = isOfTask ? `${number ?? ""} ${event.task_title ?? ""}` : (asset ?? "");
        const href = isOfTask ? `/tasks/${taskId ?? ""}` : `/assets/${assetId ?? ""}`;
        return (
          <DifferenceRow key={id} href={href} name={name} mark={toShortLabel(event)}>
            <Changes changes={event.changes} caller={caller} />
          </DifferenceRow>
        );
      })}
    </ul>
  );
}
