import { crc32, deflateSync } from "node:zlib";
import { create } from "qrcode";

/** The dark and light squares of a code, without its quiet zone. */
export interface QrCode {
  /** Squares on a side. */
  size: number;
  /** Runs of dark squares in a row. */
  runs: readonly Run[];
  version: number;
  isDark: (x: number, y: number) => boolean;
}

interface Run {
  x: number;
  y: number;
  length: number;
}

/** Light squares that a reader needs around a code (ISO/IEC 18004). */
export const quietZone = 4;

/** Pixels or units of a square in images, enough to be shown and printed as they are. */
const scale = 10;

/** What an asset's code holds. Capitals, because such a text makes a smaller symbol. */
export function toEncodedUrl(baseUrl: string, qrToken: string): string {
  return `${baseUrl}/q/${qrToken}`.toUpperCase();
}

/**
 * The smallest symbol at level M, which still reads with 15 % of it lost; where that leaves room, a
 * higher level costs nothing.
 */
export function createQrCode(text: string): QrCode {
  const { modules, version } = createStrongest(text);
  const { size, data } = modules;
  const isDark = (x: number, y: number) => data[y * size + x] === 1;
  return { size, version, isDark, runs: findRuns(size, isDark) };
}

function createStrongest(text: string): ReturnType<typeof create> {
  // A mask that is given is not searched for, which is most of the work.
  const { version } = create(text, { errorCorrectionLevel: "M", maskPattern: 0 });
  for (const errorCorrectionLevel of ["H", "Q"] as const) {
    try {
      return create(text, { errorCorrectionLevel, version });
    } catch {
      // The text does not fit into a symbol of this size at this level.
    }
  }
  return create(text, { errorCorrectionLevel: "M", version });
}

function findRuns(size: number, isDark: QrCode["isDark"]): Run[] {
  const runs: Run[] = [];
  for (let y = 0; y < size; y += 1) {
    let run: Run | undefined;
    for (let x = 0; x < size; x += 1) {
      if (!isDark(x, y)) run = undefined;
      else if (run === undefined) runs.push((run = { x, y, length: 1 }));
      else run.length += 1;
    }
  }
  return runs;
}

/** The dark squares as the path of an SVG, behind the quiet zone. */
export function toPath({ runs }: QrCode): string {
  return runs
    .map(({ x, y, length }) => `M${x + quietZone} ${y + quietZone}h${length}v1h-${length}z`)
    .join("");
}

/** Nothing but shapes: no text that anybody typed, no script, no style. */
export function toSvg(code: QrCode): string {
  const side = code.size + 2 * quietZone;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${side * scale}" height="${side * scale}" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges"><rect width="${side}" height="${side}" fill="#fff"/><path d="${toPath(code)}" fill="#000"/></svg>`;
}

/** One bit a pixel: a hundred times faster and ten times smaller than in colour. */
export function toPng({ size, isDark }: QrCode): Buffer {
  const side = (size + 2 * quietZone) * scale;
  const bytesPerRow = 1 + Math.ceil(side / 8);
  const pixels = Buffer.alloc(bytesPerRow * side, 0xff);
  for (let row = 0; row < side; row += 1) {
    const start = row * bytesPerRow;
    pixels[start] = 0; // This row is stored as it is, not as a difference.
    const y = Math.floor(row / scale) - quietZone;
    if (y < 0 || y >= size) continue;
    for (let column = 0; column < size * scale; column += 1) {
      if (!isDark(Math.floor(column / scale), y)) continue;
      const pixel = column + quietZone * scale;
      const at = start + 1 + (pixel >> 3);
      pixels[at] = (pixels[at] ?? 0) & ~(0x80 >> (pixel & 7));
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header[8] = 1; // Bits a pixel; the zeros after it mean grey, deflate, no interlacing.
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(pixels)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
