import { AppError } from "../../errors.js";
import { createFairTurns } from "../../traffic/slots.js";
import type { Named, PictureType } from "./file-types.js";
import { maxMegapixels, type Picture } from "./picture.js";
import { orderPicture } from "./picture-process.js";
import type { PictureAnswer } from "./picture-program.js";
import { slots } from "../../traffic/bounds.js";

/** In whose lines a picture waits: of who brings it, and then of their organization. */
export interface Uploader {
  organizationId: string;
  /** Nobody is somebody without an account. */
  userId: string | null;
}

const patience = {
  maxWaitMs: slots.pictures.waitMs,
  giveUp: () => picturesBusy(),
};
const inTurn = createFairTurns(slots.pictures.most, patience);
/** Nobody has two in the line of their organization, in which others of it wait. */
const oneByOne = createFairTurns(Infinity, patience);

/** Makes of a picture of somebody's what is kept of it; refuses what cannot be read whole. It is in memory in its turn only. */
export async function readPicture(
  open: () => Promise<Buffer>,
  type: PictureType,
  { uploader: { organizationId, userId }, ...file }: Named & { uploader: Uploader },
): Promise<Picture> {
  const answer = await oneByOne(`${organizationId} ${userId}`, () =>
    inTurn(organizationId, async () => order(await open(), type)),
  );
  if ("picture" in answer) return answer.picture;
  throw toRefusal(answer, file);
}

async function order(given: Buffer, type: PictureType): Promise<PictureAnswer> {
  try {
    return await orderPicture({ given, type });
  } catch (error) {
    throw picturesBusy(error);
  }
}

function picturesBusy(cause?: unknown): AppError {
  return new AppError("unavailable", "pictures_busy", { retry_after_seconds: 10 }, { cause });
}

function toRefusal(
  { refusal, message }: Extract<PictureAnswer, { refusal: string }>,
  { field, name }: Named,
): AppError {
  const file = { field, name };
  return refusal === "too_large"
    ? new AppError("validation_failed", "picture_too_large", {
        ...file,
        max_megapixels: maxMegapixels,
      })
    : new AppError("validation_failed", "picture_unreadable", file, { cause: message });
}
