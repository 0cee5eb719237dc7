import { parentPort } from "node:worker_threads";
import { toLabelLines, type LabelAsset } from "./label-assets.js";
import type { SheetDrawing } from "./label-links.js";
import { toEncodedUrl } from "./qr-codes.js";
import { drawRecord, type PrintedRecord } from "./record-pdf.js";
import { drawSheet } from "./sheet.js";
import { labelTemplates } from "./templates.js";

/** Labels, or a record of work. */
export type SheetOrder = LabelOrder | { record: PrintedRecord };

interface LabelOrder {
  baseUrl: string;
  organization: string;
  assets: readonly LabelAsset[];
  drawing: SheetDrawing;
}

export type SheetMessage = { id: number } & (
  { kind: "drawn"; pdf: Uint8Array } | { kind: "failed"; error: unknown }
);

async function draw(order: SheetOrder): Promise<Uint8Array> {
  return "record" in order ? drawRecord(order.record) : drawLabels(order);
}

function drawLabels({
  baseUrl,
  organization,
  assets,
  drawing: { template, skip, fields },
}: LabelOrder): Promise<Uint8Array> {
  return drawSheet({
    title: `Labels, ${organization}`,
    template: labelTemplates[template],
    skip,
    labels: assets.map((asset) => ({
      encodedUrl: toEncodedUrl(baseUrl, asset.qr_token),
      lines: toLabelLines(asset, fields),
    })),
  });
}

function tell(message: SheetMessage): void {
  parentPort?.postMessage(message);
}

parentPort?.on("message", ({ id, order }: { id: number; order: SheetOrder }) => {
  draw(order).then(
    (pdf) => {
      tell({ id, kind: "drawn", pdf });
    },
    (error: unknown) => {
      tell({ id, kind: "failed", error });
    },
  );
});
