// @module-tag embedded

import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { PassThrough, Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import type { Database } from "../../../server/src/db/database.js";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { dump } from "../../../server/src/db/backup/dump.js";
import { load } from "../../../server/src/db/backup/load.js";
import { Tally, type Manifest, type Piece } from "../../../server/src/db/backup/pieces.js";
import { createSample } from "../../../server/src/demo/seed.js";
import { recordActivity } from "../../../server/src/domain/audit/record-activity.js";
import { useAudit } from "../../support/audit.js";
import { aMember, type Member } from "../../support/builders.js";
import { createDatabase, prepareDataDir, type TestDatabase } from "../../support/database.js";
import { callWith, connect, signIn } from "../../support/oauth.js";
import { startApp } from "../../support/app.js";

describe("backup and restore", () => {
  const audit = useAudit();
  const folder = mkdtempSync(join(tmpdir(), "backup-"));
  const file = join(folder, "fettle.backup");
  const after: (() => unknown)[] = [
    () => {
      rmSync(folder, { recursive: true });
    },
  ];
  let member: Member;
  let token: string;
  let printed: Record<string, unknown>;
  afterAll(async () => {
    for (const step of after.reverse()) await step();
  });

  beforeAll(async () => {
    const { app, db } = audit.current();
    await createSample(db, {
      organization: "Northgate",
      size: "tiny",
      asOf: "2026-01-15",
      password: "correct horse battery",
      baseUrl: "http://fettle.test",
    });
    member = await aMember(db, { name: "Zoë \u2028 “line” \\ break", workspace: "Hall" });
    token = (await connect(app, member)).tokens.access_token;
    await audit.sign();
    const { code, lines, errors } = await audit.command(["backup", "--to", file]);
    expect(code, errors.join()).toBe(0);
    expect(errors.join()).toContain("Keep a copy of the keys in another place: SECRET_KEYS");
    printed = JSON.parse(lines.join()) as Record<string, unknown>;
  }, 300_000);

  /** An empty database, and the variables that commands need for it. */
  async function anotherDatabase(): Promise<TestDatabase & { variables: Record<string, string> }> {
    const database = await createDatabase();
    after.push(database.drop);
    const { url = "", dataDir = "" } = database;
    return { ...database, variables: { DATABASE_URL: url, DATA_DIR: dataDir } };
  }

  /**
   * Every row of every table and the schema besides columns, in an order independent of the
   * product.
   */
  async function contentOf(db: Database): Promise<Record<string, unknown>> {
    const content: Record<string, unknown> = {};
    for (const { tableName } of db.tables) {
      const rows = await db.query<{ row: string }>(
        `SELECT t::text AS row FROM ${tableName} t ORDER BY t::text COLLATE "C"`,
      );
      content[tableName] = rows.map(({ row }) => row);
    }
    content["schema"] = await db.query(
      `SELECT indexdef AS is FROM pg_indexes WHERE schemaname = 'public'
       UNION ALL SELECT conrelid::regclass || ' ' || conname || ' ' || convalidated || ' '
         || pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = 'public'::regnamespace
       UNION ALL SELECT pg_get_triggerdef(oid) || tgenabled::text FROM pg_trigger WHERE NOT tgisinternal
       ORDER BY 1`,
    );
    return content;
  }

  const restore = (from: string, variables: Record<string, string>) =>
    audit.command(["restore", "--from", from], variables);

  async function expectNothingIn({ db }: TestDatabase): Promise<void> {
    const rows: unknown = await db.query(
      `SELECT (SELECT count(*)::int FROM users) AS users,
         (SELECT count(*)::int FROM oauth_clients) AS clients`,
    );
    expect(rows).toEqual([{ users: 0, clients: 1 }]);
  }

  test("restores everything, and the server continues where it was", async () => {
    const target = await anotherDatabase();
    const { db } = audit.current();

    const { code, lines, errors } = await restore(file, target.variables);

    expect(code, errors.join()).toBe(0);
    expect(JSON.parse(lines.join())).toMatchObject({
      tables: db.tables.length,
      rows: printed["rows"],
      secret_keys: "the same",
    });
    const restored = target.db;
    expect(await contentOf(restored)).toEqual(await contentOf(db));

    const app = await startApp(audit.config, restored);
    try {
      await signIn(app, member);
      expect(await callWith(app, token)).not.toBe(401);
      await expect(restored.query("UPDATE history_events SET note = 'x'")).rejects.toThrow(
        /append-only/,
      );
      await expect(restored.query("DELETE FROM activity_log")).rejects.toThrow(/append-only/);
      // Numbering continues after the issued numbers.
      await restored.transaction((tx) =>
        recordActivity(tx, { actorName: "After", type: "account_created" }),
      );
      const checked = await audit.command(["audit", "verify"], target.variables);
      expect(checked.code, checked.errors.join()).toBe(0);
    } finally {
      await app.close();
    }
  });

  test("the file is readable only by its owner, without plaintext secrets, and overwrites nothing", async () => {
    expect(statSync(file)).toMatchObject({ size: printed["bytes"] });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const text = gunzipSync(readFileSync(file)).toString();
    for (const secret of [token, member.password, ...audit.config.secretKeys]) {
      expect(text).not.toContain(secret);
    }

    const again = await audit.command(["backup", "--to", file]);

    expect([again.code, again.errors]).toEqual([
      1,
      [`${file} is there already. Name another file.`],
    ]);
  });

  test("the error for an unusable folder names it and the fix", async () => {
    const { errors } = await audit.command(["backup", "--to", "/missing/a"]);
    expect(errors).toEqual(["The folder /missing does not exist. Create it or name another one."]);
  });

  test("supports standard output and input, with messages written elsewhere", async () => {
    const target = await anotherDatabase();
    const output = new PassThrough();
    const [written, bytes] = await Promise.all([
      audit.command(["backup", "--to", "-"], {}, { output }).finally(() => output.end()),
      buffer(output),
    ]);
    const read = (part: Buffer) =>
      audit.command(["restore", "--from", "-"], target.variables, { stdin: Readable.from(part) });
    const half = await read(bytes.subarray(0, bytes.length / 2));
    await expectNothingIn(target);
    const restored = await read(bytes);

    expect([written.code, written.lines]).toEqual([0, []]);
    expect(written.errors.join()).toContain('"file":"-"');
    expect(half.errors.join()).toContain("standard input is no back-up of Fettle, or is damaged");
    expect(JSON.parse(restored.lines.join())).toMatchObject({ rows: printed["rows"] });
  });

  test("OPS-21: never writes through a planted symlink", async () => {
    const [inside, target] = [join(folder, "planted"), join(folder, "precious")];
    mkdirSync(inside);
    writeFileSync(target, "precious");
    symlinkSync(target, join(inside, "a.backup.part"));

    const { code, errors } = await audit.command(["backup", "--to", join(inside, "a.backup")]);

    expect(code, errors.join()).toBe(0);
    expect(readFileSync(target, "utf8")).toBe("precious");
    expect(readdirSync(inside).sort()).toEqual(["a.backup", "a.backup.part"]);
  });

  test("notices keys that differ from the backup's", async () => {
    const target = await anotherDatabase();

    const { lines, errors } = await restore(file, {
      ...target.variables,
      SECRET_KEYS: "x".repeat(40),
    });

    expect(JSON.parse(lines.join())).toMatchObject({ secret_keys: "others" });
    expect(errors.join()).toContain("put the backup's keys in place");
  });

  test("rejects a database with accounts and leaves it unchanged", async () => {
    const { db } = audit.current();
    const before = await contentOf(db);

    const { code, errors } = await restore(file, {});

    expect(code).toBe(1);
    expect(errors.join()).toMatch(/^The database is not empty: it has \d+ accounts and \d+ org/);
    expect(await contentOf(db)).toEqual(before);
  });

  describe("restore of an invalid file", () => {
    let target: Awaited<ReturnType<typeof anotherDatabase>>;
    beforeAll(async () => {
      target = await anotherDatabase();
    });

    const packed = () => readFileSync(file);
    const rewritten = (from: string | RegExp, to: string) => {
      const text = gunzipSync(packed()).toString();
      expect(text.replace(from, to)).not.toBe(text);
      return gzipSync(text.replace(from, to));
    };
    /** Replaces the organizations and corrects their checksum in the manifest. */
    const resummed = (change: (row: string) => string) => {
      const lines = gunzipSync(packed()).toString().split("\n");
      const first = lines.indexOf("table organizations") + 1;
      const end = lines.findIndex((line, n) => n >= first && !line.startsWith("{"));
      const tally = new Tally();
      for (let n = first; n < end; n += 1) lines[n] = change(lines[n] ?? "");
      tally.add({ table: "organizations", rows: lines.slice(first, end) });
      const sum = JSON.stringify(tally.sums()).slice(1, -1);
      const text = lines.join("\n");
      return gzipSync(text.replace(/(?<=^manifest .*)"organizations":\{[^}]*\}/m, sum));
    };
    test.each<[string, () => Buffer, RegExp]>([
      ["cut off", () => packed().subarray(0, packed().length / 2), /damaged.*Nothing was changed/],
      ["no back-up", () => Buffer.from("PK"), /is no back-up of Fettle, or is damaged/],
      [
        "a flipped byte",
        () => {
          const bytes = Buffer.from(packed());
          const middle = Math.floor(bytes.length / 2);
          bytes.writeUInt8(bytes.readUInt8(middle) ^ 1, middle);
          return bytes;
        },
        /damaged/,
      ],
      [
        "a changed row",
        () => rewritten('"name":"Northgate"', '"name":"Southgate"'),
        /^The back-up is damaged: the table organizations/,
      ],
      [
        "a lost row",
        () => rewritten(/(?<=table assets\n)\{.*\n/, ""),
        /the table assets has \d+ rows, and not the \d+ that/,
      ],
      ["a lost end", () => rewritten(/manifest .*\n/, ""), /its end is missing/],
      ["a lost beginning", () => rewritten(/header .*\n/, ""), /its beginning is missing/],
      [
        "another schema",
        () => rewritten(/"02-assets-\d+",/, ""),
        /^The back-up was made by Fettle [\d.]+ with another schema \(\d+ migrations, this version has \d+\)/,
      ],
      [
        "OPS-22: a line without end",
        () => gzipSync("x".repeat(17 * 1024 * 1024)),
        /a line is longer than any of a back-up\. Nothing was changed/,
      ],
      [
        "OPS-22: rows of no table",
        () => rewritten("table organizations\n", ""),
        /rows are of no table\. Nothing was changed/,
      ],
      ...[
        ["a header of another shape", /^header .*$/m, "header null"],
        ["a header without migrations", '"migrations":', '"x":'],
        ["a program that writes to the terminal", /"program":"/, '"program":"\\u001b[2J'],
        ["a manifest that is no JSON", /^manifest .*$/m, "manifest {"],
        ["a manifest of another shape", /^manifest .*$/m, 'manifest {"tables":{"users":null}}'],
      ].map(([name, from, to]): [string, () => Buffer, RegExp] => [
        `OPS-22: ${name as string}`,
        () => rewritten(from as string | RegExp, to as string),
        /its header or manifest is none of a back-up\. Nothing was changed/,
      ]),
      [
        "OPS-22: a table that there is not",
        () => rewritten(/^manifest /m, "table pg_authid\nmanifest "),
        /it names a table that there is not/,
      ],
      [
        "OPS-22: more after its end",
        () =>
          rewritten(/\n$/, '\ntable users\n{"id":"x"}\nmanifest {"tables":{},"sequences":{}}\n'),
        /it has more rows than expected/,
      ],
      [
        "OPS-22: a row that the database does not take",
        () => resummed((row) => row.replace(/"created_at":"[^"]*"/, '"created_at":"no time"')),
        /^The database does not take what was backed up: .*no time.*Nothing was changed/,
      ],
      [
        "OPS-22: a row that is no JSON",
        () => resummed((row) => row.slice(0, -1)),
        /^The database does not take what was backed up: .*Nothing was changed/,
      ],
      [
        "OPS-22: a sequence that there is not",
        () => rewritten('"sequences":{', '"sequences":{"no_such":"1",'),
        /^The database does not take what was backed up: .*no_such.*Nothing was changed/,
      ],
    ])("%s", async (name, content, message) => {
      const wrong = join(folder, `${name}.backup`);
      writeFileSync(wrong, content());

      const { code, lines, errors } = await restore(wrong, target.variables);

      expect([code, lines]).toEqual([1, []]);
      expect(errors.join()).toMatch(message);
      expect(errors.join()).not.toContain("    at ");
      await expectNothingIn(target);
    });

    test("rejects a missing file", async () => {
      const { code, errors } = await restore(join(folder, "none"), target.variables);

      expect(code).toBe(1);
      expect(errors.join()).toMatch(/ENOENT/);
    });

    test("rejects rows that the database would store differently", async () => {
      const [pieces, tally] = [[] as Piece[], new Tally()];
      for await (const piece of dump(audit.current().db, "0")) {
        const differs = "rows" in piece && piece.table === "organizations";
        const one = differs
          ? { ...piece, rows: piece.rows.map((row) => row.replace("Northgate", "North\\u0067ate")) }
          : piece;
        if ("rows" in one) tally.add(one);
        pieces.push(
          "manifest" in one ? { manifest: { ...one.manifest, tables: tally.sums() } } : one,
        );
      }
      async function* send() {
        yield* pieces;
      }

      await expect(load(target.db, send())).rejects.toThrow(
        /^The database does not hold what was backed up: the table organizations/,
      );
      await expectNothingIn(target);
    });
  });

  test("a backup is a snapshot of one moment, despite concurrent writes", async () => {
    const { db } = audit.current();
    const pieces = dump(db, "0");
    await pieces.next();
    // On the embedded database it waits until the read is over.
    const late = aMember(db, { name: "Latecomer" });
    if (inject("databaseUrl") !== null) await late;

    let manifest: Manifest | undefined;
    const names: string[] = [];
    for await (const piece of pieces) {
      if ("manifest" in piece) ({ manifest } = piece);
      if ("rows" in piece && piece.table === "users") names.push(...piece.rows);
    }

    await late;
    expect(names.join()).toContain("Zoë");
    expect(names.join()).not.toContain("Latecomer");
    expect(manifest?.tables["users"]?.rows).toBe(names.length);
  });

  const isOnServer = inject("databaseUrl") !== null;
  test.runIf(isOnServer)(
    "after a move PostgreSQL contains everything from the folder",
    async () => {
      const embedded = prepareDataDir();
      after.push(embedded.remove);
      const variables = { DATABASE_URL: "", DATA_DIR: embedded.path };
      const restored = await restore(file, variables);
      expect(restored.code, restored.errors.join()).toBe(0);
      const target = await anotherDatabase();

      const { code, lines, errors } = await audit.command(["move"], {
        ...variables,
        MOVE_DATABASE_URL: target.url ?? "",
      });

      expect(code, errors.join()).toBe(0);
      expect(JSON.parse(lines.join())).toMatchObject({ rows: printed["rows"] });
      expect(errors.join()).toContain(`${join(embedded.path, "secret-keys")} as SECRET_KEYS`);
      const copy = join(folder, "moved.backup");
      await audit.command(["backup", "--to", copy], target.variables);
      const manifestOf = (name: string) =>
        gunzipSync(readFileSync(name))
          .toString()
          .match(/^manifest .*$/m)?.[0];
      expect(manifestOf(copy)).toBe(manifestOf(file));
    },
  );
});
