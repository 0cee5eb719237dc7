import { createHash } from "node:crypto";
import pg from "pg";

/** Past this many different texts (lists of unusual length, say) statements stay unnamed. */
const maxNames = 1000;
const names = new Map<string, string>();

/**
 * A `pg` client that gives every statement with parameters a name derived from its text, so that
 * PostgreSQL parses and plans it once per connection. Planning is most of the cost of our small
 * reads. Not for the embedded database: there all connections share one backend and its names.
 */
export class StatementClient extends pg.Client {
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
