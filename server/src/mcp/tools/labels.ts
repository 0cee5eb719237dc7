import { z } from "zod";
import { createLabels } from "../../domain/labels/asset-labels.js";
import { defaultLabelFields, imageFormats, labelFields } from "../../domain/labels/label-links.js";
import { labelTemplateNames } from "../../domain/labels/templates.js";
import { defineTool, readOnly } from "../define-tool.js";
import { output, text } from "../parameter-schemas.js";
import { viewUris } from "../views/views.js";
import { showImages, showSheet } from "./label-blocks.js";

const reasons = {
  missing: "not found, or in a workspace you can't see",
  deleted: "deleted; restore it with update_asset_state first",
};

export const generateAssetQrCodesTool = defineTool({
  name: "generate_asset_qr_codes",
  title: "Generate QR codes for assets",
  description:
    "Create QR codes or a printable label sheet for 1-100 assets. Scanning a code opens the asset's page. Returns links for the person that work for 1 hour.",
  scope: "mcp_read",
  annotations: readOnly,
  view: viewUris.labelSheet,
  input: z.strictObject({
    asset_ids: z
      .array(text({ max: 64 }))
      .min(1)
      .max(100)
      .describe("Asset ids or inventory numbers, in print order."),
    format: z
      .enum([...imageFormats, "pdf_sheet"])
      .default("png")
      .describe("png, svg: one image per asset. pdf_sheet: pages of labels to print."),
    // Defaults are only documented: filled in, they would count as given where they aren't allowed.
    label_template: z
      .enum(labelTemplateNames)
      .optional()
      .meta({ default: "avery_l7160" })
      .describe("Only for pdf_sheet."),
    skip_labels: z
      .int()
      .min(0)
      .max(99)
      .optional()
      .meta({ default: 0 })
      .describe("Only for pdf_sheet: labels already used on the first sheet."),
    label_fields: z
      .array(z.enum(labelFields))
      .max(4)
      .optional()
      .describe("Only for pdf_sheet: lines of text; default name and inventory_number."),
  }),
  commaSeparated: ["asset_ids"],
  output: output({
    codes: z
      .array(
        z.object({
          asset_id: z.string(),
          inventory_number: z.string(),
          name: z.string(),
          encoded_url: z.string(),
          image_url: z.string().optional(),
        }),
      )
      .optional(),
    sheet: z
      .object({
        url: z.string(),
        pages: z.int(),
        labels: z.int(),
        template: z.string(),
      })
      .partial()
      .optional(),
    expires_at: z.string(),
    skipped: z.array(z.object({ asset: z.string(), reason: z.string() }).partial()).optional(),
  }),
  handler: async (request, { db, caller, labelLinks }) => {
    const { skipped, ...made } = await createLabels(db, caller, request, labelLinks);
    return {
      ...made,
      skipped: skipped.map(({ asset, reason }) => ({ asset, reason: reasons[reason] })),
    };
  },
  content: ({ codes, sheet }, { format, label_fields = defaultLabelFields }) =>
    format === "pdf_sheet"
      ? showSheet(sheet?.url ?? "", codes ?? [], label_fields)
      : showImages(codes ?? [], format),
});
