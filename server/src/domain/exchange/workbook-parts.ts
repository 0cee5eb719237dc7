import { Unzip, UnzipInflate } from "fflate";
import { Parser } from "htmlparser2";
import { AppError } from "../../errors.js";

/** Maximum unpacked size of a workbook, in bytes. */
const maxUnpacked = 250_000_000;
/**
 * Maximum number of tags, opening and closing, and attributes. Each takes time, however short it
 * is. A workbook with 100,000 rows of 20 cells has fewer.
 */
const maxMarks = 15_000_000;
/** Bytes of the packed file at a time. They unpack to at most a thousand times their size. */
const chunkSize = 512;

/** Limits that no spreadsheet program exceeds: nesting, one cell, and one workbook. */
const maxDepth = 50;
const maxCell = 100_000;
const maxEntries = { texts: 2_000_000, styles: 100_000, formats: 10_000, parts: 10_000 };
/**
 * Maximum length of a tag with its attributes, or of other content that is neither reported nor
 * ends.
 */
const maxTag = 8_000_000;

export function tooLarge(): AppError {
  return new AppError("validation_failed", "file_unpacks_too_large", { field: "file" });
}

export function notReadable(cause?: unknown): AppError {
  return new AppError("validation_failed", "file_no_table", { field: "file" }, { cause });
}

/** Unpacks the parts for which `onPart` returns a listener, piece by piece. */
export function* unpack(
  file: Buffer,
  onPart: (name: string) => ((text: string) => void) | undefined,
): Generator<void> {
  let [unpacked, marks] = [0, 0];
  let failure: Error | undefined;
  const unzip = new Unzip((part) => {
    const listen = onPart(part.name);
    if (listen === undefined) return;
    const decoder = new TextDecoder();
    part.ondata = (error, piece, isLast) => {
      // Includes errors thrown by a listener.
      if (error !== null) {
        failure ??= error instanceof AppError ? error : notReadable(error);
        return;
      }
      unpacked += piece.length;
      marks += count(piece, 0x3c) + count(piece, 0x3d);
      if (unpacked > maxUnpacked || marks > maxMarks) failure ??= tooLarge();
      if (failure === undefined) listen(decoder.decode(piece, { stream: !isLast }));
    };
    part.start();
  });
  unzip.register(UnzipInflate);
  for (let at = 0; at < file.length; at += chunkSize) {
    try {
      unzip.push(file.subarray(at, at + chunkSize), at + chunkSize >= file.length);
    } catch (error) {
      throw error instanceof AppError ? error : notReadable(error);
    }
    if (failure !== undefined) throw failure;
    yield;
  }
}

function count(piece: Uint8Array, sign: number): number {
  let found = 0;
  for (let at = piece.indexOf(sign); at !== -1; at = piece.indexOf(sign, at + 1)) found += 1;
  return found;
}

interface Handlers {
  open: (name: string, attributes: Record<string, string>) => void;
  text?: (text: string) => void;
  close?: (name: string) => void;
}

/** Tag names without their namespace prefix. */
export function createParser({ open, text, close }: Handlers): (xml: string) => void {
  const bare = (name: string) => name.slice(name.indexOf(":") + 1);
  let [depth, untold] = [0, 0];
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        untold = 0;
        depth += 1;
        if (depth > maxDepth) throw tooLarge();
        open(bare(name), attributes);
      },
      ontext: (part) => {
        untold = 0;
        text?.(part);
      },
      onclosetag: (name) => {
        depth -= 1;
        close?.(bare(name));
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  return (xml) => {
    untold += xml.length;
    if (untold > maxTag) throw tooLarge();
    parser.write(xml);
  };
}

/** Collects the pieces of one text. There are many if characters are written as entities. */
export function createPieces() {
  let pieces: string[] = [];
  let length = 0;
  return {
    add: (piece: string) => {
      length += piece.length;
      if (length > maxCell) throw tooLarge();
      pieces.push(piece);
    },
    take: () => {
      const text = pieces.join("");
      [pieces, length] = [[], 0];
      return text;
    },
  };
}

export function requireFew(count: number, of: keyof typeof maxEntries): void {
  if (count > maxEntries[of]) throw tooLarge();
}
