// @module-tag embedded

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { useAudit } from "../../support/audit.js";
import { prepareDataDir } from "../../support/database.js";

describe("moving to PostgreSQL", () => {
  const audit = useAudit();
  const folder = mkdtempSync(join(tmpdir(), "move-"));
  const after: (() => unknown)[] = [
    () => {
      rmSync(folder, { recursive: true });
    },
  ];
  afterAll(async () => {
    for (const step of after.reverse()) await step();
  });
  const nowhere = "postgres://nobody@127.0.0.1:1/x";

  test("only works from the embedded database, and not while it's in use", async () => {
    const embedded = prepareDataDir();
    after.push(embedded.remove);
    const move = (variables: Record<string, string>, to = nowhere) =>
      audit.command(["move", "--to", to], variables);

    const [other, wrong, away] = [
      await move({ DATABASE_URL: nowhere }),
      await move({ DATABASE_URL: "" }, "mysql://x"),
      await move({ DATABASE_URL: "", DATA_DIR: embedded.path }),
    ];

    expect([other.code, wrong.code, away.code]).toEqual([1, 1, 1]);
    expect(other.errors.join()).toContain("unset DATABASE_URL");
    expect(wrong.errors.join()).toContain("must be a PostgreSQL address");
    expect(away.errors.join()).toContain("cannot be reached");
  });

  test("OPS-23: accepts the database URL from places hidden from process lists", async () => {
    const embedded = prepareDataDir();
    after.push(embedded.remove);
    const secret = join(folder, "url");
    writeFileSync(secret, `${nowhere}\n`);
    const move = (variables: Record<string, string>, ...args: string[]) =>
      audit.command(["move", ...args], {
        DATABASE_URL: "",
        DATA_DIR: embedded.path,
        ...variables,
      });

    for (const untold of [await move({}), await move({}, "--to", "")]) {
      expect(untold.code).toBe(2);
      expect(untold.errors.join()).toContain("Set MOVE_DATABASE_URL");
    }
    for (const told of [
      await move({ MOVE_DATABASE_URL: nowhere }),
      await move({ MOVE_DATABASE_URL_FILE: secret }),
    ]) {
      expect(told.code).toBe(1);
      expect(told.errors.join()).toContain("The database x at 127.0.0.1:1 cannot be reached");
    }
  });
});
