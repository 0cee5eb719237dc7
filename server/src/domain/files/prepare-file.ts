import { createReadStream } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import type { PhotoMoment } from "../../db/entities/files.js";
import { AppError } from "../../errors.js";
import { pieceBytes, type FileContent } from "./file-contents.js";
import { findType, isPicture, toFileName, type Named } from "./file-types.js";
import type { Picture } from "./picture.js";
import { readPicture, type Uploader } from "./pictures.js";

export interface GivenFile {
  field: string;
  /** The sender's name for the file. */
  name: string;
  /**
   * Temporary file, kept until the request is over. After preparation it holds the content to
   * store.
   */
  path: string;
  /** The upload exceeded the limit, so the temporary file is incomplete. */
  isTooLarge: boolean;
  moment?: PhotoMoment | undefined;
}

/** A file ready for storage. Its content stays on disk, because many are prepared at once. */
export interface PreparedFile {
  field: string;
  name: string;
  type: string;
  size: number;
  content: FileContent;
  picture?: Omit<Picture, "content">;
  /** Pictures only. */
  moment?: PhotoMoment | undefined;
}

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
  return { ...kept, size: upright.length, picture, moment: given.moment };
}

async function inspect(path: string, file: Named): Promise<{ type: string; size: number }> {
  const content = await readFile(path);
  if (content.length === 0) throw new AppError("validation_failed", "file_empty", { ...file });
  return { type: await findType(content, file), size: content.length };
}
