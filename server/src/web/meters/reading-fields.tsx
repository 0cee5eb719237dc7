import type { VNode } from "preact";
import type { Tx } from "../../db/database.js";
import type { Caller } from "../../domain/access/caller.js";
import { updateAsset } from "../../domain/assets/asset-updates.js";
import type { FoundMeter } from "../../domain/meters/meters.js";
import { formatUsage } from "../../domain/shared/usage.js";
import { Checkbox, PostForm, TextInput } from "../forms/controls.js";
import { checkboxField, momentField, numberField, type FormField } from "../forms/form-fields.js";
import { FoldedFields } from "../forms/folded-fields.js";
import type { FormError } from "../layout/error-summary.js";
import { describeMoment, describeZone } from "../text/format.js";
import { t } from "../../language/translate.js";

const toReplaced = (id: string) => `replaced-${id}`;

/** A field per meter, named by the meter's id, and the time of the readings. */
export function readingFields(meters: readonly FoundMeter[]): Record<string, FormField<unknown>> {
  const ofMeters = meters.flatMap(({ id, name }): [string, FormField<unknown>][] => [
    [id, numberField(() => name, { decimals: 2 })],
    [toReplaced(id), checkboxField("The meter was replaced")],
  ]);
  return Object.fromEntries([...ofMeters, ["read_at", momentField("Read||when a meter was")]]);
}

type Given = Readonly<Partial<Record<string, unknown>>>;

/** An empty form gets its error at the first meter. */
export function checkReadings(
  meters: readonly FoundMeter[],
  given: Given,
  wrong: readonly FormError[],
): FormError[] {
  const isGiven = meters.some(({ id }) => given[id] !== undefined);
  const [first] = meters;
  if (isGiven || wrong.length > 0 || first === undefined) return [];
  return [{ field: first.id, message: t("Enter the reading.") }];
}

export function recordGiven(
  tx: Tx,
  caller: Caller,
  { assetId, meters, given }: { assetId: string; meters: readonly FoundMeter[]; given: Given },
) {
  const readAt = given["read_at"] as Date | undefined;
  const readings = meters.flatMap(({ id }) => {
    const value = given[id];
    const isReplaced = given[toReplaced(id)] === true;
    return typeof value === "number" ? [{ meter: id, value, isReplaced, readAt }] : [];
  });
  return updateAsset(tx, caller, assetId, { meter_readings: readings });
}

/** The form for readings on the asset's page, after a scan, and on the meter's page. */
export function ReadingsForm({
  action,
  meters,
  cancel,
  quiet = false,
}: {
  action: string;
  meters: readonly FoundMeter[];
  cancel?: string;
  /** True if the page has a more important action. */
  quiet?: boolean;
}): VNode {
  return (
    <PostForm action={action} class="folding-form readings-form">
      {meters.map((meter) => (
        <TextInput
          key={meter.id}
          name={meter.id}
          label={`${meter.name} (${meter.unit})`}
          inputMode="decimal"
          help={describeLast(meter)}
          required={meters.length === 1}
        />
      ))}
      <SeldomFields meters={meters} />
      <div class="actions">
        <button type="submit" class={quiet ? "quiet" : undefined}>
          {meters.length === 1 ? t("Record reading") : t("Record readings")}
        </button>
        {cancel !== undefined && (
          <a class="button quiet" href={cancel}>
            {t("Cancel")}
          </a>
        )}
      </div>
    </PostForm>
  );
}

function SeldomFields({ meters }: { meters: readonly FoundMeter[] }) {
  const read = meters.filter(({ value }) => value !== null);
  return (
    <FoldedFields
      title={read.length === 0 ? t("Earlier reading") : t("Earlier reading or new meter")}
      names={["read_at", ...read.map(({ id }) => toReplaced(id))]}
    >
      <TextInput
        name="read_at"
        label={t("Reading time")}
        type="datetime-local"
        help={t("Leave blank to use the current time ({zone}).", {
          zone: describeZone(),
        })}
      />
      {read.map(({ id, name }) => (
        <Checkbox
          key={id}
          name={toReplaced(id)}
          label={t("{name}: the meter was replaced", { name })}
        />
      ))}
    </FoldedFields>
  );
}

function describeLast({ value, unit, read_at: at }: FoundMeter): string {
  if (value === null || at === null) return t("Not read yet.");
  return t("Last {usage}, {when}.", {
    usage: formatUsage(value, unit),
    when: lowerFirst(describeMoment(at)),
  });
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
