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

/** Serves the calls of one HTTP request. */
export interface CallContext {
  db: Database;
  /** For tools that only read. */
  reads: Database;
  cursors: CursorCodec;
  labelLinks: LabelLinkSigner;
  mails: MailCipher;
  toolCalls: Pick<ToolCallLog, "record">;
  /** Waits for the turn of a change of several records, and gives what ends it. */
  takeTurn: () => Promise<() => void>;
  log: { error: (details: object, message: string) => void };
  /** The person and app behind the token; every call adds a request id of its own. */
  caller: Omit<Caller, "requestId"> & {
    client: { id: string; name: string };
    connectionId: string;
  };
  scopes: readonly Scope[];
  /** Tells the client how far a change of several records is. */
  report?: Report | undefined;
  /** How the client reaches its person; without it, not at all. */
  person?: PersonInput | undefined;
  /** Revisions before 2025-06-18 do not know them, and strict clients refuse what they do not know. */
  knowsResourceLinks: boolean;
}

interface ToolWriter {
  db: Database;
  caller: Caller;
}

/** Only a record that is there has them. */
const ofRecord = ["id", "inventory_number", "task_number", "url", "version"] as const;
type OfRecord = (typeof ofRecord)[number];

type Tried<Part> = Part extends { version?: number | undefined }
  ? Omit<Part, OfRecord> & Partial<Pick<Part, OfRecord & keyof Part>>
  : Part;

/** What a call answers with, whether its change was made or only tried. */
type Attempted<Answer> = {
  [Key in keyof Omit<Answer, "deleted">]: Answer[Key] extends readonly (infer Row)[] | undefined
    ? Tried<Row>[] | Extract<Answer[Key], undefined>
    : Tried<Answer[Key]>;
} & { deleted?: true; would_delete?: true; dry_run?: true };

/**
 * Makes a change, or only tries it. A dry run answers what the change would, without the `version`
 * of the record: the record keeps the one it has, which is the one to expect next.
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
 * The same for a creation, which is made once for each request key. A dry run leaves out the ids and numbers
 * too: another record will get them.
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
