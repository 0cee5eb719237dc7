import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { Readable } from "node:stream";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readPicture } from "../../server/src/domain/files/pictures.js";
import { prepareFile } from "../../server/src/domain/files/prepare-file.js";
import { aPhoto, describePicture } from "../support/pictures.js";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "fettle-test-"));
});
afterEach(() => rm(folder, { recursive: true }));

async function aFile(content: Buffer) {
  const path = join(folder, "file");
  await writeFile(path, content);
  return { field: "photo", name: "file", path, isTooLarge: false };
}

test("LIM-83 a picture lies on the disk until it is its turn, and then again", async () => {
  let open: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (open = resolve));
  const photo = await aPhoto();
  const others = ["one", "other"].map((uploader) =>
    readPicture(() => gate.then(() => photo), "image/jpeg", { field: "", name: "", uploader }),
  );
  const file = await aFile(photo);

  const preparing = prepareFile(file, 10, "somebody");
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

test("LIM-83 what is no picture is read from the disk when it is stored, whenever that is", async () => {
  const text = Buffer.from("Grease every week.\n".repeat(20_000));
  const { content, size, type } = await prepareFile(await aFile(text), 10, "somebody");

  expect(type).toBe("text/plain");
  expect(size).toBe(text.length);
  for (let time = 0; time < 2; time += 1)
    expect(text.equals(await buffer(Readable.from(content())))).toBe(true);
});
