import type { DataSource, EntityManager } from "typeorm";
import type { Caller } from "../domain/access/caller.js";
import { createOnce, type IntendedCreation } from "../domain/changes/idempotency.js";
import { omit } from "../domain/values/omit.js";
import { commit, dryRun } from "../domain/changes/transactions.js";

interface ToolWriter {
  db: DataSource;
  caller: Caller;
}

/** What a call answers with, whether its change was made or only tried. */
type Attempted<Answer> = {
  [Key in keyof Answer]: Answer[Key] extends { version: number; url: string }
    ? Omit<Answer[Key], "version" | "url"> & { version?: number; url?: string }
    : Answer[Key];
} & { dry_run?: true };

/**
 * Makes a change, or only tries it. A dry run answers what the change would, marked, and without the
 * `version` of the record: the record keeps the one it has, which is the one to expect next.
 */
export async function runOrDryRun<Answer extends object>(
  writer: ToolWriter,
  isDryRun: boolean,
  change: (tx: EntityManager) => Promise<Answer>,
): Promise<Attempted<Answer>> {
  if (isDryRun) return toTried(await dryRun(writer.db, change), ["version"]);
  return (await commit(writer, change)) as Attempted<Answer>;
}

/**
 * The same for a creation, which is made once for each request key. A dry run leaves the `url` out
 * too: nothing is there.
 */
export async function createOrDryRun<Answer extends object>(
  writer: ToolWriter,
  isDryRun: boolean,
  intended: IntendedCreation,
  create: (tx: EntityManager) => Promise<Answer>,
): Promise<Attempted<Answer> & { deduplicated?: true }> {
  if (isDryRun) return toTried(await dryRun(writer.db, create), ["version", "url"]);
  const answer = await commit(writer, (tx) =>
    createOnce(tx, writer.caller, intended, () => create(tx)),
  );
  return answer as Attempted<Answer> & { deduplicated?: true };
}

function toTried<Answer extends object>(
  answer: Answer,
  untrue: ("version" | "url")[],
): Attempted<Answer> {
  const toPart = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(toPart);
    return isRecord(part) ? omit(part, ...untrue) : part;
  };
  const parts = Object.entries(answer).map(([name, part]) => [name, toPart(part)]);
  return { ...(Object.fromEntries(parts) as Attempted<Answer>), dry_run: true };
}

function isRecord(part: unknown): part is { version: number; url: string } {
  return typeof part === "object" && part !== null && "version" in part;
}
