import type { ComponentChildren, VNode } from "preact";
import type { AssetRecord } from "../../domain/assets/asset-record.js";
import type { ShownFile } from "../../domain/files/find-files.js";
import { t } from "../../language/translate.js";
import { AddFilesInput, MomentChoice, MomentLabel, toThumbnailAddress } from "../files/gallery.js";
import { TextInput } from "../forms/controls.js";
import { FoldedFields } from "../forms/folded-fields.js";
import { useForm } from "../forms/form-context.js";
import { describe, Help } from "../forms/labelled.js";
import { describeZone } from "../text/format.js";
import type { Task } from "./read-task.js";
import { PassOrFail } from "./steps.js";
import { TaskControl } from "./task-control.js";

export interface RecordView {
  task: Task;
  /** True if the time spent was filled in from the start of the work. */
  isTimed: boolean;
  /** The pictures that the task already has. */
  pictures: readonly ShownFile[];
}

export function RecordFields({
  task,
  isTimed,
  pictures,
  children,
}: RecordView & { children: ComponentChildren }): VNode {
  const format = t("Enter minutes (90) or hours (1:30).");
  return (
    <fieldset>
      <legend>{t("Work")}</legend>
      <TaskControl
        name="completion_notes"
        label={t("What did you find, and what did you do?")}
        rows={3}
      />
      <Photos pictures={pictures} />
      <div class="field-row">
        <TaskControl
          name="actual_minutes"
          help={
            isTimed
              ? `${t("Time since you started work, without time on hold.")} ${format}`
              : format
          }
        />
        {task.asset_id !== null && (
          <TaskControl name="downtime_minutes" help={t("How long was the asset unusable?")} />
        )}
      </div>
      {children}
    </fieldset>
  );
}

/** Whether the asset works after the work. An asset that was out of service needs an answer. */
export function Usable({ asset: { name, state } }: { asset: Pick<AssetRecord, "name" | "state"> }) {
  const { values } = useForm();
  const field = "asset_state";
  const isDown = state === "out_of_service";
  const help = isDown ? undefined : t("“No” marks it as out of service right away.");
  return (
    <fieldset class="field step" id={field} {...describe(field, help, undefined)}>
      <legend>
        {isDown
          ? t("Can {name} be used again?", { name })
          : t("Can {name} still be used?", { name })}
      </legend>
      <PassOrFail
        name={field}
        value={values[field] ?? ""}
        isRequired
        pass={[isDown ? "available" : "same", t("Yes")]}
        fail={[isDown ? "same" : "out_of_service", t("No")]}
      />
      <Help id={field} text={help} />
      <div role="status" class="help" />
    </fieldset>
  );
}

function Photos({ pictures }: Pick<RecordView, "pictures">): VNode {
  const count = pictures.length;
  return (
    <>
      <MomentChoice preset="after" />
      <AddFilesInput
        label={t("Add photo")}
        {...(count > 0 && {
          help: t("{count, plural, one {The task has # photo.} other {The task has # photos.}}", {
            count,
          }),
        })}
      />
      <ul class="previews">
        {pictures.map(({ id, name, moment }) => (
          <li key={id}>
            <img src={toThumbnailAddress(id)} alt={name} loading="lazy" />
            <MomentLabel moment={moment} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** The less common fields: the kind of work, the cause of a repair, and an earlier completion. */
export function DetailFields({ task, isDone }: { task: Task; isDone: boolean }): VNode {
  const zone = describeZone();
  const hasCause = task.type === "corrective" || task.failure_cause !== null;
  const notSaid = (value: string | null) => (value === null ? { empty: t("Not specified") } : {});
  return (
    <FoldedFields
      title={hasCause ? t("Activity, cause and day") : t("Activity and day")}
      names={["activity", "failure_cause", "completed_at"]}
    >
      <div class="field-row">
        <TaskControl name="activity" {...notSaid(task.activity)} />
        {hasCause && <TaskControl name="failure_cause" {...notSaid(task.failure_cause)} />}
      </div>
      <TextInput
        name="completed_at"
        type="datetime-local"
        help={
          isDone
            ? t("{zone} time.", { zone })
            : t("Leave blank to use the current time ({zone}).", { zone })
        }
      />
    </FoldedFields>
  );
}

const costs = ["labor_cost", "parts_cost", "other_cost"] as const;

export function CostFields({ currency }: { currency: string }): VNode {
  return (
    <FoldedFields title={t("Costs in {currency}", { currency })} names={costs}>
      <div class="field-row costs">
        {costs.map((name) => (
          <TaskControl key={name} name={name} />
        ))}
      </div>
    </FoldedFields>
  );
}
