import type { Scope } from "fettle-shared";
import type { Database, Tx } from "../db/database.js";
import type { Caller } from "../domain/access/caller.js";
import type { ToolCallLog } from "../domain/audit/tool-calls.js";
import type { Report } from "../domain/history/change-all.js";
import { createOnce, type IntendedCreation } from "../domain/history/idempotency.js";
import { commit, dryRun } from "../domain/history/transactions.js";
import type { LabelLinkSigner } from "../domain/labels/label-links.js";
import type { MailCipher } from "../domain/messaging/mail-cipher.js";
import type { CursorCodec } from "../domain/shared/cursors.js";
import { omit } from "../domain/shared/omit.js";
import type { PersonInput } from "./confirmation.js";
import { isObject } from "./normalize.js";

export interface CallContext {
  db: Database;
  /** For read-only tools. */
  reads: Database;
  cursors: CursorCodec;
  labelLinks: LabelLinkSigner;
  mails: MailCipher;
  toolCalls: Pick<ToolCallLog, "record">;
  /** Waits for a turn to change several records. Returns a function that ends the turn. */
  takeTurn: () => Promise<() => void>;
  log: { error: (details: object, message: string) => void };
  /** The person and app behind the token. Each call adds its request id. */
  caller: Omit<Caller, "requestId"> & {
    client: { id: string; name: string };
    connectionId: string;
  };
  scopes: readonly Scope[];
  /** Reports the progress of a change of several records to the client. */
  report?: Report | undefined;
  /** How the client reaches its person. Undefined if it can't. */
  person?: PersonInput | undefined;
  /** Revisions before 2025-06-18 don't define them, and strict clients reject unknown content. */
  knowsResourceLinks: boolean;
}

interface ToolWriter {
  db: Database;
  caller: Caller;
}

/** Only existing records have these fields. */
const ofRecord = ["id", "inventory_number", "task_number", "url", "version"] as const;
type OfRecord = (typeof ofRecord)[number];

type Tried<Part> = Part extends { version?: number | undefined }
  ? Omit<Part, OfRecord> & Partial<Pick<Part, OfRecord & keyof Part>>
  : Part;

type Attempted<Answer> = {
  [Key in keyof Omit<Answer, "deleted">]: Answer[Key] extends readonly (infer Row)[] | undefined
    ? Tried<Row>[] | Extract<Answer[Key], undefined>
    : Tried<Answer[Key]>;
} & { deleted?: true; would_delete?: true; dry_run?: true };

/**
 * Makes a change, or a dry run. A dry run returns the change's result without the record's
 * `version`: the record retains its version, which the next call must expect.
 */
export async function runOrDryRun<Answer extends object>(
  writer: ToolWriter,
  isDryRun: boolean,
  change: (tx: Tx) => Promise<Answer>,
): Promise<Attempted<Answer>> {
  if (isDryRun) return toTried(await dryRun(writer.db, change), ["version"]);
  return (await commit(writer, change)) as Attempted<Answer>;
}

/**
 * Like `runOrDryRun` for a creation, which runs once per request key. A dry run also omits ids and
 * numbers, because another record will get them.
 */
export async function createOrDryRun<Answer extends object>(
  writer: ToolWriter,
  isDryRun: boolean,
  intended: IntendedCreation,
  create: (tx: Tx) => Promise<Answer>,
): Promise<Attempted<Answer> & { deduplicated?: true }> {
  if (isDryRun) return toTried(await dryRun(writer.db, create), ofRecord);
  const answer = await commit(writer, (tx) =>
    createOnce(tx, writer.caller, intended, () => create(tx)),
  );
  return answer as Attempted<Answer> & { deduplicated?: true };
}

const records = new Set(["asset", "assets", "task", "tasks"]);

function toTried<Answer extends object>(
  answer: Answer,
  untrue: readonly OfRecord[],
): Attempted<Answer> {
  const toPart = ([name, part]: [string, unknown]): [string, unknown] => {
    if (name === "deleted") return ["would_delete", part];
    if (name === "next_task") return [name, without(part, ofRecord)];
    return [name, records.has(name) ? without(part, [...untrue, "next_task"]) : part];
  };
  const parts = Object.fromEntries(Object.entries(answer).map(toPart));
  return { dry_run: true, ...parts } as Attempted<Answer>;
}

function without(part: unknown, names: readonly string[]): unknown {
  if (Array.isArray(part)) return part.map((row: unknown) => without(row, names));
  return isObject(part) ? omit(part, ...names) : part;
}
