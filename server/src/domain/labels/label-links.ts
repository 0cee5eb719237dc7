import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { AppError } from "../../errors.js";
import { bitsOf, idOfBits } from "../shared/ids.js";
import { labelTemplateNames, type LabelTemplateName } from "./templates.js";

export const labelFields = [
  "name",
  "inventory_number",
  "workspace",
  "location",
  "serial_number",
  "organization",
] as const;

export type LabelField = (typeof labelFields)[number];

export const defaultLabelFields: readonly LabelField[] = ["name", "inventory_number"];

export const imageFormats = ["svg", "png"] as const;

export type ImageFormat = (typeof imageFormats)[number];

export const labelSubjects = ["asset", "place"] as const;
export type LabelSubject = (typeof labelSubjects)[number];

/** Contents of a link: everything needed to draw the labels. The server stores nothing. */
export interface LabelLink {
  organizationId: string;
  madeBy: string;
  of: LabelSubject;
  /** Exactly one for an image. */
  ids: string[];
  expiresAt: Date;
  drawing: { format: ImageFormat } | SheetDrawing;
}

export interface SheetDrawing {
  format: "pdf_sheet";
  template: LabelTemplateName;
  skip: number;
  fields: LabelField[];
}

export interface LabelLinkSigner {
  /** Returns the last segment of the URL. */
  write: (link: LabelLink) => string;
  /** Throws if the token has an invalid signature or has expired. */
  read: (token: string, now: Date) => LabelLink;
}

const macLength = 16;
const idLength = 8;
const maxFields = 4;
const formats = [...imageFormats, "pdf_sheet"] as const;
const headLength = 2 + 4 + 2 * idLength;
const sheetLength = 2 + maxFields;

/** Signs with the newest key and verifies with any key. */
export function createLabelLinkSigner(secretKeys: readonly string[]): LabelLinkSigner {
  const keys = secretKeys.map((key) =>
    Buffer.from(hkdfSync("sha256", key, "", "fettle label link", 32)),
  );
  const newest = keys[0];
  if (newest === undefined) throw new Error("Label links need at least one secret key.");
  return {
    write(link) {
      const payload = pack(link);
      return Buffer.concat([sign(newest, payload), payload]).toString("base64url");
    },
    read(token, now) {
      const bytes = Buffer.from(token, "base64url");
      const mac = bytes.subarray(0, macLength);
      const payload = bytes.subarray(macLength);
      const genuine =
        mac.length === macLength &&
        // Base64url decoding accepts several spellings of one token.
        bytes.toString("base64url") === token &&
        keys.some((key) => timingSafeEqual(sign(key, payload), mac));
      if (!genuine) throw unknownLink();
      const link = unpack(payload);
      if (link.expiresAt <= now) throw expiredLink();
      return link;
    },
  };
}

export function unknownLink(): AppError {
  return new AppError("not_found", "no_labels");
}

function expiredLink(): AppError {
  return new AppError("expired", "label_link_expired");
}

function sign(key: Buffer, payload: Buffer): Buffer {
  return createHmac("sha256", key).update(payload).digest().subarray(0, macLength);
}

/**
 * Format, kind of the ids, expiry, organization, maker. For sheets: template, skip and fields. Then
 * eight bytes per id.
 */
function pack({ organizationId, madeBy, of, ids, expiresAt, drawing }: LabelLink): Buffer {
  const head = Buffer.alloc(headLength);
  head[0] = formats.indexOf(drawing.format);
  head[1] = labelSubjects.indexOf(of);
  head.writeUInt32BE(Math.floor(expiresAt.getTime() / 1000), 2);
  head.writeBigUInt64BE(bitsOf(organizationId), 6);
  head.writeBigUInt64BE(bitsOf(madeBy), 6 + idLength);
  const subjects = Buffer.alloc(ids.length * idLength);
  for (const [index, id] of ids.entries()) {
    subjects.writeBigUInt64BE(bitsOf(id), index * idLength);
  }
  return Buffer.concat([head, packSheet(drawing), subjects]);
}

function packSheet(drawing: LabelLink["drawing"]): Buffer {
  if (drawing.format !== "pdf_sheet") return Buffer.alloc(0);
  const { template, skip, fields } = drawing;
  const sheet = Buffer.alloc(sheetLength);
  sheet[0] = labelTemplateNames.indexOf(template);
  sheet[1] = skip;
  // Zero means no field.
  for (const [index, field] of fields.entries()) sheet[2 + index] = labelFields.indexOf(field) + 1;
  return sheet;
}

/** Takes only verified payloads, so it doesn't check the shape. */
function unpack(payload: Buffer): LabelLink {
  const format = formats[payload[0] ?? 0] ?? "png";
  const isSheet = format === "pdf_sheet";
  const of = labelSubjects[payload[1] ?? 0] ?? "asset";
  const ids: string[] = [];
  const start = headLength + (isSheet ? sheetLength : 0);
  for (let at = start; at < payload.length; at += idLength) {
    ids.push(idOfBits(of, payload.readBigUInt64BE(at)));
  }
  return {
    organizationId: idOfBits("organization", payload.readBigUInt64BE(6)),
    madeBy: idOfBits("user", payload.readBigUInt64BE(6 + idLength)),
    of,
    ids,
    expiresAt: new Date(payload.readUInt32BE(2) * 1000),
    drawing: isSheet ? unpackSheet(payload.subarray(headLength)) : { format },
  };
}

function unpackSheet([template = 0, skip = 0, ...rest]: Buffer): SheetDrawing {
  return {
    format: "pdf_sheet",
    template: labelTemplateNames[template] ?? "avery_l7160",
    skip,
    fields: rest.slice(0, maxFields).flatMap((place) => labelFields[place - 1] ?? []),
  };
}
