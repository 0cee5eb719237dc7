import type { BridgeErrorCode } from "../common/errors.js";
import { toRecord } from "../common/json.js";
import { withoutMark } from "../common/text.js";
import { isId } from "./exchange.js";

const mebibyte = 1024 * 1024;
/** Longest message of the host that is passed on, in bytes. */
const maxLineBytes = 10 * mebibyte;
/** A longer one is kept this far, to tell which request it is; nothing is known of one beyond. */
const maxKeptBytes = 64 * mebibyte;

const tooLongError = {
  code: -32600,
  message:
    `This message is longer than ${maxLineBytes / mebibyte} MiB, the most that is passed on at once, or nested too deep. ` +
    "It was not sent to the server. Send less in one message.",
  data: { code: "too_large" satisfies BridgeErrorCode },
};

/** The frame that tells the host of a message not passed on; undefined for what has no answer in JSON-RPC. */
export function toOversizeAnswer(line: Buffer): string | undefined {
  const { id, method } = toRecord(parse(line));
  const isNotification = method !== undefined && id === undefined;
  const isAnswer = method === undefined && id !== undefined;
  if (isNotification || isAnswer) return undefined;
  return JSON.stringify({ jsonrpc: "2.0", id: isId(id) ? id : null, error: tooLongError });
}

function parse(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString("utf8"));
  } catch {
    return undefined;
  }
}

interface LineHandlers {
  /** One line without its end, never empty. */
  onLine: (line: Buffer) => void;
  /** A line over the limit; an empty one where it was too long to be kept. */
  onTooLong: (line: Buffer) => void;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Cuts a stream of bytes into lines. */
export function createLineReader(
  { onLine, onTooLong }: LineHandlers,
  limit = maxLineBytes,
  maxKept = maxKeptBytes,
) {
  let chunks: Buffer[] = [];
  let size = 0;

  const keep = (part: Buffer) => {
    size += part.length;
    if (size > maxKept) chunks = [];
    else chunks.push(part);
  };
  const finish = () => {
    const [only] = chunks;
    const whole = chunks.length === 1 && only ? only : Buffer.concat(chunks);
    const line = withoutMark(withoutReturn(whole));
    const isTooLong = size > limit;
    chunks = [];
    size = 0;
    if (isTooLong) onTooLong(line);
    else if (line.length > 0) onLine(line);
  };
  return {
    push: (chunk: Buffer): void => {
      let start = 0;
      for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
        keep(chunk.subarray(start, end));
        finish();
        start = end + 1;
      }
      if (start < chunk.length) keep(chunk.subarray(start));
    },
    /** What came after the last line break counts as a line. */
    end: finish,
  };
}

function withoutReturn(line: Buffer): Buffer {
  return line.at(-1) === carriageReturn ? line.subarray(0, -1) : line;
}
