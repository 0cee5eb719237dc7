import { readFile } from "node:fs/promises";
import { AppError } from "../../errors.js";
import { findType, isPicture, toFileName } from "./file-types.js";
import { readPicture, type Picture } from "./pictures.js";

/** A file as a form brought it. */
export interface GivenFile {
  field: string;
  /** As the sender calls it. */
  name: string;
  /** Where it lies until the request is over. */
  path: string;
  /** More came than may be kept; what lies there is not all of it. */
  isTooLarge: boolean;
}

/** A file as it is kept. */
export interface PreparedFile {
  field: string;
  name: string;
  type: string;
  content: Buffer;
  picture?: Omit<Picture, "content">;
}

/** Finds out what a file of somebody's is and makes of it what is kept; refuses what is not. */
export async function prepareFile(
  given: GivenFile,
  maxMegabytes: number,
  uploader: string,
): Promise<PreparedFile> {
  const { field, path } = given;
  const name = Array.from(given.name).slice(0, 100).join("");
  if (given.isTooLarge) {
    const details = { field, name, max_mb: maxMegabytes };
    throw new AppError("validation_failed", "upload_too_large", details);
  }
  const content = await readFile(path);
  if (content.length === 0) throw new AppError("validation_failed", "file_empty", { field, name });
  const type = await findType(content, { field, name });
  const kept = { field, name: toFileName(given.name, type), type };
  if (!isPicture(type)) return { ...kept, content };
  const { content: upright, ...picture } = await readPicture(content, type, {
    field,
    name,
    uploader,
  });
  return { ...kept, content: upright, picture };
}
