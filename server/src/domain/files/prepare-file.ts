import { createReadStream } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { AppError } from "../../errors.js";
import { pieceBytes, type FileContent } from "./file-contents.js";
import { findType, isPicture, toFileName, type Named } from "./file-types.js";
import type { Picture } from "./picture.js";
import { readPicture, type Uploader } from "./pictures.js";

/** A file as a form brought it. */
export interface GivenFile {
  field: string;
  /** As the sender calls it. */
  name: string;
  /** Where it lies until the request is over, and what is kept of it from when it is prepared. */
  path: string;
  /** More came than may be kept; what lies there is not all of it. */
  isTooLarge: boolean;
}

/** A file as it is kept; what is in it stays on the disk, as many are prepared at once. */
export interface PreparedFile {
  field: string;
  name: string;
  type: string;
  size: number;
  content: FileContent;
  picture?: Omit<Picture, "content">;
}

/** Finds out what a file of somebody's is and makes of it what is kept; refuses what is not. */
export async function prepareFile(
  given: GivenFile,
  maxMegabytes: number,
  uploader: Uploader,
): Promise<PreparedFile> {
  const { field, path } = given;
  const name = Array.from(given.name).slice(0, 100).join("");
  if (given.isTooLarge) {
    const details = { field, name, max_mb: maxMegabytes };
    throw new AppError("validation_failed", "upload_too_large", details);
  }
  const { type, size } = await inspect(path, { field, name });
  const content = () => createReadStream(path, { highWaterMark: pieceBytes });
  const kept = { field, name: toFileName(given.name, type), type, content };
  if (!isPicture(type)) return { ...kept, size };
  const { content: upright, ...picture } = await readPicture(() => readFile(path), type, {
    field,
    name,
    uploader,
  });
  await writeFile(path, upright);
  return { ...kept, size: upright.length, picture };
}

async function inspect(path: string, file: Named): Promise<{ type: string; size: number }> {
  const content = await readFile(path);
  if (content.length === 0) throw new AppError("validation_failed", "file_empty", { ...file });
  return { type: await findType(content, file), size: content.length };
}
