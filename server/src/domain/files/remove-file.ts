import { IsNull, type Tx } from "../../db/database.js";
import { StoredFile } from "../../db/entities/files.js";
import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import { countAmount } from "../../traffic/write-quota.js";
import { lockSubject, recordFiles, type FileSubject } from "./file-subjects.js";
import { findFile, type FoundFile } from "./find-files.js";

/** Returns a file's owner. A file from a report belongs to the work that resulted from it. */
export function subjectOf({ asset_id, task_id }: FoundFile): FileSubject {
  if (task_id !== null) return { kind: "task", reference: task_id };
  return { kind: "asset", reference: asset_id ?? "" };
}

/** Deletes a file permanently. The history records that it existed. */
export async function removeFile(tx: Tx, caller: Caller, id: string): Promise<FoundFile> {
  const file = await findFile(tx, caller, id);
  const subject = await lockSubject(tx, caller, subjectOf(file), "delete photos and files");
  const { organizationId: organization_id } = caller;
  // Skips a file that moved while its owner's lock was awaited. It may be out of sight.
  const { asset_id, task_id } = file;
  const owner = { asset_id: asset_id ?? IsNull(), task_id: task_id ?? IsNull() };
  const where = { organization_id, id, ...owner };
  const affected = await tx.delete(StoredFile, where);
  if (affected === 0) throw new AppError("not_found", "file_not_found");
  // The file takes space until the database or file storage reclaims it.
  countAmount(caller, file.size);
  await recordFiles(tx, caller, subject, { from: [file.name] });
  return file;
}
