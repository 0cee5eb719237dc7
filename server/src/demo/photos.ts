import sharp from "sharp";
import type { Tx } from "../db/database.js";
import type { Caller } from "../domain/access/caller.js";
import { setClock } from "../domain/access/clock.js";
import { storeFiles } from "../domain/files/add-files.js";
import { lockSubject, recordFiles } from "../domain/files/file-subjects.js";
import { readPicture } from "../domain/files/pictures.js";
import { createId } from "../domain/shared/ids.js";
import { dayMs } from "./plan/calendar.js";

type Colour = readonly [red: number, green: number, blue: number];

/** A box or a disc, in fractions of the picture's width and height. */
interface Shape {
  colour: Colour;
  box?: readonly [left: number, top: number, right: number, bottom: number];
  disc?: readonly [x: number, y: number, radius: number];
}

const steel: Colour = [150, 156, 162];
const dark: Colour = [52, 56, 62];

/** A few machines as seen from the door, by category. */
const scenes: Record<string, readonly Shape[]> = {
  Generators: [
    { box: [0.16, 0.38, 0.84, 0.76], colour: [214, 158, 46] },
    { box: [0.2, 0.44, 0.44, 0.68], colour: dark },
    { box: [0.56, 0.46, 0.78, 0.6], colour: [236, 226, 200] },
    { box: [0.7, 0.16, 0.75, 0.38], colour: steel },
    { box: [0.14, 0.76, 0.86, 0.82], colour: dark },
  ],
  Boilers: [
    { box: [0.3, 0.2, 0.7, 0.82], colour: [178, 66, 52] },
    { disc: [0.5, 0.36, 0.09], colour: [240, 238, 230] },
    { box: [0.4, 0.56, 0.6, 0.74], colour: dark },
    { box: [0.7, 0.28, 0.96, 0.33], colour: steel },
    { box: [0.04, 0.6, 0.3, 0.65], colour: steel },
  ],
  Pumps: [
    { box: [0.02, 0.52, 0.98, 0.6], colour: steel },
    { disc: [0.36, 0.56, 0.19], colour: [44, 96, 160] },
    { disc: [0.36, 0.56, 0.08], colour: dark },
    { box: [0.5, 0.44, 0.82, 0.68], colour: [44, 96, 160] },
    { box: [0.28, 0.76, 0.84, 0.82], colour: dark },
  ],
  Forklifts: [
    { box: [0.34, 0.46, 0.74, 0.76], colour: [226, 112, 38] },
    { box: [0.42, 0.18, 0.46, 0.46], colour: dark },
    { box: [0.42, 0.16, 0.72, 0.2], colour: dark },
    { box: [0.24, 0.12, 0.29, 0.8], colour: steel },
    { box: [0.06, 0.78, 0.28, 0.81], colour: dark },
    { disc: [0.42, 0.78, 0.09], colour: dark },
    { disc: [0.68, 0.78, 0.09], colour: dark },
  ],
};

const width = 800;
const height = 600;

/** Draws photos for the first machine of some kinds. */
export async function seedPhotos(tx: Tx, owner: Caller, end: number): Promise<void> {
  await setClock(tx, new Date(end - dayMs));
  for (const [category, shapes] of Object.entries(scenes)) {
    const found = await tx.query<{ id: string; name: string }>(
      `SELECT a.id, a.name FROM assets a
       JOIN asset_categories c ON c.organization_id = $1 AND c.id = a.category_id
       WHERE a.organization_id = $1 AND c.name = $2::citext AND a.state <> 'deleted'
       ORDER BY a.inventory_number LIMIT 1`,
      [owner.organizationId, category],
    );
    for (const { id, name } of found) await addPhoto(tx, owner, { id, name, shapes });
  }
}

async function addPhoto(
  tx: Tx,
  owner: Caller,
  { id, name, shapes }: { id: string; name: string; shapes: readonly Shape[] },
): Promise<void> {
  const file = { field: "photo", name: `${name}.jpg` };
  const { content: kept, ...picture } = await readPicture(() => draw(shapes), "image/jpeg", {
    ...file,
    uploader: owner,
  });
  const content = { size: kept.length, content: () => [kept] };
  const placed = { ...file, ...content, type: "image/jpeg", picture, id: createId("file") };
  const room = { objects: undefined, maxMegabytes: 1, organizationMegabytes: 10 };
  const subject = { kind: "asset", reference: id } as const;
  const locked = await lockSubject(tx, owner, subject, "add photos and files");
  await storeFiles(tx, owner, room, { asset_id: id }, [placed]);
  await recordFiles(tx, owner, locked, { to: [file.name] });
}

function draw(shapes: readonly Shape[]): Promise<Buffer> {
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [u, v] = [x / width, y / height];
      const shape = shapes.findLast((one) => isInside(one, u, v));
      const wall: Colour = v > 0.8 ? [128, 122, 114] : [214, 210, 200];
      // Light from the upper left, with some grain as from a phone in a dim room.
      const grain = ((x * 7919 + y * 104_729) % 13) - 6;
      const light = 1.12 - 0.3 * u - 0.18 * v + (shape === undefined ? 0 : 0.06 * Math.sin(u * 40));
      const colour = shape?.colour ?? wall;
      colour.forEach((value, at) => {
        const lit = Math.min(255, Math.max(0, value * light + grain));
        pixels.writeUInt8(Math.round(lit), (y * width + x) * 3 + at);
      });
    }
  }
  const raw = { width, height, channels: 3 } as const;
  return sharp(pixels, { raw }).jpeg({ quality: 82 }).toBuffer();
}

function isInside({ box, disc }: Shape, u: number, v: number): boolean {
  if (box !== undefined) return u >= box[0] && v >= box[1] && u < box[2] && v < box[3];
  if (disc === undefined) return false;
  return Math.hypot(u - disc[0], ((v - disc[1]) * height) / width) < disc[2];
}
