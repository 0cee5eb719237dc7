import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import type { Socket } from "node:net";
import pg from "pg";

const { prepareValue } = createRequire(import.meta.url)("pg/lib/utils") as {
  prepareValue: (value: unknown) => string | Buffer | null;
};

/** After this many different texts, such as lists of unusual length, statements stay unnamed. */
const maxNames = 1000;
const names = new Map<string, string>();

interface ClientOptions extends pg.ClientConfig {
  /** Time limit for a statement's response. Unlimited if omitted. */
  maxSilenceMs?: number;
}

/**
 * A `pg` client that closes its connection when the server accepts statements but never responds.
 * If a machine hangs or disappears silently, requests would otherwise wait forever.
 */
export class DatabaseClient extends pg.Client {
  constructor(options: ClientOptions = {}) {
    super(options);
    // The client's statements reject with the error. Without a listener, such as while a pool hands
    // the client out, the error would end the process.
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
 * Names each statement with parameters after a hash of its text. PostgreSQL then parses and plans
 * it once per connection. Planning is most of the cost of small reads. Not for the embedded
 * database, where all connections share one backend and its names.
 */
export class StatementClient extends DatabaseClient {
  readonly #shapes = new Map<string, Shape>();
  /** A transaction was started, but its beginning is sent together with its first statement. */
  #isBeginDue = false;

  // `query` in pg has many call shapes. Only (text, values[, callback]) is changed here.
  override query(...args: unknown[]): never {
    const [text, values, callback] = args;
    if (text === begin && args.length <= 2 && values === undefined) {
      this.#isBeginDue = true;
      return Promise.resolve(begun) as never;
    }
    if (typeof text === "string" && Array.isArray(values) && values.length > 0) {
      const name = nameOf(text);
      if (name !== undefined) return this.#send({ name, text, values, callback }) as never;
    }
    this.#beginFirst();
    return super.query(...(args as [string])) as never;
  }

  /** If the connection is lost, the statement after this one rejects with the error. */
  #beginFirst(): void {
    if (!this.#isBeginDue) return;
    this.#isBeginDue = false;
    super.query(begin).catch(() => undefined);
  }

  #send({ callback, values, ...statement }: Named & { callback: unknown }) {
    const send = (done: Done) => {
      let bound: unknown[];
      try {
        bound = values.map(prepareValue);
      } catch (error) {
        done(error as Error);
        return;
      }
      const begins = this.#isBeginDue && this.#shapes.has(statement.name);
      if (begins) this.#isBeginDue = false;
      else this.#beginFirst();
      const sent = { ...statement, values, bound, begins };
      void super.query(new NamedStatement(sent, this.#shapes, done));
    };
    if (typeof callback === "function") {
      send(callback as Done);
      return undefined;
    }
    return new Promise<Answer | undefined>((resolve, reject) => {
      send((error, answer) => {
        if (error === null) resolve(answer);
        else reject(error);
      });
    });
  }
}

/** The text with which TypeORM starts a transaction. */
const begin = "START TRANSACTION";
const begun: Answer = { command: "START", rowCount: null, rows: [] };

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined) return known;
  if (names.size >= maxNames) return undefined;
  const name = "f" + createHash("sha256").update(text).digest("base64url").slice(0, 22);
  names.set(text, name);
  return name;
}

interface Named {
  name: string;
  text: string;
  values: unknown[];
}

interface Answer {
  command: string;
  rowCount: number | null;
  rows: object[];
}

type Done = (error: Error | null, answer?: Answer) => void;

type Parser = (text: string) => unknown;
const findParser = pg.types.getTypeParser as (type: number, format: "text") => Parser;

/** The columns of a statement's result, in order. */
interface Shape {
  names: string[];
  parsers: Parser[];
  empty: object;
}

/** Protocol methods of `pg` that are missing in its types. */
interface Connection {
  stream: Socket;
  parsedStatements: Record<string, string | undefined>;
  parse: (statement: Pick<Named, "name" | "text">) => void;
  bind: (bound: { statement: string; values: unknown[] }) => void;
  describe: (portal: { type: "P" }) => void;
  execute: () => void;
  sync: () => void;
}

const noShape: Shape = { names: [], parsers: [], empty: {} };

/**
 * A statement that `pg` sends by name (a "submittable", like its cursors). Requests the columns
 * only the first time, because a connection returns equal columns for a parsed statement.
 */
class NamedStatement {
  readonly name: string;
  readonly text: string;
  /** As given. `#bound` are the texts to send. */
  readonly values: unknown[];
  readonly #bound: unknown[];
  readonly #begins: boolean;
  readonly #shapes: Map<string, Shape>;
  readonly #done: Done;
  readonly #answer: Answer = { command: "", rowCount: null, rows: [] };
  #shape = noShape;
  #failure: Error | null = null;

  constructor(
    { name, text, values, bound, begins }: Named & { bound: unknown[]; begins: boolean },
    shapes: Map<string, Shape>,
    done: Done,
  ) {
    this.name = name;
    this.text = text;
    this.values = values;
    this.#bound = bound;
    this.#begins = begins;
    this.#shapes = shapes;
    this.#done = done;
  }

  submit(connection: Connection): void {
    const { name, text } = this;
    const isParsed = connection.parsedStatements[name] !== undefined;
    const shape = isParsed ? this.#shapes.get(name) : undefined;
    connection.stream.cork();
    if (this.#begins) {
      connection.parse({ name: "", text: begin });
      connection.bind({ statement: "", values: [] });
      connection.execute();
    }
    if (!isParsed) connection.parse({ name, text });
    connection.bind({ statement: name, values: this.#bound });
    if (shape === undefined) connection.describe({ type: "P" });
    else this.#shape = shape;
    connection.execute();
    connection.sync();
    connection.stream.uncork();
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    const names = fields.map((field) => field.name);
    this.#shape = {
      names,
      parsers: fields.map(({ dataTypeID }) => findParser(dataTypeID, "text")),
      empty: Object.fromEntries(names.map((field) => [field, null])),
    };
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const { names, parsers, empty } = this.#shape;
    const row: Record<string, unknown> = { ...empty };
    try {
      for (let index = 0; index < names.length; index += 1) {
        const value = fields[index];
        if (value != null) row[names[index] as string] = parsers[index]?.(value);
      }
    } catch (error) {
      this.#failure ??= error as Error;
    }
    this.#answer.rows.push(row);
  }

  handleCommandComplete({ text }: { text: string }): void {
    const [command = "", ...counts] = text.split(" ");
    const count = counts.at(-1);
    this.#answer.command = command;
    if (count !== undefined && /^\d+$/.test(count)) this.#answer.rowCount = Number(count);
    this.#shapes.set(this.name, this.#shape);
  }

  handleReadyForQuery(): void {
    this.#done(this.#failure, this.#answer);
  }

  handleError(error: Error): void {
    this.#done(error);
  }

  handleEmptyQuery(): void {}
}
