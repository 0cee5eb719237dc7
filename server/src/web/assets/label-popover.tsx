import type { VNode } from "preact";
import { InventoryNumber } from "../layout/facts.js";
import { Popover } from "../layout/popover.js";
import type { AssetView } from "./asset-view.js";
import { t } from "../../language/translate.js";

/** The label to print, behind a button. */
export function LabelPopover({ view: { asset, label } }: { view: AssetView }): VNode | null {
  if (label === undefined) return null;
  const { inventory_number: number } = asset;
  return (
    <Popover class="label-card" label={t("Label||printed")}>
      <h2 id="label">{t("Label||printed")}</h2>
      <div class="label-code">
        <img src={label.svg} alt={t("QR code of {number}", { number })} width="148" height="148" />
        <p>
          <InventoryNumber>{number}</InventoryNumber>
          <span class="label-address">{label.encodedUrl}</span>
        </p>
      </div>
      {new URL(label.encodedUrl).hostname === "localhost" && (
        <p class="no-print">
          {t(
            "Don't print yet: phones can't reach this server. Ask the server's administrator to set BASE_URL.",
          )}
        </p>
      )}
      <ul class="label-ways no-print">
        <li>
          <a href={label.pdf} target="_blank">
            {t("Print this label")}
          </a>
        </li>
        <li>
          <a href={label.png} download>
            {t("Download as PNG")}
          </a>
        </li>
        <li>
          <a href={label.svg} download>
            {t("Download as SVG")}
          </a>
        </li>
      </ul>
    </Popover>
  );
}
