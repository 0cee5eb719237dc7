import type { VNode } from "preact";
import type { Tx } from "../../db/database.js";
import type { Caller } from "../../domain/access/caller.js";
import { todayOf } from "../../domain/access/clock.js";
import { requireOrganizationAdmin } from "../../domain/access/roles.js";
import { ensureCategory } from "../../domain/assets/categories.js";
import { changeMany, type ManyChanged } from "../../domain/history/change-many.js";
import { findWorkspaceChoices } from "../../domain/organizations/workspace-choices.js";
import { createWorkspace } from "../../domain/organizations/workspaces.js";
import { addDays } from "../../domain/shared/dates.js";
import { createTask } from "../../domain/tasks/create-task.js";
import {
  areas,
  planLibrary,
  takeSteps,
  type Area,
  type ReadyPlan,
} from "../../domain/tasks/plan-library.js";
import { describeRecurrence } from "../../domain/tasks/task-answers.js";
import { t } from "../../language/translate.js";
import {
  Checkbox,
  FormActions,
  PostForm,
  Select,
  TextInput,
  toNamedOptions,
  type Option,
} from "../forms/controls.js";
import { dayField, idField, readAll, readText, required } from "../forms/form-fields.js";
import { seeOther } from "../forms/form-reply.js";
import { formRoute } from "../forms/form-route.js";
import { changeSetAddress } from "../history/changes/addresses.js";
import { Page } from "../layout/layout.js";
import { Notice } from "../layout/notices.js";
import { describeLimits } from "../tasks/steps.js";
import { formatMinutes } from "../text/format.js";

export const startAddress = "/start";

/** Time to find out when the work was done last. */
const firstDueInDays = 28;

const workspaceField = idField("Workspace", "workspace");

/**
 * `/start`: asks what people look after, then (`?area=`) offers workspaces and ready-made plans.
 * Categories of the chosen plans are added for assets.
 */
export const startForm = formRoute({
  path: startAddress,
  open: async ({ db, caller, request }) => {
    await requireOrganizationAdmin(db, caller, "create workspaces");
    const asked = readAll(request.query, "area");
    return (Object.keys(areas) as Area[]).filter((area) => asked.includes(area));
  },
  fields: {
    building: workspaceField,
    fleet: workspaceField,
    it: workspaceField,
    machines: workspaceField,
    first_due: required(dayField("First due"), "Choose a date."),
  },
  begin: async ({ db, caller, subject: chosen }) => ({
    ...(await findByName(db, caller, chosen)),
    first_due: addDays(todayOf(caller), firstDueInDays),
  }),
  check: ({ subject: chosen, request }) => {
    const plans = chosen.flatMap(plansOf);
    const selected = readAll(request.body, "ids");
    if (plans.some(({ key }) => selected.includes(key))) return [];
    const field = plans[0]?.key ?? "area";
    return [{ field, message: t("Select at least one plan, or skip this step.") }];
  },
  once: "start",
  change: async (tx, { caller, subject: chosen, request, given }) => {
    const keys = readAll(request.body, "ids");
    const plans = chosen.flatMap(plansOf).filter(({ key }) => keys.includes(key));
    const places = new Map<Area, string>();
    for (const area of chosen) {
      const name = t(areas[area].workspace);
      const place = given[area] ?? (await createWorkspace(tx, caller, { name })).workspace.id;
      places.set(area, place);
    }
    for (const { category } of plans) await ensureCategory(tx, caller, t(category));
    return addPlans(tx, caller, { plans, places, due: given.first_due });
  },
  done: ({ id, changed, refused }) => {
    const added = t(
      "{count, plural, one {# recurring task added.} other {# recurring tasks added.}}",
      { count: changed },
    );
    const report = changeSetAddress(id);
    return refused > 0
      ? seeOther(report, added, undefined, { kind: "warning" })
      : seeOther("/", added, { href: report, label: t("View changes") }, { undo: id });
  },
  page: async ({ db, caller, subject: chosen, request }) =>
    chosen.length === 0 ? (
      <AreasPage isUnanswered={readText(request.query, "step") !== ""} />
    ) : (
      <PlansPage
        chosen={chosen}
        selected={readAll(request.body, "ids")}
        workspaces={toNamedOptions(await findWorkspaceChoices(db, caller))}
      />
    ),
});

type KeyedPlan = ReadyPlan & { key: string };

function plansOf(area: Area): KeyedPlan[] {
  return Object.entries(planLibrary)
    .map(([key, plan]) => ({ key, ...plan }))
    .filter((plan) => plan.area === area);
}

/** Existing workspaces that have the names of the new ones. */
async function findByName(db: Tx, caller: Caller, chosen: readonly Area[]) {
  const workspaces = await findWorkspaceChoices(db, caller);
  const found = chosen.flatMap((area) => {
    const name = t(areas[area].workspace).toLowerCase();
    const same = workspaces.find((one) => one.name.toLowerCase() === name);
    return same === undefined ? [] : [[area, same.id] as const];
  });
  return Object.fromEntries(found);
}

interface AddedPlans {
  plans: readonly KeyedPlan[];
  places: ReadonlyMap<Area, string>;
  due: string;
}

/** Creates recurring tasks, which can be undone together. */
async function addPlans(
  tx: Tx,
  caller: Caller,
  { plans, places, due: due_date }: AddedPlans,
): Promise<ManyChanged> {
  return changeMany(tx, caller, {
    noun: "task",
    records: plans.map(({ key, title }) => ({ id: key, name: t(title) })),
    change: async (inSet, key) => {
      const plan = plans.find((one) => one.key === key) as KeyedPlan;
      const title = t(plan.title);
      await createTask(tx, inSet, {
        title,
        workspace_id: places.get(plan.area),
        type: plan.type,
        due_date,
        estimated_minutes: plan.minutes,
        ...(await takeSteps(tx, inSet, plan)),
        recurrence: { every: plan.every, unit: plan.unit },
      });
      return { changed: [{ field: "title", from: null, to: title }] };
    },
  });
}

function AreasPage({ isUnanswered }: { isUnanswered: boolean }): VNode {
  return (
    <Page title={t("What do you look after?")} width="reading" current="/">
      <h1>{t("What do you look after?")}</h1>
      <p class="soft">
        {t("Select everything that fits. Next, choose ready-made maintenance plans.")}
      </p>
      {isUnanswered && (
        <Notice kind="warning" title={t("Nothing is selected")}>
          <p>{t("Select at least one, or skip this step.")}</p>
        </Notice>
      )}
      <form method="get" action={startAddress}>
        <input type="hidden" name="step" value="plans" />
        <fieldset class="areas">
          <legend class="visually-hidden">{t("What do you look after?")}</legend>
          {(Object.keys(areas) as Area[]).map((area) => (
            <div key={area} class="panel">
              <Checkbox
                name="area"
                id={area}
                value={area}
                label={t(areas[area].title)}
                help={[...new Set(plansOf(area).map(({ category }) => t(category)))].join(" · ")}
              />
            </div>
          ))}
        </fieldset>
        <FormActions submit={t("Continue")} cancel="/" cancelWords={t("Skip for now")} />
      </form>
    </Page>
  );
}

interface PlansView {
  chosen: readonly Area[];
  selected: readonly string[];
  workspaces: readonly Option[];
}

function PlansPage({ chosen, selected, workspaces }: PlansView): VNode {
  return (
    <Page title={t("Choose ready-made plans")} current="/">
      <h1>{t("Choose ready-made plans")}</h1>
      <p class="soft">
        {t("Each plan becomes a recurring task with a checklist. You can edit or undo them later.")}{" "}
        {t("Check which intervals your rules and manufacturers require.")}
      </p>
      <PostForm class="start-plans">
        {chosen.map((area) => (
          <section key={area} class="panel" aria-labelledby={`${area}-plans`}>
            <h2 id={`${area}-plans`}>{t(areas[area].title)}</h2>
            <WorkspaceSelect area={area} workspaces={workspaces} />
            <div class="ready-plans">
              {plansOf(area).map((plan) => (
                <div key={plan.key}>
                  <Checkbox
                    name="ids"
                    id={plan.key}
                    value={plan.key}
                    label={t(plan.title)}
                    help={describePlan(plan)}
                    checked={selected.includes(plan.key)}
                  />
                  <PlanSteps plan={plan} />
                </div>
              ))}
            </div>
          </section>
        ))}
        <div class="panel">
          <TextInput
            name="first_due"
            type="date"
            help={t("You can change the date of each task later.")}
          />
          <FormActions submit={t("Add plans")} cancel="/" cancelWords={t("Skip without plans")} />
        </div>
      </PostForm>
    </Page>
  );
}

/** Offers a new workspace unless one has its name. */
function WorkspaceSelect({
  area,
  workspaces,
}: {
  area: Area;
  workspaces: readonly Option[];
}): VNode {
  const name = t(areas[area].workspace);
  const isTaken = workspaces.some(({ label }) => label.toLowerCase() === name.toLowerCase());
  return (
    <Select
      name={area}
      isAlternative
      options={workspaces}
      {...(!isTaken && { empty: t("New workspace: {name}", { name }) })}
    />
  );
}

export function PlanSteps({ plan: { title, steps } }: { plan: ReadyPlan }): VNode {
  return (
    <details class="plan-steps">
      <summary>
        {t("{count, plural, one {# step} other {# steps}}", { count: steps.length })}
        <span class="visually-hidden">: {t(title)}</span>
      </summary>
      <ul>
        {steps.map(({ label, min = null, max = null, unit = null }) => (
          <li key={label}>
            {[t(label), describeLimits({ min, max, unit }) ?? []].flat().join(" · ")}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** "Every 6 months · 1 h 30 min" */
function describePlan({ every, unit, minutes }: ReadyPlan): string {
  const rule = { every, unit, on_weekday: null, every_usage: null, meter: null, meter_unit: null };
  const interval = describeRecurrence({ ...rule, plan_active: true }) ?? "";
  return `${interval.charAt(0).toUpperCase()}${interval.slice(1)} · ${formatMinutes(minutes)}`;
}
