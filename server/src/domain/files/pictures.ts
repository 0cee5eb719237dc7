import sharp, { type Metadata } from "sharp";
import { AppError } from "../../errors.js";
import { createFairTurns, createLines } from "../values/fair-turns.js";
import type { Named, PictureType } from "./file-types.js";

export interface Picture {
  /** Upright, and without what the camera wrote beside the pixels: place, device, owner. */
  content: Buffer;
  width: number;
  height: number;
  /** As WebP. */
  thumbnail: Buffer;
}

// Nothing but what is kept is ever decoded, whatever a content claims to be.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["VipsForeignLoadJpeg", "VipsForeignLoadPng", "VipsForeignLoadWebp"],
});
sharp.cache(false);
sharp.concurrency(1);

const maxMegapixels = 64;
/** What the pixels take while they are read. */
const maxDecoded = 200_000_000;
/** The long side of what is kept: the plate of a machine stays readable. */
const maxSide = 3200;
/** Of a JPEG that comes in several passes: cameras and programs make about ten. */
const maxScans = 50;
const thumbnailSide = 360;
const maxSeconds = 60;
const retry_after_seconds = 10;

/** In whose lines a picture waits: of who brings it, and then of their organization. */
export interface Uploader {
  organizationId: string;
  /** Nobody is somebody without an account. */
  userId: string | null;
}

const patience = {
  maxWaitMs: 20_000,
  giveUp: () => new AppError("unavailable", "pictures_busy", { retry_after_seconds }),
};
/** A picture takes a processor and up to some hundred megabytes while it is read. */
const inTurn = createFairTurns(2, patience);
/** Nobody has two in the line of their organization, in which others of it wait. */
const oneByOne = createLines(patience);

/** Makes of a picture of somebody's what is kept of it; refuses what cannot be read whole. It is in memory in its turn only. */
export async function readPicture(
  open: () => Promise<Buffer>,
  type: PictureType,
  { uploader: { organizationId, userId }, ...file }: Named & { uploader: Uploader },
): Promise<Picture> {
  return oneByOne(`${organizationId} ${userId}`, () =>
    inTurn(organizationId, async () => read(await open(), type, file)),
  );
}

async function read(given: Buffer, type: PictureType, file: Named): Promise<Picture> {
  try {
    const metadata = await sharp(given, limits).metadata();
    requireSmall(metadata);
    if (type === "image/jpeg" && metadata.isProgressive) requireFewScans(given);
    const { data: content, info } = await draw(given, maxSide, type);
    const { data: thumbnail } = await draw(content, thumbnailSide, "image/webp", 70);
    return { content, thumbnail, width: info.width, height: info.height };
  } catch (error) {
    throw toRefusal(error, file);
  }
}

class PictureTooLarge extends Error {}

/** What comes in several passes is held whole, by its coefficients: twice the bytes of its pixels. */
function requireSmall({ width, height, channels, depth, isProgressive }: Metadata): void {
  const bytes = depth === "ushort" || isProgressive ? 2 : 1;
  if (width * height * channels * bytes > maxDecoded) throw new PictureTooLarge();
}

/** Each pass goes over all pixels before the first line is there, and the time-out looks only then. */
function requireFewScans(jpeg: Buffer): void {
  let scans = 0;
  // By markers (ITU-T T.81, B.1.1): what is embedded in a segment, or comes behind the end, is none of it.
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

function toRefusal(error: unknown, { field, name }: Named): AppError {
  const isTooLarge =
    error instanceof PictureTooLarge ||
    (error instanceof Error && error.message.includes("pixel limit"));
  const file = { field, name };
  return isTooLarge
    ? new AppError("validation_failed", "picture_too_large", {
        ...file,
        max_megapixels: maxMegapixels,
      })
    : new AppError("validation_failed", "picture_unreadable", file, { cause: error });
}
