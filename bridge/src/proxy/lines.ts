import type { BridgeErrorCode } from "../common/errors.js";
import { jsonBytes, parseJson } from "../common/json.js";
import { withoutMark } from "../common/text.js";
import { isId } from "./exchange.js";

/** Longest message of the host, in bytes. */
const maxLineBytes = 10 * 1024 * 1024;

/** What can be told of a message that is too long to be kept, or too complex. */
export interface Oversize {
  /** As JSON text, so that it is given back digit by digit; "null" for one that cannot be. */
  id: string | undefined;
  /** A request or notification; without a method it is the host's answer to the server. */
  hasMethod: boolean;
}

/** Longer keys are none of ours; longer ids are refused. */
const maxCaptureBytes = 1024;

const { quote, comma, colon, backslash } = jsonBytes;
const { openBracket, closeBracket, openBrace, closeBrace } = jsonBytes;

/**
 * Finds the top-level "id" and "method" of a JSON object of any size in constant memory.
 */
export function createOversizeScanner() {
  const capture = createCapture();
  let depth = 0;
  let isObject = false;
  let inString = false;
  let escaped = false;
  /** At the top level, before the colon. */
  let beforeColon = false;
  let key: unknown;
  let id: string | undefined;
  let hasMethod = false;

  const stepInString = (byte: number) => {
    if (escaped) escaped = false;
    else if (byte === backslash) escaped = true;
    else if (byte === quote) inString = false;
  };
  const endKey = () => {
    key = parseJson(capture.end());
    if (key === "method") hasMethod = true;
    if (key === "id") capture.begin();
    beforeColon = false;
  };
  const endMember = () => {
    if (key === "id") id = toId(capture.end());
    key = undefined;
    beforeColon = isObject;
    if (isObject) capture.begin();
  };
  const open = (byte: number) => {
    depth += 1;
    if (depth > 1) return;
    isObject = byte === openBrace;
    endMember();
  };
  const step = (byte: number) => {
    const isTop = depth === 1;
    if (byte === quote) inString = true;
    else if (byte === openBrace || byte === openBracket) open(byte);
    else if (byte === closeBrace || byte === closeBracket) depth -= 1;
    if (!isTop) return;
    if (byte === colon && beforeColon) endKey();
    else if (byte === comma || depth === 0) endMember();
  };
  return {
    /** Takes the message in pieces that are cut anywhere. */
    push: (piece: Uint8Array): void => {
      for (const byte of piece) {
        capture.add(byte);
        if (inString) stepInString(byte);
        else step(byte);
      }
    },
    finish: (): Oversize => ({ id, hasMethod }),
  };
}

/** The same for a message that is all there. */
export function scanWhole(message: Uint8Array): Oversize {
  const scanner = createOversizeScanner();
  scanner.push(message);
  return scanner.finish();
}

/** Keeps the bytes up to and without the one at which it ends; nothing when they are too many. */
function createCapture() {
  const bytes = Buffer.alloc(maxCaptureBytes);
  let size = -1;
  return {
    begin: () => {
      size = 0;
    },
    add: (byte: number) => {
      if (size < 0) return;
      if (size < maxCaptureBytes) bytes[size] = byte;
      size = size < maxCaptureBytes ? size + 1 : -1;
    },
    end: () => {
      const text = bytes.toString("utf8", 0, Math.max(0, size - 1));
      size = -1;
      return text;
    },
  };
}

function toId(text: string): string {
  return isId(parseJson(text)) ? text.trim() : "null";
}

const mebibytes = maxLineBytes / 1024 / 1024;
const tooLongError = JSON.stringify({
  code: -32600,
  message:
    `This message is longer than ${mebibytes} MiB, the most that is passed on at once, or nested too deep. ` +
    "It was not sent to the server. Send less in one message.",
  data: { code: "too_large" satisfies BridgeErrorCode },
});

/** The frame that tells the host; undefined for what has no answer in JSON-RPC. */
export function toOversizeAnswer({ id, hasMethod }: Oversize): string | undefined {
  const isNotification = hasMethod && id === undefined;
  const isAnswer = !hasMethod && id !== undefined;
  if (isNotification || isAnswer) return undefined;
  return `{"jsonrpc":"2.0","id":${id ?? "null"},"error":${tooLongError}}`;
}

interface LineHandlers {
  /** One line without its end, never empty. */
  onLine: (line: Buffer) => void;
  /** The end of a line that was longer than the limit. */
  onTooLong: (message: Oversize) => void;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Cuts a stream of bytes into lines. A line that is too long is looked through but not kept. */
export function createLineReader({ onLine, onTooLong }: LineHandlers, limit = maxLineBytes) {
  let chunks: Buffer[] = [];
  let size = 0;
  let scanner: ReturnType<typeof createOversizeScanner> | undefined;

  const keep = (part: Buffer) => {
    size += part.length;
    if (scanner === undefined && size > limit) {
      scanner = createOversizeScanner();
      for (const kept of chunks) scanner.push(kept);
      chunks = [];
    }
    if (scanner === undefined) chunks.push(part);
    else scanner.push(part);
  };
  const finish = () => {
    const [only] = chunks;
    const whole = chunks.length === 1 && only ? only : Buffer.concat(chunks);
    const line = withoutMark(withoutReturn(whole));
    const tooLong = scanner;
    chunks = [];
    size = 0;
    scanner = undefined;
    if (tooLong !== undefined) onTooLong(tooLong.finish());
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
