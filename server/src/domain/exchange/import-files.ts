import type { Tx } from "../../db/database.js";
import { ImportPiece } from "../../db/entities/exchange.js";
import type { Caller } from "../access/caller.js";
import type { FileContent } from "../files/file-contents.js";

/** Bytes read, sent and stored at a time. */
export const pieceSize = 1_048_576;

/** Holds one piece in memory, because many files may be stored at once. */
export async function storeFile(
  tx: Tx,
  caller: Caller,
  id: string,
  file: FileContent,
): Promise<void> {
  let position = 0;
  for await (const bytes of file()) {
    await tx.insert(ImportPiece, { ...whereOf(caller, id), position: position++, bytes });
  }
}

export async function readFile(db: Tx, caller: Caller, id: string): Promise<Buffer> {
  const where = whereOf(caller, id);
  const parts: Buffer[] = [];
  for (let position = 0; ; position += 1) {
    const piece = await db.findOne(ImportPiece, { where: { ...where, position } });
    if (piece === undefined) return Buffer.concat(parts);
    parts.push(piece.bytes);
  }
}

export async function dropFile(tx: Tx, caller: Caller, id: string): Promise<void> {
  await tx.delete(ImportPiece, whereOf(caller, id));
}

function whereOf({ organizationId }: Caller, id: string) {
  return { organization_id: organizationId, change_set_id: id };
}
