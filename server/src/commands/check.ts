import type { Database } from "../db/database.js";
import { parseConfig, type Config } from "../config.js";
import { findChangedFunctions, readFunctionHashes } from "../db/functions.js";
import { compareSchema } from "../db/migrate.js";
import { migrationNames } from "../db/migrations.js";
import { openDatabase, type OpenDatabase } from "../db/open-database.js";
import { createAuditSigner } from "../domain/audit/audit-signer.js";
import {
  countSignatures,
  describeForeignSignatures,
  findWrongEnds,
} from "../domain/audit/audit-state.js";
import { StartError } from "../errors.js";
import { tryRedis } from "../traffic/counter-store.js";
import { toSmtpProblem, trySmtp } from "../mail/smtp.js";
import { databaseChoice } from "./database.js";
import type { Io } from "./io.js";
import { findSecretKeys } from "./secret-keys.js";

type Check = () => Promise<string> | string;

/** Checks everything that the server needs. Changes nothing, not even the schema. */
export async function runCheck(io: Io, json: boolean): Promise<void> {
  let wrong = 0;
  const look = async (name: string, check: Check) => {
    const { ok, found } = await run(check);
    if (!ok) wrong += 1;
    const line = `${ok ? "ok   " : "WRONG"}  ${name}: ${found}`;
    io.write(json ? JSON.stringify({ check: name, ok, found }) : line);
    return ok;
  };
  let config: Config | undefined;
  await look("variables", () => {
    config = parseConfig(io.variables);
    return `the address is ${config.baseUrl}`;
  });
  if (config !== undefined) {
    for (const [name, check] of checksOfServices(config)) await look(name, check);
    await lookAtDatabase(io, config, look);
  }
  if (wrong > 0) throw new StartError(`${wrong} checks failed.`);
}

async function run(check: Check): Promise<{ ok: boolean; found: string }> {
  try {
    return { ok: true, found: await check() };
  } catch (error) {
    return { ok: false, found: error instanceof Error ? error.message : String(error) };
  }
}

function checksOfServices(config: Config): [name: string, Check][] {
  const { smtpUrl, redisUrl } = config;
  return [
    [
      "keys",
      () => {
        const keys = findSecretKeys(config);
        if (keys.length > 0) return `${keys.length} in use`;
        if (config.databaseUrl === undefined) return "the first start makes one";
        throw new StartError("SECRET_KEYS must be set together with DATABASE_URL");
      },
    ],
    [
      "mail",
      async () => {
        if (smtpUrl === undefined) return "no mail server is set; admins see invitations as links";
        await trySmtp(smtpUrl).catch((error: unknown) => {
          throw new StartError(`${toSmtpProblem(error).reason} See SMTP_URL.`);
        });
        return "the mail server answers";
      },
    ],
    [
      "limits",
      async () => {
        if (redisUrl === undefined) return "counted in the memory of each node";
        await tryRedis(redisUrl).catch((error: unknown) => {
          throw new StartError(`Redis cannot be reached (${String(error)}). See REDIS_URL.`);
        });
        return "counted in Redis, which answers";
      },
    ],
  ];
}

async function lookAtDatabase(
  io: Io,
  config: Config,
  look: (name: string, check: Check) => Promise<boolean>,
): Promise<void> {
  let database: OpenDatabase | undefined;
  await look("database", async () => {
    database = await openDatabase(databaseChoice(io, config));
    return checkVersion(database);
  });
  if (database === undefined) return;
  const { db, close } = database;
  try {
    await look("extensions", () => checkExtensions(db));
    const isComplete = await look("schema", async () => {
      const { missing, unknown } = await compareSchema(db);
      if (unknown.length > 0)
        throw new StartError(`made by another version: it knows ${unknown.join(", ")}`);
      if (missing.length > 0) {
        throw new StartError(
          `${missing.length} of the ${migrationNames.length} migrations are missing. Run: fettle migrate`,
        );
      }
      const changedFunctions = findChangedFunctions(await readFunctionHashes(db));
      if (changedFunctions.length > 0) {
        throw new StartError(
          `${changedFunctions.join(", ")} are functions of another version. Run: fettle migrate`,
        );
      }
      return `up to date, ${migrationNames.length} migrations`;
    });
    if (isComplete) await look("audit", () => checkAudit(db, config));
  } finally {
    await close();
  }
}

const oldestServer = 150_000;

async function checkVersion({ db }: OpenDatabase): Promise<string> {
  const server = await db.maybe<{ version: string; number: number }>(
    "SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number",
  );
  if ((server?.number ?? 0) >= oldestServer) return `PostgreSQL ${server?.version ?? ""} answers`;
  throw new StartError(`PostgreSQL ${server?.version ?? ""} is too old; Fettle needs 15 or newer`);
}

const extensions = ["btree_gin", "citext", "pg_trgm"];

async function checkExtensions(db: Database): Promise<string> {
  const rows = await db.query<{ name: string }>(
    "SELECT name FROM pg_available_extensions WHERE name = ANY ($1)",
    [extensions],
  );
  const missing = extensions.filter((name) => rows.every((row) => row.name !== name));
  if (missing.length === 0) return `${extensions.join(", ")} are there`;
  throw new StartError(`${missing.join(", ")} must be installed on the database server (contrib)`);
}

async function checkAudit(db: Database, config: Config) {
  const ends = await findWrongEnds(db);
  if (ends.length > 0) {
    throw new StartError(
      `the ends of these chains do not fit: ${ends.join(", ")}. Run: fettle audit verify`,
    );
  }
  const keys = findSecretKeys(config);
  if (keys.length === 0) return "the ends of all chains fit";
  const { foreign } = await countSignatures(db, createAuditSigner(keys));
  if (foreign === 0) return "the ends of all chains fit, and the keys are those that signed them";
  throw new StartError(describeForeignSignatures(foreign));
}
