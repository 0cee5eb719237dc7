import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createQrCode } from "../../server/src/domain/labels/qr-codes.js";

const width = 640;
const height = 480;
const squarePixels = 8;

/** Chromium arguments that allow the camera and show it a code with this text. */
export function cameraBefore(text: string): string[] {
  const file = join(mkdtempSync(join(tmpdir(), "fettle-camera-")), "code.y4m");
  writeFileSync(file, toVideo(text));
  return [
    "--use-fake-device-for-media-stream",
    `--use-file-for-fake-video-capture=${file}`,
    "--use-fake-ui-for-media-stream",
  ];
}

/** Chromium arguments for a camera whose permission is denied. */
export const refusedCamera = [
  "--use-fake-device-for-media-stream",
  "--use-fake-ui-for-media-stream=deny",
];

/** One repeated frame (YUV4MPEG2, 4:2:0). */
function toVideo(text: string): Buffer {
  const code = createQrCode(text);
  const { size } = code;
  const left = Math.floor((width - size * squarePixels) / 2);
  const top = Math.floor((height - size * squarePixels) / 2);
  const light = Buffer.alloc(width * height, 0xeb);
  for (let y = 0; y < size * squarePixels; y += 1) {
    for (let x = 0; x < size * squarePixels; x += 1) {
      if (!code.get(Math.floor(x / squarePixels), Math.floor(y / squarePixels))) continue;
      light[(top + y) * width + left + x] = 0x10;
    }
  }
  const grey = Buffer.alloc(light.length / 2, 0x80);
  const head = Buffer.from(`YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420jpeg\n`);
  return Buffer.concat([head, Buffer.from("FRAME\n"), light, grey]);
}
