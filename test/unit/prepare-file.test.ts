import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { Readable } from "node:stream";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readPicture, type Uploader } from "../../server/src/domain/files/pictures.js";
import { prepareFile } from "../../server/src/domain/files/prepare-file.js";
import { aPhoto, describePicture } from "../support/pictures.js";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "fettle-test-"));
});
afterEach(() => rm(folder, { recursive: true }));

const somebody = { organizationId: "org_c", userId: "usr_c" };

function read(uploader: Uploader, open: () => Promise<Buffer>) {
  return readPicture(open, "image/jpeg", { field: "", name: "", uploader });
}

async function aFile(content: Buffer) {
  const path = join(folder, "file");
  await writeFile(path, content);
  return { field: "file", name: "file", path, isTooLarge: false };
}

test("LIM-83 keeps a picture on disk before and after its turn", async () => {
  let open: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (open = resolve));
  const photo = await aPhoto();
  const others = ["one", "other"].map((organizationId) =>
    read({ organizationId, userId: null }, () => gate.then(() => photo)),
  );
  const file = await aFile(photo);

  const preparing = prepareFile(file, 10, somebody);
  await new Promise((resolve) => setTimeout(resolve, 300));
  await writeFile(file.path, await aPhoto({ width: 90, height: 60 }));
  open();
  const { picture, content, size } = await preparing;
  await Promise.all(others);

  expect(picture).toMatchObject({ width: 60, height: 90 });
  const kept = await buffer(Readable.from(content()));
  expect(kept).toHaveLength(size);
  expect(await describePicture(kept)).toMatchObject({ width: 60, height: 90 });
});

test("LIM-83 reads other files from disk whenever they are stored", async () => {
  const text = Buffer.from("Grease every week.\n".repeat(20_000));
  const { content, size, type } = await prepareFile(await aFile(text), 10, somebody);

  expect(type).toBe("text/plain");
  expect(size).toBe(text.length);
  for (let time = 0; time < 2; time += 1)
    expect(text.equals(await buffer(Readable.from(content())))).toBe(true);
});

test("LIM-95: picture slots are shared fairly between organizations and between colleagues", async () => {
  let open: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (open = resolve));
  const photo = await aPhoto();
  const order: string[] = [];
  const readIn = (organizationId: string, userId: string, until: Promise<void>) =>
    read({ organizationId, userId }, async () => {
      order.push(userId);
      await until;
      return photo;
    });
  const many = ["a", "a", "b", "c"].map((userId) => readIn("org_a", userId, gate));

  await readIn("org_b", "other", Promise.resolve());
  expect(order).toEqual(["a", "other"]);
  open();
  await Promise.all(many);
  expect(order.slice(2)).toEqual(["b", "c", "a"]);
});
