import type { VNode } from "preact";
import type { FoundMeter } from "../../domain/meters/meters.js";
import { formatUsage } from "../../domain/shared/usage.js";
import type { AssetView } from "../assets/asset-view.js";
import { Moment } from "../layout/moment.js";
import { toMetersAddress } from "./open-meters.js";
import { ReadingsForm } from "./reading-fields.js";
import { t, tRich } from "../../language/translate.js";

type View = Pick<AssetView, "asset" | "meters" | "may">;

/** The current readings of an asset's meters, and the form for new ones. */
export function MetersSection({ view }: { view: View }): VNode {
  const { asset, meters, may } = view;
  const mayChange = may.change && asset.state !== "deleted";
  return (
    <section aria-labelledby="meters">
      <h2 id="meters">{t("Meters")}</h2>
      {meters.length === 0 ? (
        <p class="soft">{t("No meters yet")}</p>
      ) : (
        <ul class="things meters">
          {meters.map((meter) => (
            <MeterRow key={meter.id} meter={meter} view={view} />
          ))}
        </ul>
      )}
      {mayChange && meters.length > 0 && (
        <details class="record-readings no-print" open>
          <summary class="button quiet">
            {meters.length === 1 ? t("Record a reading") : t("Record readings")}
          </summary>
          <ReadingsForm action={`/assets/${asset.id}/readings`} meters={meters} quiet />
        </details>
      )}
      {mayChange && (
        <p class="add-details no-print">
          <a href={`${toMetersAddress(asset)}/new`}>{t("Add a meter")}</a>
        </p>
      )}
    </section>
  );
}

function MeterRow({ meter, view }: { meter: FoundMeter; view: View }): VNode {
  const { id, name, unit, value, read_at: at, usage_30d: month } = meter;
  return (
    <li>
      <a class="thing" href={`${toMetersAddress(view.asset)}/${id}`} dir="auto">
        {name}
      </a>
      <span class="open-task">
        {value === null ? (
          <span class="soft">{t("Not read yet")}</span>
        ) : (
          <span>{formatUsage(value, unit)}</span>
        )}
        {at !== null && (
          <span class="soft">
            {tRich("read {when}", {
              when: <Moment at={at} inline />,
            })}
          </span>
        )}
        {month !== null && (
          <span class="soft">
            {t("{usage} in the last 30 days", { usage: formatUsage(month, unit) })}
          </span>
        )}
      </span>
    </li>
  );
}

/** After a scan, next to the question if the person sees the asset. */
export function ScannedReadings({ view }: { view: View }): VNode {
  const { asset, meters } = view;
  return (
    <section class="panel scanned-readings" aria-labelledby="record-readings">
      <h2 id="record-readings">{t("What does it show?")}</h2>
      <ReadingsForm action={`/assets/${asset.id}/readings`} meters={meters} quiet />
    </section>
  );
}
