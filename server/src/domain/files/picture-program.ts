import sharp, { type Metadata } from "sharp";
import type { PictureType } from "./file-types.js";
import { maxMegapixels, type Picture } from "./picture.js";

// The program of the picture process. It decodes untrusted content and has none of the server's
// data.

export interface PictureOrder {
  id: number;
  given: Buffer;
  type: PictureType;
}

export type PictureAnswer =
  | { id: number; picture: Picture }
  | { id: number; refusal: "too_large" | "unreadable"; message: string };

// Only stored formats are decoded, whatever a file claims to be.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["VipsForeignLoadJpeg", "VipsForeignLoadPng", "VipsForeignLoadWebp"],
});
sharp.cache(false);
sharp.concurrency(1);

/** Maximum bytes of the pixels while they are read. */
const maxDecoded = 200_000_000;
/** Larger pictures aren't read at the same time. */
const maxBeside = 100_000_000;
/** Longest side of stored pictures. A machine's nameplate stays readable. */
const maxSide = 3200;
/** Maximum scans of a progressive JPEG. Cameras and programs make about ten. */
const maxScans = 50;
const thumbnailSide = 360;
const maxSeconds = 60;

process.on("message", (order: PictureOrder) => {
  void answer(order).then((said) => process.send?.(said));
});

async function answer({ id, given, type }: PictureOrder): Promise<PictureAnswer> {
  try {
    return { id, picture: await read(given, type) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const isTooLarge = error instanceof PictureTooLarge || message.includes("pixel limit");
    return { id, refusal: isTooLarge ? "too_large" : "unreadable", message };
  }
}

let lastLarge: Promise<unknown> = Promise.resolve();

async function read(given: Buffer, type: PictureType): Promise<Picture> {
  const metadata = await sharp(given, limits).metadata();
  const size = findDecodedSize(metadata);
  if (size > maxDecoded) throw new PictureTooLarge();
  if (type === "image/jpeg" && metadata.isProgressive) requireFewScans(given);
  if (size <= maxBeside) return drawAll(given, type);
  const drawn = lastLarge.then(() => drawAll(given, type));
  lastLarge = drawn.catch(() => undefined);
  return drawn;
}

async function drawAll(given: Buffer, type: PictureType): Promise<Picture> {
  const { data: content, info } = await draw(given, maxSide, type);
  const { data: thumbnail } = await draw(content, thumbnailSide, "image/webp", 70);
  return { content, thumbnail, width: info.width, height: info.height };
}

class PictureTooLarge extends Error {}

/**
 * In bytes. A progressive picture is held whole as coefficients, at twice the bytes of its pixels.
 */
function findDecodedSize({ width, height, channels, depth, isProgressive }: Metadata): number {
  return width * height * channels * (depth === "ushort" || isProgressive ? 2 : 1);
}

/**
 * Each scan covers all pixels before the first line is ready, and the timeout applies only then.
 */
function requireFewScans(jpeg: Buffer): void {
  let scans = 0;
  // Counts by marker (ITU-T T.81, B.1.1). Content embedded in a segment, or after the end, doesn't
  // count.
  for (let at = jpeg.indexOf(0xff, 2); at >= 0; at = jpeg.indexOf(0xff, at)) {
    const marker = jpeg[at + 1] ?? endOfImage;
    if (marker === endOfImage) return;
    if (marker === startOfScan && (scans += 1) > maxScans) {
      throw new Error("The picture has too many scans.");
    }
    if (marker === 0xff) at += 1;
    else at += 2 + (hasLength(marker) && at + 4 <= jpeg.length ? jpeg.readUInt16BE(at + 2) : 0);
  }
}

const startOfScan = 0xda;
const endOfImage = 0xd9;

function hasLength(marker: number): boolean {
  return marker >= 0xc0 && (marker < 0xd0 || marker > 0xd8);
}

const limits = { limitInputPixels: maxMegapixels * 1_000_000, failOn: "error" } as const;

function draw(given: Buffer, side: number, type: PictureType, quality = 85) {
  const image = sharp(given, limits)
    .timeout({ seconds: maxSeconds })
    .autoOrient()
    .resize({ width: side, height: side, fit: "inside", withoutEnlargement: true });
  const formatted = {
    "image/jpeg": () => image.jpeg({ quality }),
    "image/png": () => image.png(),
    "image/webp": () => image.webp({ quality }),
  };
  return formatted[type]().toBuffer({ resolveWithObject: true });
}
