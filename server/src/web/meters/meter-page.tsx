import type { VNode } from "preact";
import { findReadings, maxShown, type FoundReading } from "../../domain/meters/find-readings.js";
import type { FoundMeter } from "../../domain/meters/meters.js";
import { formatUsage, toCents } from "../../domain/shared/usage.js";
import { toAddressOf } from "../assets/forms/open-asset.js";
import { Facts, InventoryNumber } from "../layout/facts.js";
import { Page } from "../layout/layout.js";
import { Moment } from "../layout/moment.js";
import { EmptyState } from "../layout/notices.js";
import { ActionLink, PageHead } from "../layout/page-head.js";
import { openMeter, toMetersAddress, type OpenedMeters } from "./open-meters.js";
import { ReadingsForm, readingsRoute } from "./reading-fields.js";
import { formatNumber } from "../text/format.js";
import { t } from "../../language/translate.js";
import { PersonName } from "../text/person-name.js";

/** `/assets/:id/meters/:meter`: the readings of one meter, and the form for a new one. */
export const meterPage = readingsRoute({
  path: "/assets/:id/meters/:meter",
  open: openMeter,
  named: ({ asset, meter }) => [`${toMetersAddress(asset)}/${meter.id}`, meter.name],
  page: async ({ db, caller, subject }) => {
    const readings = await findReadings(db, caller, subject.meter.id);
    return <MeterPage {...subject} readings={readings} />;
  },
});

interface MeterView extends OpenedMeters {
  meter: FoundMeter;
  readings: readonly FoundReading[];
}

function MeterPage({ asset, meter, mayChange, readings }: MeterView): VNode {
  const address = `${toMetersAddress(asset)}/${meter.id}`;
  return (
    <Page
      title={t("{meter} of {asset}", { meter: meter.name, asset: asset.name })}
      current={address}
    >
      <PageHead
        title={meter.name}
        crumbs={[
          { href: "/assets", label: t("Assets") },
          { href: toAddressOf(asset), label: asset.name },
        ]}
        facts={<InventoryNumber>{asset.inventory_number}</InventoryNumber>}
        actions={mayChange && <MeterActions address={address} />}
      />
      <MeterFacts meter={meter} />
      {mayChange && (
        <section class="panel record-reading" aria-label={t("Record a reading")}>
          <ReadingsForm action={address} meters={[meter]} />
        </section>
      )}
      <section class="meter-readings" aria-labelledby="readings">
        <h2 id="readings">{t("Readings")}</h2>
        {readings.length === 0 ? (
          <EmptyState title={t("Not read yet")}>
            <p>
              {t("Readings are recorded here, on the asset's page, or after scanning its label.")}
            </p>
          </EmptyState>
        ) : (
          <Readings meter={meter} readings={readings} />
        )}
      </section>
    </Page>
  );
}

function MeterActions({ address }: { address: string }): VNode {
  return (
    <>
      <ActionLink quiet href={`${address}/edit`}>
        {t("Rename")}
      </ActionLink>
      <ActionLink quiet href={`${address}/remove`}>
        {t("Remove")}
      </ActionLink>
    </>
  );
}

function MeterFacts({ meter }: { meter: FoundMeter }): VNode | null {
  const { value, unit, usage_before: before, usage_30d: month } = meter;
  if (value === null) return null;
  const total = before > 0 ? formatUsage(toCents(before + value), unit) : null;
  return (
    <Facts
      facts={[
        [t("Reading"), formatUsage(value, unit)],
        [t("Total, including replaced meters"), total],
        [t("In the last 30 days"), month === null ? null : formatUsage(month, unit)],
      ]}
    />
  );
}

/** Each reading with its difference from the one before. */
function Readings({ meter, readings }: Pick<MeterView, "meter" | "readings">) {
  return (
    <>
      <div class="table-scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">{t("Read||when a meter was")}</th>
              <th scope="col">{t("Reading ({unit})", { unit: meter.unit })}</th>
              <th scope="col">{t("Change||of a reading")}</th>
            </tr>
          </thead>
          <tbody>
            {readings.slice(0, maxShown).map((reading, index) => (
              <tr key={reading.id}>
                <th scope="row">
                  <Moment at={reading.read_at} />
                  <span class="soft">
                    <PersonName name={reading.recorded_by} />
                  </span>
                </th>
                <td>
                  {formatNumber(reading.value)}
                  {reading.replaced && <span class="soft"> {t("new meter")}</span>}
                </td>
                <td>{describeStep(reading, readings[index + 1])}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {readings.length > maxShown && (
        <p class="soft">
          {t("The last {count} readings. Earlier ones are in the asset's history.", {
            count: maxShown,
          })}
        </p>
      )}
    </>
  );
}

function describeStep({ total }: FoundReading, before: FoundReading | undefined): string {
  if (before === undefined) return "";
  const step = toCents(total - before.total);
  return `${step > 0 ? "+" : ""}${formatNumber(step)}`;
}
