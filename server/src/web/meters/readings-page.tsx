import { AssetFormPage } from "../assets/forms/asset-form.js";
import { toTabAddress } from "../assets/asset-head.js";
import { toAddressOf } from "../assets/forms/open-asset.js";
import { formRoute } from "../forms/form-route.js";
import { seeOther } from "../forms/form-reply.js";
import { ActionLink } from "../layout/page-head.js";
import { EmptyState } from "../layout/notices.js";
import { withWarnings } from "../text/warnings-for-people.js";
import { openMeters, toMetersAddress } from "./open-meters.js";
import { checkReadings, readingFields, ReadingsForm, recordGiven } from "./reading-fields.js";
import { t } from "../../language/translate.js";

/** `/assets/:id/readings`: records readings of all meters of an asset, from the asset's page. */
export const readingsForm = formRoute({
  path: "/assets/:id/readings",
  open: openMeters,
  fields: ({ subject: { meters } }) => readingFields(meters),
  check: ({ subject: { meters }, given, errors }) => checkReadings(meters, given, errors),
  change: (tx, { caller, subject: { asset, meters }, given }) =>
    recordGiven(tx, caller, { assetId: asset.id, meters, given }),
  done: ({ warnings }, { subject: { asset } }) =>
    seeOther(
      toTabAddress(asset, "readings"),
      withWarnings(
        t("Recorded for {name}.", { name: asset.name }),
        warnings.filter(({ key }) => key !== "values_are_so"),
      ),
    ),
  page: ({ subject: { asset, meters, mayChange } }) => (
    <AssetFormPage asset={asset} title={t("Record readings")}>
      {meters.length === 0 || !mayChange ? (
        <EmptyState title={meters.length === 0 ? t("No meters yet") : t("View only")}>
          {mayChange ? (
            <ActionLink href={`${toMetersAddress(asset)}/new`}>{t("Add a meter")}</ActionLink>
          ) : (
            <p>{t("Members of its workspace can record readings.")}</p>
          )}
        </EmptyState>
      ) : (
        <div class="panel">
          <ReadingsForm
            action={`${toAddressOf(asset)}/readings`}
            meters={meters}
            cancel={toAddressOf(asset)}
          />
        </div>
      )}
    </AssetFormPage>
  ),
});
