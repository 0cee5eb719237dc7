import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { migrationNames } from "../../server/src/db/migrations.js";
import { readSqlFiles } from "../../server/src/db/sql-files.js";

/** Each migration with its checksum. Add a line for a new one and leave the others unchanged. */
const checksums: Record<string, string> = {
  "01-people": "0f7307b402aa41eddcb2f146d678d88fba6d644db48a90b155e7d088bb754b62",
  "02-assets": "78f59ccef22c7632f4fa86c699d7874c38d4a8d141b9df38e0db292a0c5c087c",
  "03-tasks": "472466faa120a493938b4e1e9308d5634bf81f837d3f3272619274c519a36d9a",
  "04-history": "a1308a1f68046b31f5b837f25aeacbbc79d731040ad6504a87b908af7cbbfd3f",
  "05-audit": "eea427f64b7fd21f25db87f336da128afc5736287dd4318478d6309ae27915ff",
  "06-accounts": "a99e55008ee1577925b9a7ab2f5f1046579402f74ea6ce877714490f70b600d5",
  "07-authorization": "9378a7e10c17e583453a159266ad984863c0af12a12a141fd74f42538c08368f",
  "08-messages": "65db0b51e4f824562fb5e724e1eb8e68b6bf0afcf473c5e79bc8355789dadff8",
  "09-reports-and-rounds": "7eb01d9057dea12c2521ac145a438da5d1b785cc392118f96f97a7e31b8b3ede",
  "10-figures": "2204b8dc0adee662cb4062ae54233425f493fef3d561e04e16dc97e2752f2ba1",
};

const files = readSqlFiles("migrations");

test.each(files)("the migration $name is as it was", ({ name, text }) => {
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
