import type { VNode } from "preact";
import { requireMemberSomewhere, requireRoleIn } from "../../domain/access/roles.js";
import { todayOf } from "../../domain/access/clock.js";
import { findDownReason } from "../../domain/assets/down-reason.js";
import { createTask, type CreatedTask } from "../../domain/tasks/create-task.js";
import { listProcedures, type ProcedureRow } from "../../domain/tasks/procedures.js";
import {
  findProcedureOf,
  hasProcedure,
  planLibrary,
  takeSteps,
  type ReadyPlan,
} from "../../domain/tasks/plan-library.js";
import { findMeters, type FoundMeter } from "../../domain/meters/meters.js";
import { t } from "../../language/translate.js";
import { personOptions, workspaceOptions } from "../forms/choices.js";
import { FormActions, PostForm, Select, TextArea, type Option } from "../forms/controls.js";
import { FoldedFields } from "../forms/folded-fields.js";
import { formRoute } from "../forms/form-route.js";
import { PlanSteps } from "../organizations/start.js";
import { seeOther } from "../forms/form-reply.js";
import type { FormRequest, OpenedForm } from "../forms/form-spec.js";
import { Page } from "../layout/layout.js";
import { PageHead, type Crumb } from "../layout/page-head.js";
import type { PlainText } from "../../language/texts.js";
import type { FormError } from "../layout/error-summary.js";
import { toFieldLabel } from "../text/field-labels.js";
import { formatDay, withColon } from "../text/format.js";
import { withWarnings } from "../text/warnings-for-people.js";
import { toProcedureOptions } from "./procedure-options.js";
import { readQuickLine } from "./quick-line.js";
import { taskControls } from "./task-form-route.js";
import { readSite, SiteFields, type Site } from "./new-task-site.js";
import { PlanFields, RepeatFields, WorkFields } from "./task-form.js";
import {
  checkRepetition,
  describeValue,
  emptyTask,
  newTaskFields,
  readyProcedure,
  toRecurrence,
  type TaskValues,
} from "./task-form-fields.js";

/**
 * `/tasks/new`: a task for an asset (`?asset=`), or for a whole place (`?workspace=`),
 * from a ready-made `?plan=`, as a `?line=` of quick add says, or to `?repair=` a broken asset.
 */
export const newTaskForm = formRoute({
  path: "/tasks/new",
  open: readSite,
  fields: newTaskFields,
  begin: async (form) => {
    const { query, db, caller } = form;
    const procedure = query("procedure");
    const start = {
      ...emptyTask,
      procedure,
      ...fromLibrary(findPlan(query), await listProcedures(db, caller, { isArchived: false })),
      ...(await toRepair(form)),
    };
    if (query("line") === "") return start;
    const people = await personOptions(db, caller);
    return { ...start, ...readQuickLine(query("line"), { today: todayOf(caller), people }) };
  },
  check: (form) => {
    const wrong = checkRepetition(form);
    return [...wrong, ...checkSite(form.subject, form.given, [...form.errors, ...wrong])];
  },
  once: "create_task",
  change: async (tx, { caller, subject: site, given, query }) => {
    const { asset_id, workspace_id, every, unit, anchor, on_weekday, ends_on, ...rest } = given;
    const { every_usage, meter, due_usage, ...fields } = rest;
    const byUsage = { every_usage, meter, due_usage };
    const plan = given.procedure === readyProcedure ? findPlan(query) : undefined;
    return createTask(tx, caller, {
      ...fields,
      ...(plan !== undefined && (await takeSteps(tx, caller, plan))),
      asset_id: site.asset?.id ?? asset_id,
      workspace_id: site.workspace?.id ?? workspace_id,
      recurrence: toRecurrence({ every, unit, anchor, on_weekday, ends_on, ...byUsage }),
    });
  },
  controls: taskControls,
  done: (created, { given }) => {
    const address = `/tasks/${created.task.id}${given.edit_steps ? "/steps" : ""}`;
    return seeOther(address, describeCreated(created));
  },
  page: async ({ db, caller, query, values, subject: site }) => {
    const [workspaces, people, procedures, meters] = await Promise.all([
      workspaceOptions(db, caller),
      personOptions(db, caller),
      listProcedures(db, caller, { isArchived: false }),
      site.asset === undefined ? [] : findMeters(db, caller, site.asset.id),
    ]);
    const { place } = site;
    if (place !== undefined) await requireRoleIn(db, caller, place, "member", "add tasks");
    else await requireMemberSomewhere(db, caller, "add tasks");
    const read = query("line") === "" ? [] : describeRead(values, people);
    const view = { site, workspaces, people, meters, read, isRepair: isRepair(query) };
    return <NewTaskPage {...view} procedures={procedures} plan={findPlan(query)} />;
  },
});

function isRepair(query: FormRequest["query"]): boolean {
  return query("repair") !== "";
}

/** A repair that is due today, for the reason that the asset is down. */
async function toRepair({
  db,
  caller,
  query,
  subject: { asset },
}: OpenedForm<Site>): Promise<TaskValues> {
  if (asset === undefined || !isRepair(query)) return {};
  return {
    title: Array.from(t("Repair {asset}", { asset: asset.name }))
      .slice(0, 200)
      .join(""),
    description: (await findDownReason(db, caller, asset.id)) ?? "",
    type: "corrective",
    priority: "high",
    due_date: todayOf(caller),
  };
}

function findPlan(query: FormRequest["query"]): ReadyPlan | undefined {
  return Object.entries(planLibrary).find(([key]) => key === query("plan"))?.[1];
}

function fromLibrary(plan: ReadyPlan | undefined, procedures: readonly ProcedureRow[]): TaskValues {
  if (plan === undefined) return {};
  return {
    title: t(plan.title),
    type: plan.type,
    estimated_minutes: String(plan.minutes),
    every: String(plan.every),
    unit: plan.unit,
    ...(hasProcedure(plan)
      ? { procedure: findProcedureOf(plan, procedures)?.id ?? readyProcedure }
      : { checklist: plan.steps.map(({ label }) => t(label)).join("\n") }),
  };
}

/** If the address names neither an asset nor a workspace, the form requires one. */
function checkSite(
  { place }: Site,
  given: { asset_id?: string; workspace_id?: string },
  wrong: readonly FormError[],
): FormError[] {
  const isOne = (given.asset_id === undefined) !== (given.workspace_id === undefined);
  const isRefused = wrong.some(({ field }) => field === "asset_id" || field === "workspace_id");
  if (place !== undefined || isOne || isRefused) return [];
  const message = t("Choose an asset or a workspace.");
  return [{ field: "asset_id", message }];
}

function describeCreated({ task, next_due_date: next, warnings }: CreatedTask): string {
  const values = { number: task.task_number };
  const added =
    next === null
      ? t("{number} added.", values)
      : t("{number} added. The next one will be due on {day}.", {
          ...values,
          day: formatDay(next),
        });
  return withWarnings(added, warnings);
}

interface NewTaskView {
  site: Site;
  workspaces: readonly Option[];
  people: readonly Option[];
  procedures: readonly ProcedureRow[];
  meters: readonly FoundMeter[];
  /** Values of the quick-add line, besides the title. */
  read: readonly string[];
  isRepair: boolean;
  plan: ReadyPlan | undefined;
}

function describeRead(values: TaskValues, people: readonly Option[]): string[] {
  const { due_date: day = "", assigned_to_user_id: person, asset_id: asset = "" } = values;
  const facts: [field: string, value: string | undefined][] = [
    ["due_date", day && formatDay(day)],
    ["assigned_to_user_id", people.find(({ value }) => value === person)?.label],
    ["priority", describeValue("priority", values["priority"] ?? "")],
    ["asset_id", asset],
  ];
  return facts.flatMap(([field, value = ""]) =>
    value === "" ? [] : `${withColon(toFieldLabel(field))} ${value}`,
  );
}

const whichType: PlainText = "Automatic: corrective if the asset is down, otherwise preventive.";

function NewTaskPage(view: NewTaskView): VNode {
  const { site, workspaces, people, meters, read, isRepair } = view;
  const title = isRepair ? t("Plan repair") : t("Add a task");
  return (
    <Page title={title} current="/tasks/">
      <PageHead title={title} crumbs={toCrumbs(site)} />
      {read.length > 0 && (
        <ul class="chips" aria-label={t("Read from your line")}>
          {read.map((fact) => (
            <li key={fact}>{fact}</li>
          ))}
        </ul>
      )}
      {read.length === 0 && !isRepair && <ReadyPlans site={site} />}
      <PostForm class="panel folding-form">
        <SiteFields site={site} workspaces={workspaces} />
        <WorkFields emptyType={t(whichType)} />
        <PlanFields people={people} hasDowntime={site.workspace === undefined} />
        <StepFields {...view} />
        <RepeatFields meters={meters} />
        <FormActions submit={t("Add task")}>
          <button type="submit" class="quiet" name="edit_steps" value="yes">
            {t("Add and edit steps")}
          </button>
          <a class="button quiet" href={toWayOut(site)}>
            {t("Cancel")}
          </a>
        </FormActions>
      </PostForm>
    </Page>
  );
}

function StepFields({ site, procedures, plan }: NewTaskView): VNode {
  const isNew =
    plan !== undefined && hasProcedure(plan) && findProcedureOf(plan, procedures) === undefined;
  const options = [
    ...(isNew
      ? [{ value: readyProcedure, label: t("New procedure: {name}", { name: t(plan.title) }) }]
      : []),
    ...toProcedureOptions(procedures, site.asset ?? null),
  ];
  return (
    <FoldedFields title={t("Checklist")} names={["checklist", "procedure"]}>
      {options.length > 0 && (
        <Select
          name="procedure"
          options={options}
          empty={t("None")}
          help={t("Copies its steps, instead of the steps below.")}
        />
      )}
      {isNew && <PlanSteps plan={plan} />}
      <TextArea
        name="checklist"
        help={t("One step per line. For kinds and limits: Add and edit steps.")}
      />
    </FoldedFields>
  );
}

function ReadyPlans({ site: { asset, workspace } }: { site: Site }): VNode {
  return (
    <details class="panel ready-plan">
      <summary>{t("Start from a ready-made plan")}</summary>
      <form method="get" action="/tasks/new">
        {asset !== undefined && <input type="hidden" name="asset" value={asset.id} />}
        {workspace !== undefined && <input type="hidden" name="workspace" value={workspace.id} />}
        <div class="field">
          <label for="plan">{t("Ready-made plan")}</label>
          <select id="plan" name="plan">
            {Object.entries(planLibrary).map(([key, plan]) => (
              <option key={key} value={key}>
                {t(plan.title)}
              </option>
            ))}
          </select>
        </div>
        <button type="submit" class="quiet">
          {t("Use plan")}
        </button>
      </form>
    </details>
  );
}

/** Work on an asset is found on the asset's page. */
function toCrumbs({ asset }: Site): Crumb[] {
  const tasks = { href: "/tasks", label: t("Tasks") };
  return asset === undefined
    ? [tasks]
    : [tasks, { href: `/assets/${asset.id}`, label: asset.name }];
}

function toWayOut({ asset }: Site): string {
  return asset === undefined ? "/tasks" : `/assets/${asset.id}`;
}
