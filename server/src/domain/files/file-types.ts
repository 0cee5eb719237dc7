import { fileTypeFromBuffer } from "file-type";
import { AppError } from "../../errors.js";
import { toNfc } from "../shared/text.js";

/** A file as received. Its name is only a label. */
export interface Named {
  field: string;
  name: string;
}

export const pictureTypes = ["image/jpeg", "image/png", "image/webp"] as const;
export type PictureType = (typeof pictureTypes)[number];

const openXml = "application/vnd.openxmlformats-officedocument";
const openDocument = "application/vnd.oasis.opendocument";

/** File extensions by stored type. The first is the default. */
const endings: Readonly<Record<string, readonly string[]>> = {
  "image/jpeg": ["jpg", "jpeg"],
  "image/png": ["png"],
  "image/webp": ["webp"],
  "application/pdf": ["pdf"],
  [`${openXml}.wordprocessingml.document`]: ["docx"],
  [`${openXml}.spreadsheetml.sheet`]: ["xlsx"],
  [`${openXml}.presentationml.presentation`]: ["pptx"],
  [`${openDocument}.text`]: ["odt"],
  [`${openDocument}.spreadsheet`]: ["ods"],
  [`${openDocument}.presentation`]: ["odp"],
  "text/csv": ["csv"],
  "text/plain": ["txt", "log", "md"],
};

const heic = new Set(["image/heic", "image/heif", "image/heic-sequence", "image/heif-sequence"]);
const markup = /^(?:\uFEFF|ï»¿)?\s*</;
/** Bytes that never occur in texts of any single-byte encoding, or in UTF-8. */
// eslint-disable-next-line no-control-regex -- It is what this is about.
const noText = /[\0-\x08\x0E-\x1A\x1C-\x1F]/;

/** The form field that accepts only pictures, like the fields of steps, such as "photo-3". */
export const photoField = "photo";

export function isPhotoField(field: string): boolean {
  return field === photoField || field.startsWith(`${photoField}-`);
}

/**
 * Detects the type from the content. Throws for types that aren't stored, and for anything but a
 * picture in a picture field.
 */
export async function findType(content: Buffer, { field, name }: Named): Promise<string> {
  const type = (await fileTypeFromBuffer(content))?.mime ?? "";
  const refuse = (key: "file_of_heic" | "no_picture" | "file_of_markup" | "file_of_other_kind") =>
    new AppError("validation_failed", key, { field, name });
  if (heic.has(type)) throw refuse("file_of_heic");
  if (isPhotoField(field) && !isPicture(type)) throw refuse("no_picture");
  if (endings[type] !== undefined) return type;
  const text = content.toString("latin1");
  if (type === "application/xml" || markup.test(text)) throw refuse("file_of_markup");
  if (type !== "" || noText.test(text)) throw refuse("file_of_other_kind");
  return endingOf(name) === "csv" ? "text/csv" : "text/plain";
}

export function isPicture(type: string): type is PictureType {
  return pictureTypes.some((one) => one === type);
}

/** True for files that browsers display. Everything else is a download. */
export function isViewable(type: string): boolean {
  return isPicture(type) || type === "application/pdf";
}

const maxName = 200;
/**
 * Characters that some system forbids in file names, and characters that are invisible or change
 * direction.
 */
const forbidden = /[\p{C}\p{DI}\p{Zl}\p{Zp}/\\:*?"<>|]+/gu;

/**
 * Returns the name for storage and download: without folders and forbidden characters, and with an
 * extension that matches the type.
 */
export function toFileName(given: string, type: string): string {
  const plain = toNfc(given.slice(0, 4 * maxName))
    .replace(/^.*[/\\]/, "")
    .replace(forbidden, " ")
    .replace(/\s+/g, " ")
    .replace(/^[. ]+|[. ]+$/g, "");
  const [usual = "bin"] = endings[type] ?? [];
  const isSaid = endings[type]?.includes(endingOf(plain)) === true;
  const stem = isSaid ? plain.slice(0, plain.lastIndexOf(".")) : plain;
  const ending = isSaid ? endingOf(plain) : usual;
  const room = maxName - ending.length - 1;
  const letters = Array.from(stem === "" ? "file" : stem);
  return `${letters.slice(0, room).join("").trimEnd()}.${ending}`;
}

function endingOf(name: string): string {
  return /\.([a-z0-9]{1,5})$/i.exec(name)?.[1]?.toLowerCase() ?? "";
}
