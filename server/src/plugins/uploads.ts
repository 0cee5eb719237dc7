import { createWriteStream, existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import multipart from "@fastify/multipart";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import { findOrganizationsOf } from "../domain/organizations/organizations.js";
import { createId } from "../domain/shared/ids.js";
import { onResponseClosed } from "../traffic/answer-end.js";
import type { CallerKey } from "../traffic/caller-limit.js";
import { memory } from "../traffic/bounds.js";
import { createMemoryBudget, type HeldPart } from "../traffic/memory-budget.js";
import { rateLimited } from "../traffic/rate-limited.js";
import {
  bytesOfPiece,
  createTinyPiecesEnd,
  holderOf,
  tinyPieceOfUpload,
} from "../traffic/request-bodies.js";

/** An uploaded file, stored on disk until the request ends. */
export interface Upload {
  field: string;
  /** The sender's file name. */
  name: string;
  path: string;
  bytes: number;
  /** True if the file exceeds the limit. It is then incomplete on disk. */
  isTooLarge: boolean;
  read: () => Promise<Buffer>;
}

export interface UploadRule {
  /** Per file. */
  maxMegabytes: number;
  maxFiles: number;
  /** Also accepts files from anonymous people. */
  isPublic?: boolean;
}

declare module "fastify" {
  interface FastifyRequest {
    uploads: readonly Upload[];
  }
  interface FastifyContextConfig {
    /** The form accepts files. Other forms respond with 415. */
    upload?: UploadRule;
  }
}

const retryMs = 5000;

/** Our forms have far fewer fields, and texts of at most 10,000 characters. */
const fieldLimits = { fields: 300, fieldSize: 65_536, fieldNameSize: 100, headerPairs: 20 };

/**
 * Parses forms with files. The fields become the body, as for other forms. The files are in a
 * folder until the request ends. An oversized file is read to its end and dropped, so the form can
 * report it.
 */
export const uploadsPlugin = fp(async (app) => {
  await app.register(multipart, { throwFileSizeLimit: false });
  const makeFolder = () => mkdtemp(join(tmpdir(), `fettle-uploads-${process.pid}-`));
  let folder = await makeFolder();
  app.addHook("onClose", () => rm(folder, { recursive: true, force: true }));
  const disk = createMemoryBudget("uploads", memory.uploads);
  app.decorateRequest("uploads");

  app.addHook("preValidation", async (request, reply) => {
    request.uploads = [];
    if (!request.isMultipart()) return;
    const { upload } = request.routeOptions.config;
    if (upload === undefined) throw unsupported();
    // The operating system deletes old files in temporary folders.
    if (!existsSync(folder)) folder = await makeFolder();
    const held = disk.open(await findHolder(app, request), () => {
      request.raw.socket.destroy();
    });
    // The form has expired. Typed values are stored for its sender, but files aren't.
    const dropsFiles = request.person === null && upload.isPublic !== true;
    const reading = readForm(request, reply, { folder, held, dropsFiles, ...upload });
    request.uploads = await reading.catch(refuseMalformed);
  });
});

/** Pages count per person until the fields name their organization. */
async function findHolder(app: FastifyInstance, request: FastifyRequest): Promise<CallerKey> {
  const { person, session } = request;
  if (person === null) return holderOf(request);
  const { id: userId } = person;
  const found = await app.services.lookUpForPerson(userId, () =>
    findOrganizationsOf(app.services.systemDb, userId, session.signedInBy),
  );
  const { id } = found.find((one) => one.id === session.organizationId) ?? found[0] ?? person;
  return app.services.atHome({ organizationId: id, userId });
}

interface Reading extends UploadRule {
  folder: string;
  held: HeldPart;
  dropsFiles: boolean;
}

async function readForm(
  request: FastifyRequest,
  reply: FastifyReply,
  { folder, held, dropsFiles, maxMegabytes, maxFiles }: Reading,
): Promise<Upload[]> {
  const uploads: Upload[] = [];
  let isOver = false;
  onResponseClosed(reply, () => {
    isOver = true;
    held.close();
    for (const { path } of uploads) remove(path);
  });
  const body: Record<string, string | string[]> = Object.create(null) as typeof body;
  const limits = { ...fieldLimits, files: maxFiles + 1, fileSize: maxMegabytes * 1_048_576 };
  let heldByFields = 0;
  request.raw.on("data", createTinyPiecesEnd(request, tinyPieceOfUpload));
  for await (const part of request.parts({ limits })) {
    const { fieldname: field } = part;
    if (part.type === "field") {
      const before = body[field];
      const value = String(part.value);
      heldByFields += Buffer.byteLength(value) + bytesOfPiece;
      if (request.heldBody?.hold(heldByFields) === false) throw rateLimited("bodies", retryMs);
      body[field] = before === undefined ? value : [before, value].flat();
      continue;
    }
    // Browsers send this for a file control without a selection.
    const isNone = part.filename === "" || (part.filename as string | undefined) === undefined;
    if (isNone || dropsFiles) {
      part.file.resume();
      continue;
    }
    const path = join(folder, createId("file"));
    const upload: Upload = {
      field,
      name: part.filename,
      path,
      bytes: 0,
      isTooLarge: false,
      read: () => readFile(path),
    };
    uploads.push(upload);
    await keep(part.file, upload, () =>
      held.hold(uploads.reduce((sum, one) => sum + one.bytes, 0)),
    ).finally(() => {
      // The file may have been created after the others were deleted.
      if (isOver) remove(path);
    });
    upload.isTooLarge = part.file.truncated;
  }
  request.body = body;
  return uploads;
}

/** If a file can't be deleted, it is deleted with the folder. */
function remove(path: string): void {
  rm(path, { force: true }).catch(() => undefined);
}

async function keep(content: Readable, upload: Upload, hold: () => boolean): Promise<void> {
  const counted = async function* (pieces: AsyncIterable<Buffer>) {
    for await (const piece of pieces) {
      upload.bytes += piece.length;
      if (!hold()) throw rateLimited("bodies", retryMs);
      yield piece;
    }
  };
  const file = createWriteStream(upload.path, { flags: "wx", mode: 0o600 });
  await pipeline(content, counted, file);
}

/** The parser reports malformed forms as plain errors. Disk errors and our own have codes. */
function refuseMalformed(error: unknown): never {
  const isOfParser = error instanceof Error && error.constructor === Error && !("code" in error);
  throw isOfParser ? Object.assign(error, { statusCode: 400 }) : error;
}

function unsupported(): Error {
  return Object.assign(new Error("This form takes no files."), { statusCode: 415 });
}
