import { AssetFormPage } from "../assets/forms/asset-form.js";
import { toTabAddress } from "../assets/asset-head.js";
import { toAddressOf } from "../assets/forms/open-asset.js";
import { ActionLink } from "../layout/page-head.js";
import { EmptyState } from "../layout/notices.js";
import { openMeters, toMetersAddress } from "./open-meters.js";
import { ReadingsForm, readingsRoute } from "./reading-fields.js";
import { t } from "../../language/translate.js";

/** `/assets/:id/readings`: records readings of all meters of an asset, from the asset's page. */
export const readingsForm = readingsRoute({
  path: "/assets/:id/readings",
  open: openMeters,
  named: ({ asset }) => [toTabAddress(asset, "readings"), asset.name],
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
