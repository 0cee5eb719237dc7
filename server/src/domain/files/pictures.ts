import { AppError } from "../../errors.js";
import { createFairQueue } from "../../traffic/slots.js";
import type { Named, PictureType } from "./file-types.js";
import { maxMegapixels, type Picture } from "./picture.js";
import { orderPicture } from "./picture-process.js";
import type { PictureAnswer } from "./picture-program.js";
import { slots } from "../../traffic/bounds.js";

/** A picture waits in its uploader's queue, and then in their organization's queue. */
export interface Uploader {
  organizationId: string;
  /** Null for a person without an account. */
  userId: string | null;
  /** The link of a contractor. The person is the one who shared the task. */
  taskLinkId?: string;
}

const patience = {
  maxWaitMs: slots.pictures.waitMs,
  giveUp: () => picturesBusy(),
};
const inTurn = createFairQueue(slots.pictures.most, patience);
/** No one has two pictures in their organization's queue, where others wait. */
const oneByOne = createFairQueue(Infinity, patience);

/**
 * Converts a picture to its stored form. Throws if it can't be read completely. It is in memory
 * only during its turn.
 */
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
