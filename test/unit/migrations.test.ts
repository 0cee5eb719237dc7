import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { migrationNames } from "../../server/src/db/migrations.js";
import { readSqlFiles } from "../../server/src/db/sql-files.js";

/** Each migration with its checksum. Add a line for a new one and leave the others unchanged. */
const checksums: Record<string, string> = {
  "01-people": "b2fc20d94eac3ae759e526c7b81ebde699586c0176707ed506ec521d8659f819",
  "02-assets": "1b035b718b88a729d024cada4e4c40308bd96e2686b629c12f2d2df9eeb1f833",
  "03-tasks": "dfd5aabc1ef5864a72e2a39b5f154abbcbdbefeb8c4a0a564050dc71e4a721f2",
  "04-history": "c671426dc4ba5137d4110876ec91c6e8dff7b1399aa793261f2c7ef0f7480ce4",
  "05-audit": "cfc791f9652259482c0ce5545c71c133561149b4ae3d0c5560de5fb5d9dc9e8c",
  "06-accounts": "fc6c909fd0814b514923e33cc7906720a612f949c6fe2771f9db840a28c00a1d",
  "07-authorization": "4dc04cb29710668de9c5ef762f1ed5c538ce1aacd1bb1d6257638cf76a2a0aab",
  "08-messages": "e5bbdfdd0203951d61a1458d042cd9c665a2f00c783519203a05ac324382f58b",
  "09-reports-and-rounds": "30f6d034c5c837d5b0da8ccd3f9cd965c95858d3f283154755ddbead5148cd5c",
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
