import type { VNode } from "preact";
import { findCategoryNames } from "../../../domain/assets/categories.js";
import { maxSteps } from "../../../domain/tasks/checklist-steps.js";
import {
  addProcedure,
  archiveProcedure,
  changeProcedure,
  getProcedure,
  readingOfProcedure,
  requireProcedureEditor,
  restoreProcedure,
  type GivenProcedure,
} from "../../../domain/tasks/procedures.js";
import { getTask } from "../../../domain/tasks/task-details.js";
import { t } from "../../../language/translate.js";
import { FormActions, PostForm, Suggestions, TextArea, TextInput } from "../../forms/controls.js";
import { FoldedFields } from "../../forms/folded-fields.js";
import { listField, required, textField } from "../../forms/form-fields.js";
import { seeOther } from "../../forms/form-reply.js";
import { formRoute } from "../../forms/form-route.js";
import type { FormRequest } from "../../forms/form-spec.js";
import { StaleLink } from "../../forms/stale-notice.js";
import {
  findWrongRows,
  stepRowFields,
  StepRows,
  toRowValues,
  toSteps,
} from "../../tasks/step-rows.js";
import { toFieldLabel } from "../../text/field-labels.js";
import { SettingsPage } from "../settings-layout.js";
import { procedureAddress, proceduresAddress, proceduresCrumbs } from "./addresses.js";

const newRows = 6;
const blankRows = 3;

const fieldsOf = (rows: number) => ({
  name: required(textField("Name"), "Enter a name."),
  category: textField(() => toFieldLabel("category")),
  ...stepRowFields(rows),
  more: listField("More steps", "\n"),
});

function toProcedure(
  rows: number,
  given: Readonly<Record<string, unknown>> & { name: string; category?: string; more?: string[] },
): GivenProcedure {
  const { name, category, more = [] } = given;
  return { name, category, steps: [...toSteps(rows, given), ...more] };
}

const rowsFor = (steps: readonly unknown[], blank: number) =>
  Math.min(maxSteps, steps.length + blank);

async function openNew({ db, caller, query }: FormRequest) {
  await requireProcedureEditor(db, caller);
  const reference = query("task");
  if (reference === "") return { rows: newRows, begin: {} };
  const { task } = await getTask(db, caller, reference);
  const begin = { name: task.title.slice(0, 100), ...toRowValues(task.checklist) };
  return { rows: rowsFor(task.checklist, blankRows), begin };
}

/** `/settings/procedures/new`, also with the steps of a `?task=`. */
export const newProcedureForm = formRoute({
  path: `${proceduresAddress}/new`,
  open: openNew,
  fields: ({ subject: { rows } }): ReturnType<typeof fieldsOf> => fieldsOf(rows),
  begin: ({ subject: { begin } }) => begin,
  check: ({ subject: { rows }, given }) => findWrongRows(rows, given),
  once: "create_procedure",
  change: (tx, { caller, subject: { rows }, given }) =>
    addProcedure(tx, caller, toProcedure(rows, given)),
  controls: { checklist: "label-1" },
  done: ({ id, name }) => seeOther(procedureAddress(id), t("{name} is saved.", { name })),
  page: async ({ db, caller, subject: { rows } }) => (
    <SettingsPage
      title={t("Add a procedure")}
      current={`${proceduresAddress}/new`}
      crumbs={proceduresCrumbs()}
    >
      <ProcedureFields
        rows={rows}
        categories={await findCategoryNames(db, caller)}
        submit={t("Add procedure")}
        cancel={proceduresAddress}
      />
    </SettingsPage>
  ),
});

async function openPresent({ db, caller, id }: FormRequest) {
  await requireProcedureEditor(db, caller);
  const procedure = await getProcedure(db, caller, id);
  return { procedure, rows: rowsFor(procedure.steps, blankRows) };
}

/** `/settings/procedures/:id/edit` */
export const changeProcedureForm = formRoute({
  path: procedureAddress(":id", "edit"),
  open: openPresent,
  version: ({ procedure }) => readingOfProcedure(procedure),
  fields: ({ subject: { rows } }): ReturnType<typeof fieldsOf> => fieldsOf(rows),
  begin: ({ subject: { procedure } }) => ({
    name: procedure.name,
    category: procedure.category ?? "",
    ...toRowValues(procedure.steps),
  }),
  check: ({ subject: { rows }, given }) => findWrongRows(rows, given),
  change: (tx, { caller, id, subject: { rows }, given, version: expected }) =>
    changeProcedure(tx, caller, id, { ...toProcedure(rows, given), expected }),
  controls: { checklist: "label-1" },
  done: (saved, { id, subject: { procedure } }) => {
    const { name, version } = saved ?? procedure;
    return seeOther(
      procedureAddress(id),
      version === procedure.version
        ? t("{name} is saved.", { name })
        : t("{name} is saved as version {version}.", { name, version }),
    );
  },
  page: async ({ db, caller, id, subject: { rows, procedure } }) => (
    <SettingsPage
      title={t("Edit {name}", { name: procedure.name })}
      current={procedureAddress(id, "edit")}
      crumbs={[...proceduresCrumbs(), { href: procedureAddress(id), label: procedure.name }]}
    >
      <StaleLink href={procedureAddress(id)} />
      <ProcedureFields
        rows={rows}
        categories={await findCategoryNames(db, caller)}
        submit={t("Save")}
        cancel={procedureAddress(id)}
      />
    </SettingsPage>
  ),
});

interface FieldsView {
  rows: number;
  categories: readonly string[];
  submit: string;
  cancel: string;
}

function ProcedureFields({ rows, categories, submit, cancel }: FieldsView): VNode {
  return (
    <PostForm class="panel folding-form">
      <div class="field-row">
        <TextInput name="name" maxLength={100} />
        <TextInput
          name="category"
          maxLength={100}
          list="categories"
          help={t("Offered first for assets of this category.")}
        />
      </div>
      <Suggestions id="categories" values={categories} />
      <StepRows rows={rows} meters={undefined} hasAsset />
      <FoldedFields title={t("More steps")} names={["more"]}>
        <TextArea name="more" help={t("One step per line, each a checkbox.")} />
      </FoldedFields>
      <p class="help">{t("To remove a step, clear its text. Open tasks keep their steps.")}</p>
      <FormActions submit={submit} cancel={cancel} />
    </PostForm>
  );
}

/** The button "Archive". */
export const archiveProcedureForm = formRoute({
  path: procedureAddress(":id", "archive"),
  open: openPresent,
  change: (tx, { caller, id }) => archiveProcedure(tx, caller, id),
  done: ({ name }, { id }) =>
    seeOther(procedureAddress(id), t("{name} archived. Repeating tasks keep its steps.", { name })),
});

export const restoreProcedureForm = formRoute({
  path: procedureAddress(":id", "restore"),
  open: openPresent,
  change: (tx, { caller, id }) => restoreProcedure(tx, caller, id),
  done: ({ name }, { id }) => seeOther(procedureAddress(id), t("{name} restored.", { name })),
});
