import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { Tx } from "../../server/src/db/database.js";
import { PostgresQueryRunner } from "typeorm/driver/postgres/PostgresQueryRunner.js";

/** A statement of the product, and the source where it was first sent. */
export interface RecordedStatement {
  text: string;
  from: string;
}

let isRecording = false;

/**
 * From now on, writes each statement that the product sends in this process into the folder once.
 */
export function recordStatements(folder: string): void {
  if (isRecording) return;
  isRecording = true;
  const seen = new Set<string>();
  const note = (text: string, isOfProduct: (frame: Frame | undefined) => boolean) => {
    if (seen.has(text)) return;
    const frames = ownFrames();
    if (!isOfProduct(frames[0])) return;
    seen.add(text);
    const places = frames.map(({ place }) => place).filter((place) => !aroundTypeorm.test(place));
    const line = JSON.stringify({ text, from: places.slice(0, 3).join(" < ") });
    appendFileSync(join(folder, `${process.pid}.jsonl`), `${line}\n`);
  };
  // Tests send their statements directly. All others count as the product's.
  const noteProducts = ({ text }: Query) => {
    note(text, (frame) => frame?.kind !== "test" || frame.isAwaited);
  };
  // Before a connection is awaited, which drops the caller from the stack.
  onQuery(Tx.prototype, noteProducts);
  onQuery(Tx.prototype, noteProducts, "run");
  onQuery(PostgresQueryRunner.prototype, noteProducts);
  onQuery(pg.Client.prototype, ({ text }) => {
    note(text, (frame) => frame?.kind === "server" && !frame.isAwaited);
  });
}

export async function captureQueries(work: () => Promise<unknown>): Promise<Query[]> {
  const queries: Query[] = [];
  const restore = onQuery(pg.Client.prototype, (query) => queries.push(query));
  await work().finally(restore);
  return queries;
}

/** Returns each text once. */
export function readStatements(folder: string): RecordedStatement[] {
  const lines = readdirSync(folder).flatMap((name) =>
    readFileSync(join(folder, name), "utf8").trim().split("\n"),
  );
  const all = lines.map((line) => JSON.parse(line) as RecordedStatement);
  return [...new Map(all.map((statement) => [statement.text, statement])).values()];
}

export interface Query {
  text: string;
  values: unknown[];
  /** True if the connection plans each statement for its values. */
  isReplanned: boolean;
}

function onQuery(target: object, tell: (query: Query) => void, name = "query"): () => void {
  const methods = target as Record<string, (...args: unknown[]) => unknown>;
  const original = methods[name];
  methods[name] = function (this: unknown, ...args: unknown[]) {
    const [given, values] = args as [string | Partial<Query>, unknown];
    const query = typeof given === "string" ? { text: given, values } : given;
    const { options = "" } =
      (this as { connectionParameters?: { options?: string } }).connectionParameters ?? {};
    tell({
      text: query.text ?? "",
      values: Array.isArray(query.values) ? query.values : [],
      isReplanned: options.includes("force_custom_plan"),
    });
    return original?.apply(this, args);
  };
  return () => {
    if (original !== undefined) methods[name] = original;
  };
}

const aroundTypeorm = /db\/request-queries/;
/** Modules that only forward statements. */
const passing = /recorded-statements|statement-client|src\/db\/(database|pools)\./;

interface Frame {
  kind: string;
  /** An awaiting frame. Its caller may be missing. */
  isAwaited: boolean;
  place: string;
}

/** Our own frames among callers and awaiting functions, the nearest first. */
function ownFrames(): Frame[] {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 60;
  const lines = (new Error().stack ?? "").split("\n");
  Error.stackTraceLimit = limit;
  const end = lines.findIndex((line) => /processTicksAndRejections|at async /.test(line));
  return lines.flatMap((line, index) => {
    const [, place, kind = "test"] = /((?:(server)\/src|(?:test))\/[^:)]+:\d+)/.exec(line) ?? [];
    if (place === undefined || line.includes("node_modules") || passing.test(place)) return [];
    return { kind, isAwaited: end >= 0 && index > end, place };
  });
}
