import type { VNode } from "preact";
import { taskPriorities } from "../../db/entities/tasks.js";
import type { MergeTargets, ReportRow } from "../../domain/reports/find-reports.js";
import { t } from "../../language/translate.js";
import { Checkbox, PostForm, Select, TextArea, TextInput, type Option } from "../forms/controls.js";
import { FormContext, useForm, type FormState } from "../forms/form-context.js";
import {
  checkboxField,
  choiceField,
  dayField,
  hiddenField,
  textField,
} from "../forms/form-fields.js";
import { personField } from "../forms/person-choice.js";
import { assetStateLabels, priorityLabels } from "../text/value-labels.js";
import { toOptions } from "../forms/controls.js";

const decisions = ["accept", "merge", "answer", "refuse"] as const;
type Kind = (typeof decisions)[number];

/** The fields of all decisions. The button determines the ones that count. */
export const decisionFields = {
  decision: { ...choiceField("Decision", decisions), isHidden: true },
  title: textField("Title"),
  assigned_to_user_id: personField("Assignee"),
  due_date: dayField("Due"),
  priority: choiceField("Priority", taskPriorities),
  into: textField("Same as"),
  answer: textField("Answer"),
  reason: textField("Why no work is needed"),
  restore: checkboxField("The asset can be used"),
  expected: hiddenField,
};

/** The initial values of a report's forms. */
function toBeginning({ description, still_usable, location }: ReportRow) {
  const title = toTitle(description);
  return {
    title: location === null ? title : Array.from(`${location}: ${title}`).slice(0, 200).join(""),
    priority: still_usable ? "medium" : "high",
  };
}

const sentences = new Intl.Segmenter(undefined, { granularity: "sentence" });

/** The first sentence, shortened, without the mark at its end. */
function toTitle(description: string): string {
  const [line = ""] = description.trim().split("\n");
  const [first] = sentences.segment(line.trim());
  return shorten(first?.segment.trim() ?? "").replace(/[\s.!,;:–-]+$/, "");
}

const maxTitle = 60;

const minTitle = 20;

/**
 * As many whole clauses as fit in a title, otherwise whole words. The task's description contains
 * all of them.
 */
function shorten(line: string): string {
  const start = Array.from(line).slice(0, maxTitle).join("");
  if (start === line) return line;
  const clauses = new RegExp(`^.{${minTitle},}(?=[.!?,;:]\\s|\\s[–-]\\s)`, "u").exec(start);
  if (clauses !== null) return clauses[0];
  const isWhole = /\s/.test(line.charAt(start.length));
  return isWhole ? start : start.replace(/\s+\S*$/, "");
}

export interface DecisionView {
  report: ReportRow;
  people: readonly Option[];
  targets: MergeTargets;
}

/** The possible decisions on a report. Errors appear in the form that was sent. */
export function DecisionForms(view: DecisionView): VNode {
  const form = useForm();
  const sent = form.values["decision"];
  const values = sent === undefined ? toBeginning(view.report) : form.values;
  const { tasks, reports } = view.targets;
  const isOpen = (kind: Kind) => sent === kind;
  const of = (kind: Kind): FormState => ({
    ...form,
    values,
    fields: decisionFields,
    errors: sent === kind ? form.errors : [],
  });
  return (
    <div class="decisions">
      <FormContext.Provider value={of("accept")}>
        <AcceptForm {...view} />
      </FormContext.Provider>
      {tasks.length + reports.length > 0 && (
        <FormContext.Provider value={of("merge")}>
          <MergeForm {...view} isOpen={isOpen("merge")} />
        </FormContext.Provider>
      )}
      <FormContext.Provider value={of("answer")}>
        <WordsForm
          {...view}
          kind="answer"
          name="answer"
          submit={t("Answer")}
          isOpen={isOpen("answer")}
        />
      </FormContext.Provider>
      <FormContext.Provider value={of("refuse")}>
        <WordsForm
          {...view}
          kind="refuse"
          name="reason"
          submit={t("Refuse")}
          isOpen={isOpen("refuse")}
        />
      </FormContext.Provider>
    </div>
  );
}

function Decide({ report, kind, children }: { report: ReportRow; kind: Kind; children: VNode }) {
  return (
    <PostForm action={`/reports/${report.id}`}>
      <input type="hidden" name="decision" value={kind} />
      {children}
    </PostForm>
  );
}

/** A decision other than a task, folded until someone needs it. */
function Fold({ title, isOpen, children }: { title: string; isOpen: boolean; children: VNode }) {
  return (
    <details class="panel" open={isOpen}>
      <summary>{title}</summary>
      {children}
    </details>
  );
}

function AcceptForm({ report, people }: DecisionView): VNode {
  return (
    <section class="panel">
      <h2>{t("Create task")}</h2>
      <Decide report={report} kind="accept">
        <>
          <TextInput name="title" maxLength={200} required />
          <div class="field-row">
            <Select name="assigned_to_user_id" empty={t("Unassigned")} options={people} />
            <TextInput name="due_date" type="date" />
            <Select name="priority" options={toOptions(priorityLabels)} />
          </div>
          <button type="submit">{t("Accept")}</button>
        </>
      </Decide>
    </section>
  );
}

function MergeForm({
  report,
  targets: { tasks, reports },
  isOpen,
}: DecisionView & { isOpen: boolean }): VNode {
  const options = [
    ...tasks.map(({ id, task_number, title }) => ({
      value: id,
      label: `T-${task_number} ${title}`,
    })),
    ...reports.map(({ id, description }) => ({
      value: id,
      label: t("Report: {words}", { words: Array.from(description).slice(0, 60).join("") }),
    })),
  ];
  return (
    <Fold title={t("Merge")} isOpen={isOpen}>
      <Decide report={report} kind="merge">
        <>
          <Select name="into" empty={t("Select")} options={options} required />
          <button type="submit" class="quiet">
            {t("Merge")}
          </button>
        </>
      </Decide>
    </Fold>
  );
}

function WordsForm({
  report,
  kind,
  name,
  submit,
  isOpen,
}: DecisionView & {
  kind: "answer" | "refuse";
  name: "answer" | "reason";
  submit: string;
  isOpen: boolean;
}): VNode {
  const { state_before: before, asset_state } = report;
  return (
    <Fold title={submit} isOpen={isOpen}>
      <Decide report={report} kind={kind}>
        <>
          <TextArea
            name={name}
            maxLength={2000}
            rows={2}
            required
            help={t("The reporter will see this.")}
          />
          {before !== null && asset_state === "out_of_service" && (
            <Checkbox
              name="restore"
              id={`restore-${kind}`}
              label={t("Put the asset back to “{state}”", { state: assetStateLabels[before] })}
              checked
            />
          )}
          <button type="submit" class="quiet">
            {submit}
          </button>
        </>
      </Decide>
    </Fold>
  );
}
