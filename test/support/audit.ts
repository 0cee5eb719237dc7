import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import type { Database } from "../../server/src/db/database.js";
import { afterAll, beforeAll } from "vitest";
import type { Io } from "../../server/src/commands/io.js";
import type { Config } from "../../server/src/config.js";
import { createProgram } from "../../server/src/commands/program.js";
import { keepAudit } from "../../server/src/domain/audit/audit-retention.js";
import { createAuditSigner } from "../../server/src/domain/audit/audit-signer.js";
import type { Checkpoint } from "../../server/src/domain/audit/checkpoints.js";
import { verifyChain, type ChainReport } from "../../server/src/domain/audit/verify-chain.js";
import { commit } from "../../server/src/domain/history/transactions.js";
import { recordActivity } from "../../server/src/domain/audit/record-activity.js";
import { testConfig, startApp } from "./app.js";
import { createDatabase, rewriteLog, type TestDatabase } from "./database.js";

export interface ExportedEntry {
  entry: Record<string, unknown> & {
    sequence: number;
    previous: string;
    details: Record<string, unknown>;
    personal: Record<string, string>;
  };
  hash: string;
  values: Record<string, { salt: string; value: unknown }>;
}

/** Starts the app on a new database, with helpers for audit tests. */
export function useAudit(overrides: Partial<Config> = {}) {
  const config = testConfig(overrides);
  const signer = createAuditSigner(config.secretKeys);
  let database: TestDatabase;
  let db: Database;
  let app: FastifyInstance;
  beforeAll(async () => {
    database = await createDatabase();
    db = database.db;
    app = await startApp(config, db);
  });
  afterAll(async () => {
    await app.close();
    await database.drop();
  });

  const write = (organizationId: string | undefined, name: string, details = {}) =>
    commit({ db, caller: null }, (tx) =>
      recordActivity(tx, {
        ...(organizationId !== undefined && { organizationId }),
        userId: "usr_writer",
        actorName: name,
        type: "workspace_created",
        details,
        origin: { ipAddress: "192.0.2.1", userAgent: "Browser" },
      }),
    );

  let chains = 0;
  /** A chain with only numbered entries. */
  async function aChain(length = 5): Promise<string> {
    chains += 1;
    const id = `org_chain${chains}`;
    for (let number = 1; number <= length; number += 1) {
      await write(id, `Entry ${number}`, { number });
    }
    return id;
  }

  const check = (id: string): Promise<ChainReport> =>
    verifyChain(db, signer, { id, organization: null });
  const problemsOf = async (id: string) => (await check(id)).problems;
  const sign = (days = 0) => keepAudit(db, { audit: days }, signer);

  /** Simulates an attacker with the database but not the keys, who recomputes all hashes. */
  async function rewriteAll(id: string): Promise<void> {
    await rewriteLog(
      db,
      `UPDATE activity_log SET sequence = NULL, hash = NULL, actor_name = 'Nobody'
       WHERE organization_id = $1`,
      [id],
    );
    await db.query("DELETE FROM audit_chains WHERE id = $1", [id]);
    await db.query(
      `SELECT audit_append(id) FROM (SELECT id FROM activity_log
         WHERE organization_id = $1 ORDER BY id) l`,
      [id],
    );
  }

  /** Runs an operator command while the server has the database open. */
  async function command(
    args: string[],
    variables: Record<string, string> = {},
    streams: Partial<Pick<Io, "stdin" | "output">> = {},
  ) {
    const lines: string[] = [];
    const errors: string[] = [];
    const { run: start } = createProgram({
      variables: {
        SECRET_KEYS: config.secretKeys.join(","),
        DATABASE_URL: database.url,
        DATA_DIR: database.dataDir,
        ...variables,
      },
      stdin: Readable.from([]),
      write: (line) => lines.push(line),
      writeError: (line) => errors.push(line),
      report: () => undefined,
      onStopSignal: () => undefined,
      abort: () => undefined,
      ...streams,
    });
    return { code: await start(args), lines, errors };
  }
  const run = (args: string[]) => command(["audit", ...args]);

  const current = () => ({ db, app });
  return {
    config,
    signer,
    current,
    write,
    aChain,
    check,
    problemsOf,
    sign,
    rewriteAll,
    command,
    run,
  };
}

export function save(lines: string[]): string {
  const file = join(mkdtempSync(join(tmpdir(), "audit-")), "kept.jsonl");
  writeFileSync(file, lines.join("\n"));
  return file;
}

export function entriesOf(lines: string[]): ExportedEntry[] {
  return lines
    .filter((line) => line.startsWith('{"entry"'))
    .map((line) => JSON.parse(line) as ExportedEntry);
}

export function checkpointsOf(lines: string[]): Checkpoint[] {
  return lines
    .filter((line) => line.startsWith('{"checkpoint"'))
    .map((line) => JSON.parse(line) as Checkpoint);
}
