import { createHash } from "node:crypto";
import type { Socket } from "node:net";
import pg from "pg";

/** Past this many different texts (lists of unusual length, say) statements stay unnamed. */
const maxNames = 1000;
const names = new Map<string, string>();

interface ClientOptions extends pg.ClientConfig {
  /** How long the answer to a statement may be awaited; without it, for ever. */
  maxSilenceMs?: number;
}

/**
 * A `pg` client that ends its connection when the other side takes statements and says nothing: a
 * machine that hangs, or is gone without a word, would keep what waits for it for ever.
 */
export class DatabaseClient extends pg.Client {
  constructor(options: ClientOptions = {}) {
    super(options);
    // Its statements fail with what broke it. Without anybody who listens, as in the moment in which a
    // pool hands it out, the error would end the process.
    this.on("error", () => undefined);
    const { maxSilenceMs = 0 } = options;
    if (maxSilenceMs === 0) return;
    this.once("connect", () => {
      const { stream } = (this as unknown as { connection: { stream: Socket } }).connection;
      stream.setTimeout(maxSilenceMs);
      stream.on("timeout", () => {
        const isIdle = (this as unknown as { readyForQuery: boolean }).readyForQuery;
        if (!isIdle) stream.destroy(new Error("Connection terminated: no answer in time"));
      });
    });
  }
}

/**
 * One that gives every statement with parameters a name derived from its text, so that
 * PostgreSQL parses and plans it once per connection. Planning is most of the cost of our small
 * reads. Not for the embedded database: there all connections share one backend and its names.
 */
export class StatementClient extends DatabaseClient {
  // pg has one method with many call shapes; only (text, values[, callback]) is changed here.
  override query(...args: unknown[]): never {
    const [text, values] = args;
    if (typeof text === "string" && Array.isArray(values) && values.length > 0) {
      const name = nameOf(text);
      if (name !== undefined) args.splice(0, 2, { name, text, values });
    }
    return super.query(...(args as [string])) as never;
  }
}

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined) return known;
  if (names.size >= maxNames) return undefined;
  const name = "f" + createHash("sha256").update(text).digest("base64url").slice(0, 22);
  names.set(text, name);
  return name;
}
