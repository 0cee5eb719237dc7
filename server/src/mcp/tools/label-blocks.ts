import type { ContentBlock, ResourceLink } from "@modelcontextprotocol/server";
import type { LabelField } from "../../domain/labels/label-links.js";
import { toPrintable } from "../../domain/labels/printable-text.js";
import { createQrCode, toPng } from "../../domain/labels/qr-codes.js";

interface Code {
  inventory_number: string;
  name: string;
  encoded_url: string;
  image_url?: string | null | undefined;
}

/** Images cost a conversation more than links. */
const maxImages = 3;

const imageTypes = { svg: "image/svg+xml", png: "image/png" };

/** Links to all images, and the images themselves if they are few. */
export function showImages(codes: readonly Code[], format: "svg" | "png"): ContentBlock[] {
  const links = codes.map(({ image_url, inventory_number, name }) =>
    linkTo(image_url ?? "", {
      name: `${inventory_number}.${format}`,
      title: name,
      mimeType: imageTypes[format],
    }),
  );
  const isShown = format === "png" && codes.length <= maxImages;
  return isShown ? [...links, ...codes.map(toImage)] : links;
}

/** A link to the sheet, with a note about names that it omits. */
export function showSheet(
  url: string,
  codes: readonly Code[],
  fields: readonly LabelField[],
): ContentBlock[] {
  const link = linkTo(url, {
    name: "labels.pdf",
    title: "Label sheet, print at 100 %",
    mimeType: "application/pdf",
  });
  const unprintable = codes.filter(({ name }) => toPrintable(name) === undefined).length;
  if (unprintable === 0 || !fields.includes("name")) return [link];
  const text = `${unprintable} of ${codes.length} labels show no name, because the label font lacks its script. Their codes work.`;
  return [{ type: "text", text }, link];
}

function linkTo(
  uri: string,
  rest: Pick<ResourceLink, "name" | "title" | "mimeType">,
): ContentBlock {
  return { type: "resource_link", uri, ...rest };
}

function toImage({ encoded_url }: Code): ContentBlock {
  return {
    type: "image",
    data: toPng(createQrCode(encoded_url)).toString("base64"),
    mimeType: imageTypes.png,
    annotations: { audience: ["user"] },
  };
}
