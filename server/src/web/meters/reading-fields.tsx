import type { VNode } from "preact";
import { updateAsset } from "../../domain/assets/asset-updates.js";
import type { FoundMeter } from "../../domain/meters/meters.js";
import type { GivenReading } from "../../domain/meters/record-readings.js";
import { formatUsage } from "../../domain/shared/usage.js";
import { Checkbox, PostForm, TextInput } from "../forms/controls.js";
import { checkboxField, momentField, numberField, type FormField } from "../forms/form-fields.js";
import { FoldedFields } from "../forms/folded-fields.js";
import { formRoute } from "../forms/form-route.js";
import { seeOther } from "../forms/form-reply.js";
import type { FormRequest, OpenedForm } from "../forms/form-spec.js";
import { describeMoment, describeZone } from "../text/format.js";
import { withWarnings } from "../text/warnings-for-people.js";
import type { OpenedMeters } from "./open-meters.js";
import { t } from "../../language/translate.js";

const toReplaced = (id: string) => `replaced-${id}`;

/** A field per meter, named by the meter's id, and the time of the readings. */
function readingFields(meters: readonly FoundMeter[]): Record<string, FormField<unknown>> {
  const ofMeters = meters.flatMap(({ id, name }): [string, FormField<unknown>][] => [
    [id, numberField(() => name, { decimals: 2 })],
    [toReplaced(id), checkboxField("The meter was replaced")],
  ]);
  return Object.fromEntries([...ofMeters, ["read_at", momentField("Read||when a meter was")]]);
}

type Given = Readonly<Partial<Record<string, unknown>>>;

function readGiven(meters: readonly FoundMeter[], given: Given): GivenReading[] {
  const readAt = given["read_at"] as Date | undefined;
  return meters.flatMap(({ id }) => {
    const value = given[id];
    const isReplaced = given[toReplaced(id)] === true;
    return typeof value === "number" ? [{ meter: id, value, isReplaced, readAt }] : [];
  });
}

/** A form route that records readings of the opened meters. */
export function readingsRoute<Opened extends OpenedMeters>({
  named,
  ...route
}: ReadingsRoute<Opened>) {
  return formRoute({
    ...route,
    fields: ({ subject }) => readingFields(subject.meters),
    // An empty form gets its error at the first meter.
    check: ({ subject: { meters }, given, errors }) => {
      const [first] = meters;
      if (first === undefined || errors.length > 0 || readGiven(meters, given).length > 0)
        return [];
      return [{ field: first.id, message: t("Enter the reading.") }];
    },
    change: (tx, { caller, subject: { asset, meters }, given }) =>
      updateAsset(tx, caller, asset.id, { meter_readings: readGiven(meters, given) }),
    done: ({ warnings }, { subject }) => {
      const [address, name] = named(subject);
      const told = warnings.filter(({ key }) => key !== "values_are_so");
      return seeOther(address, withWarnings(t("Recorded for {name}.", { name }), told));
    },
  });
}

interface ReadingsRoute<Opened> {
  path: string;
  open: (form: FormRequest) => Promise<Opened>;
  /** Where to return, and whose readings were recorded. */
  named: (opened: Opened) => [address: string, name: string];
  page: (view: OpenedForm<Opened>) => VNode | Promise<VNode>;
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
