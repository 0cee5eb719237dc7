import type { VNode } from "preact";
import { t, tRich } from "../../language/translate.js";
import { PostForm } from "../forms/controls.js";
import { Facts } from "../layout/facts.js";
import { activityLabels, failureCauseLabels } from "../text/value-labels.js";
import { isOpen, toAddressOf, type OpenedTask, type Task } from "./read-task.js";
import { describeCosts, inMinutes } from "./describe-task.js";
import { Markdown } from "../text/markdown.js";
import { hasRecord } from "./record-files.js";
import { Steps, StepsRead } from "./steps.js";

export function Description({ task: { description } }: { task: Task }): VNode | null {
  if (description === null) return null;
  return (
    <section aria-labelledby="description">
      <h2 id="description">{t("Description")}</h2>
      <Markdown text={description} />
    </section>
  );
}

/** The steps. People who may work on the task answer them here. */
export function Checklist({
  opened,
  selected,
}: {
  opened: OpenedTask;
  /** The checks of a refused form. */
  selected: readonly number[] | undefined;
}): VNode | null {
  const { task, may } = opened;
  const steps = task.checklist;
  if (steps.length === 0) return null;
  const done = steps.filter((step) => step.done).length;
  return (
    <section aria-labelledby="checklist">
      <h2 id="checklist">
        {t("Checklist")}{" "}
        <span class="soft">{t("{done} of {all} done", { done, all: steps.length })}</span>
      </h2>
      <FromProcedure task={task} />
      {may.change && isOpen(opened) ? (
        <PostForm
          action={`${toAddressOf(task)}/checklist`}
          version={task.version}
          isKeyed
          hasFiles={steps.some(({ kind }) => kind === "photo" || kind === "signature")}
        >
          <Steps steps={steps} selected={selected} />
          <div class="actions">
            <button type="submit" class="quiet">
              {t("Save checklist")}
            </button>
          </div>
        </PostForm>
      ) : (
        <StepsRead steps={steps} />
      )}
      {hasRecord(opened) && (
        <p class="actions">
          <a class="button quiet" href={`${toAddressOf(task)}/record.pdf`} download>
            {t("Download as PDF")}
          </a>
          <a class="button quiet" href={`${toAddressOf(task)}/record.csv`} download>
            {t("Download as CSV")}
          </a>
        </p>
      )}
    </section>
  );
}

function FromProcedure({ task }: { task: Task }): VNode | null {
  const { procedure, procedure_id: id, procedure_version: version } = task;
  if (procedure === null || id === null || version === null) return null;
  return (
    <p class="soft">
      {tRich("<a>{name}</a>, version {version}", {
        name: procedure,
        version,
        a: (words) => (
          <a href={`/settings/procedures/${id}?version=${version}`} dir="auto">
            {words}
          </a>
        ),
      })}
    </p>
  );
}

export function Record({ task }: { task: Task }): VNode | null {
  const { completion_notes: notes, activity, failure_cause: cause } = task;
  const facts = [
    [t("Activity"), activity && activityLabels[activity]],
    [t("Failure cause"), cause && failureCauseLabels[cause]],
    [t("Time spent"), inMinutes(task.actual_minutes)],
    [t("Downtime"), inMinutes(task.downtime_minutes)],
    [t("Costs"), describeCosts(task)],
  ] as const;
  if (notes === null && facts.every(([, value]) => value === null)) return null;
  return (
    <section aria-labelledby="record">
      <h2 id="record">{t("Completion notes")}</h2>
      {notes !== null && <Markdown text={notes} />}
      <Facts facts={facts} />
    </section>
  );
}
