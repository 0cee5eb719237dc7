/** After this many different texts, such as lists of unusual length, statements stay unnamed. */
const maxStatements = 1000;

const parse = "P".charCodeAt(0);
const bind = "B".charCodeAt(0);
const parseComplete = "1".charCodeAt(0);
const errorResponse = "E".charCodeAt(0);
/** Type and length at the start of a message. */
const headerBytes = 5;
/** SQLSTATE fields of errors that mean a prepared statement is stale. */
const staleCodes = ["C26000\0", "C0A000\0"];

export interface PreparedBatch {
  messages: Uint8Array;
  /** Must be called with the database's first answer. */
  learn: (answer: Uint8Array) => void;
}

/**
 * Lets the embedded database's only backend parse and plan each statement once for all connections.
 * Clients send statements unnamed, because they can't know the names of other clients. A known
 * statement is bound by its name here. An empty statement is parsed in its place, so every answer
 * is the expected one.
 */
export class EmbeddedStatements {
  readonly #names = new Map<string, string>();
  #count = 0;

  /** Prepares a batch. Its first message may be Parse and its second Bind. */
  prepare(messages: readonly Uint8Array[]): PreparedBatch {
    const [first, second, ...rest] = messages;
    const asked = first && readUnnamed(first);
    const values = second && readValues(second);
    if (asked === undefined || values === undefined) return untouched(messages);
    const known = this.#names.get(asked);
    if (known === undefined && this.#names.size >= maxStatements) return untouched(messages);
    const name = known ?? `statement_${(this.#count += 1)}`;
    const parsed = known === undefined ? toMessage(parse, name, asked) : emptyStatement;
    const bound = toMessage(bind, "", Buffer.concat([cString(name), values]));
    return {
      messages: Buffer.concat([parsed, bound, ...rest]),
      learn: (answer) => {
        if (known === undefined && answer[0] === parseComplete) this.#names.set(asked, name);
        if (known !== undefined && isStale(answer)) this.#names.delete(asked);
      },
    };
  }
}

function untouched(messages: readonly Uint8Array[]): PreparedBatch {
  return { messages: Buffer.concat(messages), learn: () => undefined };
}

/** Returns the text and parameter types of an unnamed Parse, one character per byte. */
function readUnnamed(message: Uint8Array): string | undefined {
  if (message[0] !== parse || message[headerBytes] !== 0) return undefined;
  return Buffer.from(message).toString("latin1", headerBytes + 1);
}

/** Returns the part of Bind after the names, if portal and statement are unnamed. */
function readValues(message: Uint8Array): Uint8Array | undefined {
  const isUnnamed = message[headerBytes] === 0 && message[headerBytes + 1] === 0;
  return message[0] === bind && isUnnamed ? message.subarray(headerBytes + 2) : undefined;
}

function toMessage(type: number, name: string, content: string | Uint8Array): Buffer {
  const body = Buffer.concat([
    cString(name),
    typeof content === "string" ? Buffer.from(content, "latin1") : content,
  ]);
  const header = Buffer.alloc(headerBytes);
  header.writeUInt8(type, 0);
  header.writeInt32BE(body.length + headerBytes - 1, 1);
  return Buffer.concat([header, body]);
}

function cString(text: string): Buffer {
  return Buffer.from(`${text}\0`, "latin1");
}

const emptyStatement = toMessage(parse, "", "\0\0\0");

/**
 * True if the statement was dropped, or a table's change altered its columns. The error arrives in
 * place of the answer to Bind.
 */
function isStale(answer: Uint8Array): boolean {
  return (
    answer[headerBytes] === errorResponse &&
    staleCodes.some((code) => Buffer.from(answer).includes(code, headerBytes, "latin1"))
  );
}
