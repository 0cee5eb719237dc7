import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { Database, Tx } from "../../db/database.js";
import { FileObject, StoredFile } from "../../db/entities/files.js";
import { AppError, isRefusal } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import { createOnce } from "../history/idempotency.js";
import { commit, dryRun } from "../history/transactions.js";
import { findLimitHome } from "../../traffic/quota-organizations.js";
import { lockQuota } from "../../db/locks.js";
import { createId } from "../shared/ids.js";
import { pieceBytes, storageOf, toObjectKey, writePieces } from "./file-contents.js";
import { removeUnused } from "./file-objects.js";
import { findSubject, lockSubject, recordFiles, type FileSubject } from "./file-subjects.js";
import type { ObjectStore } from "./object-store.js";
import type { Uploader } from "./pictures.js";
import { prepareFile, type GivenFile, type PreparedFile } from "./prepare-file.js";

export interface StorageQuota {
  /** Undefined means the database. */
  objects: ObjectStore | undefined;
  /** Per file. */
  maxMegabytes: number;
  /** For all files of an organization. */
  organizationMegabytes: number;
}

const mebibyte = 1_048_576;
/**
 * Share of an organization's storage for people without an account, until someone takes over their
 * files.
 */
const shareOfStrangers = 0.1;
/**
 * Below this free space, forms store files one after another, so their total stays within the
 * limit.
 */
const nearlyFull = 256 * mebibyte;
/** Per asset or task. */
export const maxOfRecord = 100;
/** Per form. */
export const maxSent = 10;

/** A prepared file with its id. With object storage, its content is already stored. */
export interface PlacedFile extends PreparedFile {
  id: string;
}

/**
 * Reads files and stores their contents before the transaction, because reading takes long and an
 * object can't be rolled back. Pass the result to `storePlaced`.
 */
export async function placeFiles(
  db: Database,
  { organizationId, userId }: Uploader,
  room: StorageQuota,
  given: readonly GivenFile[],
  max = maxSent,
): Promise<PlacedFile[]> {
  if (given.length > max) {
    const field = given[0]?.field ?? "photo";
    throw new AppError("validation_failed", "too_many_sent", { field, max });
  }
  if (given.length === 0) return [];
  const uploader = { organizationId: await findLimitHome(db, organizationId), userId };
  const placed: PlacedFile[] = [];
  for (const one of given) {
    const prepared = await prepareFile(one, room.maxMegabytes, uploader);
    placed.push({ ...prepared, id: createId("file") });
  }
  const { objects } = room;
  if (objects === undefined) return placed;
  for (const { id, content, type } of placed) {
    const key = toObjectKey({ organization_id: organizationId, id });
    await commit({ db, caller: null }, (tx) => tx.insert(FileObject, { key }));
    await objects.put(key, await buffer(Readable.from(content())), type);
  }
  return placed;
}

/**
 * Stores placed files. Unused objects are removed at once, because repeated refused or duplicate
 * uploads would fill the storage. If the outcome is unknown, housekeeping removes them.
 */
export async function storePlaced<Result>(
  db: Database,
  { organizationId }: Pick<Uploader, "organizationId">,
  { objects }: StorageQuota,
  placed: readonly PlacedFile[],
  store: () => Promise<Result>,
): Promise<Result> {
  let isKnown = true;
  try {
    return await store();
  } catch (error) {
    isKnown = !isRefusal(error, "outcome_unknown");
    throw error;
  } finally {
    if (objects !== undefined && isKnown) {
      const ids = placed.map(({ id }) => id);
      await removeUnused(db, objects, organizationId, ids).catch(() => undefined);
    }
  }
}

const action = "add photos and files";

/** Adds files to an asset or a task, once per key. Returns their ids in the given order. */
export async function addFiles(
  db: Database,
  caller: Caller,
  room: StorageQuota,
  { requestKey, ...subject }: FileSubject & { requestKey: string },
  given: readonly GivenFile[],
): Promise<{ added: number; ids: string[] }> {
  if (given.length === 0) {
    throw new AppError("validation_failed", "no_file", { field: "photo" });
  }
  await dryRun(db, (tx) => findSubject(tx, caller, subject, action));
  const placed = await placeFiles(db, caller, room, given);
  const names = placed.map(({ name }) => name);
  // Phones give every new photo the same name.
  const sent = placed.map(({ name, size, moment = null }) => [name, size, moment]);
  const intended = { tool: "web:files", requestKey, arguments: { ...subject, sent } };
  const store = (tx: Tx) =>
    createOnce(tx, caller, intended, async () => {
      const locked = await lockSubject(tx, caller, subject, action);
      const { kind, id } = locked;
      await storeFiles(tx, caller, room, { [`${kind}_id`]: id }, placed);
      await recordFiles(tx, caller, locked, { to: names });
      return { added: placed.length, ids: placed.map(({ id }) => id) };
    });
  return storePlaced(db, caller, room, placed, () => commit({ db, caller }, store));
}

export type FileOwner = Partial<
  Record<"asset_id" | "task_id" | "report_id" | "comment_id", string>
>;

/** Inserts the rows of placed files. Their owner must be locked. */
export async function storeFiles(
  tx: Tx,
  uploader: Uploader,
  room: StorageQuota,
  owner: FileOwner,
  placed: readonly PlacedFile[],
): Promise<void> {
  await requireRoom(tx, uploader, room, owner, placed);
  const { organizationId: organization_id, taskLinkId } = uploader;
  const storage = storageOf(room.objects);
  for (const { id, name, type, size, content, picture, moment } of placed) {
    await tx.insert(StoredFile, {
      organization_id,
      id,
      ...owner,
      name,
      type,
      size,
      width: picture?.width ?? null,
      height: picture?.height ?? null,
      thumbnail: picture?.thumbnail ?? null,
      moment: moment ?? null,
      storage,
      created_by: taskLinkId === undefined ? uploader.userId : null,
      task_link_id: taskLinkId ?? null,
    });
    if (storage === "database") await writePieces(tx, { organization_id, id }, content);
  }
}

async function requireRoom(
  tx: Tx,
  uploader: Uploader,
  room: StorageQuota,
  owner: FileOwner,
  placed: readonly PlacedFile[],
): Promise<void> {
  const field = placed[0]?.field ?? "photo";
  const most = room.organizationMegabytes * mebibyte;
  let use = await readUse(tx, uploader, owner);
  if (use.bytes > most - nearlyFull) {
    await lockQuota(tx, uploader.organizationId);
    use = await readUse(tx, uploader, owner);
  }
  const { of_record, bytes, of_strangers } = use;
  if (of_record + placed.length > maxOfRecord) {
    throw new AppError("validation_failed", "files_of_record_full", { field, max: maxOfRecord });
  }
  const added = placed.reduce((sum, { size }) => sum + Math.max(size, pieceBytes), 0);
  if (uploader.userId === null && of_strangers + added > most * shareOfStrangers) {
    throw new AppError("conflict", "too_many_reports");
  }
  if (bytes + added > most) {
    const max_mb = room.organizationMegabytes;
    throw new AppError("validation_failed", "files_full", { field, max_mb });
  }
}

/**
 * Returns the record's number of files and the bytes of the organization's files and of files from
 * people without an account. Each file counts as at least one piece, which also limits many small
 * files.
 */
async function readUse(
  tx: Tx,
  { organizationId }: Uploader,
  owner: FileOwner,
): Promise<{ of_record: number; bytes: number; of_strangers: number }> {
  const { asset_id = null, task_id = null, report_id = null } = owner;
  const use = await tx.maybe<{ of_record: number; bytes: number; of_strangers: number }>(
    `SELECT (SELECT count(*)::int FROM files
         WHERE organization_id = $1 AND (task_id = $3
           OR asset_id = $2 AND report_id IS NOT DISTINCT FROM $4)) AS of_record,
       (SELECT coalesce(sum(greatest(size, ${pieceBytes})), 0)::float8 FROM files
         WHERE organization_id = $1) AS bytes,
       (SELECT coalesce(sum(greatest(size, ${pieceBytes})), 0)::float8 FROM files
         WHERE organization_id = $1 AND created_by IS NULL AND task_id IS NULL) AS of_strangers`,
    [organizationId, asset_id, task_id, report_id],
  );
  return use ?? { of_record: 0, bytes: 0, of_strangers: 0 };
}
