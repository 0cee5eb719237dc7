import { randomUUID } from "node:crypto";
import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { pipeline as join, Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { StringDecoder } from "node:string_decoder";
import { constants, createGunzip, createGzip } from "node:zlib";
import type { z } from "zod";
import { DatabaseError } from "../open-database.js";
import { checkPieces, headerShape, manifestShape, type Piece } from "./pieces.js";

/*
 * A backup is gzipped text: the header, then for each table its name and its rows as JSON objects,
 * then the manifest.
 */

/**
 * Writes a backup to a new file and verifies it. Returns its size in bytes. Throws if the file
 * exists.
 */
export async function writeBackup(file: string, pieces: AsyncIterable<Piece>): Promise<number> {
  if (existsSync(file)) throw new DatabaseError(`${file} is there already. Name another file.`);
  // Unpredictable, so an attacker can't place a link there.
  const part = `${file}.${randomUUID()}.part`;
  try {
    await sendBackup(
      createWriteStream(part, { flags: "wx", mode: 0o600, flush: true }),
      pieces,
    ).catch((error: unknown) => {
      throw toFolderProblem(error, dirname(file));
    });
    await checkBackup(part);
    await rename(part, file);
  } finally {
    await rm(part, { force: true }).catch(() => undefined);
  }
  return (await stat(file)).size;
}

/** Writes a backup to a stream without verifying it. */
export async function sendBackup(
  output: Writable,
  pieces: AsyncIterable<Piece>,
  options: { end?: boolean } = {},
): Promise<void> {
  const gzip = createGzip({ level: constants.Z_BEST_SPEED });
  await pipeline([Readable.from(toText(pieces)), gzip, output], options);
}

/** Explains why the folder can't store the file and how to fix it. */
function toFolderProblem(error: unknown, folder: string): unknown {
  const problems: Record<string, string> = {
    ENOENT: `The folder ${folder} does not exist. Create it or name another one.`,
    ENOTDIR: `${folder} is not a folder. Name another one.`,
    EROFS: `The folder ${folder} is read-only. Name another one, or write to standard output with --to -.`,
    EACCES: `You may not write to the folder ${folder}. Change its owner or name another one.`,
    ENOSPC: `The disk that holds ${folder} is full. Free some space or name another folder.`,
  };
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const problem = problems[code];
  return problem === undefined ? error : new DatabaseError(problem, error);
}

async function* toText(pieces: AsyncIterable<Piece>): AsyncGenerator<string> {
  let current: string | undefined;
  for await (const piece of pieces) {
    if ("header" in piece) yield `header ${JSON.stringify(piece.header)}\n`;
    else if ("manifest" in piece) yield `manifest ${JSON.stringify(piece.manifest)}\n`;
    else {
      if (piece.table !== current) yield `table ${piece.table}\n`;
      current = piece.table;
      if (piece.rows.length > 0) yield `${piece.rows.join("\n")}\n`;
    }
  }
}

/** Reads a whole backup. Throws if it is damaged or incomplete. */
export async function checkBackup(file: string): Promise<void> {
  const pieces = checkPieces(readBackup(createReadStream(file), file));
  while ((await pieces.next()).done !== true);
}

/** Reads the pieces of a file or stream without checking them. */
export async function* readBackup(input: Readable, name: string): AsyncGenerator<Piece> {
  const gunzip = createGunzip();
  // The loop below throws the errors of both streams.
  join(input, gunzip, () => undefined);
  try {
    yield* toPieces(readLines(gunzip));
  } catch (error) {
    if (error instanceof DatabaseError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new DatabaseError(
      `${name} is no back-up of Fettle, or is damaged: ${reason}. Nothing was changed.`,
      error,
    );
  }
}

/** A row is a few times larger than a request at most, and a request has at most 1 MiB. */
const maxLine = 16 * 1024 * 1024;

/** Splits only at \n, because JSON can contain other line breaks. */
async function* readLines(stream: AsyncIterable<Buffer>): AsyncGenerator<string[]> {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  for await (const chunk of stream) {
    const lines = decoder.write(chunk).split("\n");
    lines[0] = rest + (lines[0] ?? "");
    rest = lines.pop() ?? "";
    if (rest.length > maxLine) throw new Error("a line is longer than any of a back-up");
    yield lines;
  }
  if (rest !== "") throw new Error("the last line is incomplete");
}

const batchBytes = 1024 * 1024;

async function* toPieces(chunks: AsyncIterable<string[]>): AsyncGenerator<Piece> {
  let [table, rows, size]: [string | undefined, string[], number] = [undefined, [], 0];
  for await (const lines of chunks) {
    for (const line of lines) {
      const isRow = line.startsWith("{");
      if (isRow && table === undefined) throw new Error("rows are of no table");
      if (table !== undefined && (!isRow || size > batchBytes)) {
        yield { table, rows };
        [rows, size] = [[], 0];
      }
      if (isRow) {
        rows.push(line);
        size += line.length;
        continue;
      }
      const { name, value } = readControl(line);
      table = name === "table" ? value : undefined;
      if (name === "header") yield { header: readJson(headerShape, value) };
      if (name === "manifest") yield { manifest: readJson(manifestShape, value) };
    }
  }
}

function readControl(line: string): { name: string; value: string } {
  const [name, value] = /^(header|table|manifest) (.+)$/.exec(line)?.slice(1) ?? [];
  if (name !== undefined && value !== undefined) return { name, value };
  throw new Error("a line is none of a back-up");
}

function readJson<Value>(shape: z.ZodType<Value>, text: string): Value {
  try {
    return shape.parse(JSON.parse(text));
  } catch (error) {
    throw new Error("its header or manifest is none of a back-up", { cause: error });
  }
}
