import { correction, generate, type Bitmap2D } from "lean-qr";
import { toPngBuffer } from "lean-qr/extras/node_export";

/** Width of the light border that a reader needs, in modules (ISO/IEC 18004). */
export const quietZone = 4;

/** Pixels or units per module. Large enough for display and print. */
const scale = 10;

/** The URL in an asset's code. Upper case makes a smaller symbol. */
export function toEncodedUrl(baseUrl: string, qrToken: string): string {
  return `${baseUrl}/q/${qrToken}`.toUpperCase();
}

/**
 * Generates the smallest symbol at level M, which tolerates 15 % damage. Uses a higher level if the
 * symbol has room.
 */
export function createQrCode(text: string): Bitmap2D {
  return generate(text, { minCorrectionLevel: correction.M });
}

export function findRuns(code: Bitmap2D): { x: number; y: number; length: number }[] {
  const runs = [];
  for (let y = 0; y < code.size; y += 1) {
    let run: { x: number; y: number; length: number } | undefined;
    for (let x = 0; x < code.size; x += 1) {
      if (!code.get(x, y)) run = undefined;
      else if (run === undefined) runs.push((run = { x, y, length: 1 }));
      else run.length += 1;
    }
  }
  return runs;
}

/** SVG path of the dark modules, offset by the quiet zone. */
export function toPath(code: Bitmap2D): string {
  return findRuns(code)
    .map(({ x, y, length }) => `M${x + quietZone} ${y + quietZone}h${length}v1h-${length}z`)
    .join("");
}

/** Contains only shapes: no user text, no script, no style. */
export function toSvg(code: Bitmap2D): string {
  const side = code.size + 2 * quietZone;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${side * scale}" height="${side * scale}" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges"><rect width="${side}" height="${side}" fill="#fff"/><path d="${toPath(code)}" fill="#000"/></svg>`;
}

export function toPng(code: Bitmap2D): Buffer {
  return Buffer.from(toPngBuffer(code, { off: [255, 255, 255], pad: quietZone, scale }));
}
