import type { EntityManager } from "typeorm";
import { ImportPiece } from "../../db/entities/import-piece.js";
import type { Caller } from "../access/caller.js";

const pieceSize = 1_048_576;

export async function storeFile(
  tx: EntityManager,
  caller: Caller,
  id: string,
  file: Buffer,
): Promise<void> {
  for (let at = 0; at < file.length; at += pieceSize) {
    await tx.getRepository(ImportPiece).insert({
      organization_id: caller.organizationId,
      change_set_id: id,
      position: at / pieceSize,
      bytes: file.subarray(at, at + pieceSize),
    });
  }
}

export async function readFile(db: EntityManager, caller: Caller, id: string): Promise<Buffer> {
  const where = { organization_id: caller.organizationId, change_set_id: id };
  const pieces = await db.find(ImportPiece, { where, order: { position: "ASC" } });
  return Buffer.concat(pieces.map(({ bytes }) => bytes));
}

export async function dropFile(tx: EntityManager, caller: Caller, id: string): Promise<void> {
  const where = { organization_id: caller.organizationId, change_set_id: id };
  await tx.getRepository(ImportPiece).delete(where);
}
