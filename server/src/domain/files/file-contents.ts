import { Readable } from "node:stream";
import { MoreThan, type Tx } from "../../db/database.js";
import { StoredFile, type Storage } from "../../db/entities/files.js";
import { AppError } from "../../errors.js";
import type { ObjectStore } from "./object-store.js";

/** Small enough for a backup to hold twenty in memory. */
export const pieceBytes = 131_072;

/** A file's content. Each call reads it from the beginning. */
export type FileContent = () => AsyncIterable<Buffer> | Iterable<Buffer>;

type Content = Pick<StoredFile, "organization_id" | "id" | "storage">;

export function toObjectKey({ organization_id, id }: Omit<Content, "storage">): string {
  return `${organization_id}/${id}`;
}

export function storageOf(objects: ObjectStore | undefined): Storage {
  return objects === undefined ? "database" : "s3";
}

/** Writes to the database, for a file whose row exists. */
export async function writePieces(
  tx: Tx,
  { organization_id, id }: Omit<Content, "storage">,
  content: FileContent,
): Promise<void> {
  let position = 0;
  for await (const part of content()) {
    for (let start = 0; start < part.length; start += pieceBytes) {
      await tx.query(
        `INSERT INTO file_pieces (organization_id, file_id, position, content)
         VALUES ($1, $2, $3, $4)`,
        [organization_id, id, position++, part.subarray(start, start + pieceBytes)],
      );
    }
  }
}

const filesAtOnce = 500;

export async function* readFiles(
  db: Tx,
  organization_id: string,
): AsyncGenerator<Content & Pick<StoredFile, "name">> {
  for (let last = "", isOver = false; !isOver;) {
    const files = await db.find(StoredFile, {
      select: { organization_id: true, id: true, name: true, storage: true },
      where: { organization_id, id: MoreThan(last) },
      order: { id: "ASC" },
      take: filesAtOnce,
    });
    isOver = files.length < filesAtOnce;
    last = files.at(-1)?.id ?? last;
    yield* files;
  }
}

/** Returns a file's content. It is read in pieces, as the caller consumes it. */
export async function readContent(
  db: Tx,
  objects: ObjectStore | undefined,
  file: Content,
): Promise<Readable> {
  if (file.storage === "database") return Readable.from(readPieces(db, file));
  if (objects === undefined) {
    throw new AppError("unavailable", "files_away", { retry_after_seconds: 60 });
  }
  return objects.get(toObjectKey(file));
}

async function* readPieces(db: Tx, { organization_id, id }: Content): AsyncGenerator<Buffer> {
  for (let position = 0; ; position += 1) {
    const piece = await db.maybe<{ content: Buffer | Uint8Array }>(
      `SELECT content FROM file_pieces
       WHERE organization_id = $1 AND file_id = $2 AND position = $3`,
      [organization_id, id, position],
    );
    if (piece === undefined) return;
    yield Buffer.from(piece.content);
  }
}
