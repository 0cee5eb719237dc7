import { withoutMark } from "../../common/text.js";
import {
  createOversizeScanner,
  maxLineBytes,
  type Oversize,
  type OversizeScanner,
} from "./oversize.js";

export interface LineHandlers {
  /** One line without its end, never empty. */
  onLine: (line: Buffer) => void;
  /** The end of a line that was longer than the limit. */
  onTooLong: (message: Oversize) => void;
}

export interface LineReader {
  push: (chunk: Buffer) => void;
  /** What came after the last line break counts as a line. */
  end: () => void;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Cuts a stream of bytes into lines. A line that is too long is looked through but not kept. */
export function createLineReader(
  { onLine, onTooLong }: LineHandlers,
  limit = maxLineBytes,
): LineReader {
  let chunks: Buffer[] = [];
  let size = 0;
  let scanner: OversizeScanner | undefined;

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
    push: (chunk) => {
      let start = 0;
      for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
        keep(chunk.subarray(start, end));
        finish();
        start = end + 1;
      }
      if (start < chunk.length) keep(chunk.subarray(start));
    },
    end: finish,
  };
}

function withoutReturn(line: Buffer): Buffer {
  return line.at(-1) === carriageReturn ? line.subarray(0, -1) : line;
}
