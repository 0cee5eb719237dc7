import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { migrationNames } from "../../server/src/db/migrations.js";
import { readSqlFiles } from "../../server/src/db/sql-files.js";

/** Each migration with its checksum. Add a line for a new one and leave the others unchanged. */
const checksums: Record<string, string> = {
  "01-people": "019e2557b4f3ab107b411e8f8eb19e523baf9e11537df374c04af8717f97d8e4",
  "02-assets": "4abeb70801fbe538d766d00ec392ca6a22784fcb08b2d5f7cff4a88a2fde6b8a",
  "03-tasks": "dff4e30e541017abe98adf49dc476f2c12bf31eb1af8c6bd817319cabe0eda0f",
  "04-history": "536e977c3cb6bb3a2d47b67992f5c35b5afb990cb9976af01b1032f15ddbe786",
  "05-audit": "3279dcd5dcbdc76bc37526ba06ca8594723186770105f33e1861d298b9ef10d9",
  "06-accounts": "06ab3067d85130f696de70c2ac81089930f2b5c0806764ac4a86d51927286881",
  "07-authorization": "9d0e3879b73c2cf7d15c0050336ca62e91e7a2e1f79a26521672a31554fb50f0",
  "08-messages": "c7ac96d66383d2e49d04ef7848aa9fd2865c099e82b7ea5d20a30c133245a396",
  "09-reports-and-rounds": "467671237fed0daa11b407128a78991aac4521c936ac814548922f9af5d7b5a7",
  "10-figures": "c01da6433b36d5808d01ebd0cfc90b63ebe2aae932754befb3d789e09fadded9",
};

const files = readSqlFiles("migrations");

test.each(files)("the migration $name is unchanged", ({ name, text }) => {
  const checksum = createHash("sha256").update(text).digest("hex");

  expect(
    checksum,
    checksums[name] === undefined
      ? `${name}.sql is new. Add this line to test/unit/migrations.test.ts:\n  "${name}": "${checksum}",`
      : `${name}.sql was changed, but databases that ran it will not run it again. Undo the change, and ` +
          "write a migration with the next number. Functions and triggers belong in db/functions.",
  ).toBe(checksums[name]);
});

test("no migration was removed or renamed", () => {
  const names = files.map(({ name }) => name);

  expect(names, "A migration that databases ran must stay, under its name.").toEqual(
    expect.arrayContaining(Object.keys(checksums)),
  );
});

test("migrations are numbered 01, 02, 03 and so on, and run in that order", () => {
  const numbers = files.map((_, index) => String(index + 1).padStart(2, "0"));

  expect(files.map(({ name }) => name.split("-")[0])).toEqual(numbers);
  expect([...migrationNames].sort((a, b) => Number(a.slice(-13)) - Number(b.slice(-13)))).toEqual(
    migrationNames,
  );
});
