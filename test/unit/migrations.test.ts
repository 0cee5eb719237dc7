import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { migrationNames } from "../../server/src/db/migrations.js";
import { readSqlFiles } from "../../server/src/db/sql-files.js";

/** Each migration with its checksum. Add a line for a new one and leave the others unchanged. */
const checksums: Record<string, string> = {
  "01-people": "e5ebebb926e19b5652a830b1cef836461e18d07bc8cca32655f7852c8c521426",
  "02-assets": "4abeb70801fbe538d766d00ec392ca6a22784fcb08b2d5f7cff4a88a2fde6b8a",
  "03-tasks": "1f4f8835136ad5b579c0a5c98b189d949a98b992b9f263449c1ba9e20445c60c",
  "04-history": "a72e84c0e9f2a947d0cac82be2e9198e189ba50a3a1fd708f986dfbad3227559",
  "05-audit": "3279dcd5dcbdc76bc37526ba06ca8594723186770105f33e1861d298b9ef10d9",
  "06-accounts": "2981669a04a833308e4e5e7f40603cb067fcb8e832836f68de7a43564fcd4d37",
  "07-authorization": "9d0e3879b73c2cf7d15c0050336ca62e91e7a2e1f79a26521672a31554fb50f0",
  "08-messages": "912213740dad043cff6b0f094018cbb499aef7baab828211b13fea0466277ed3",
  "09-reports-and-rounds": "a831c58e245249d714479fa4d96174762ae815f86b8543c2cb9266cf49a981b0",
  "10-figures": "57ceee3c9eea557192b6489c89d7fb6767408b48466d8f1523bbda6a933ca47b",
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
