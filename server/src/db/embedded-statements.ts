/** Past this many different texts (lists of unusual length, say) statements stay unnamed. */
const maxStatements = 1000;

const parse = "P".charCodeAt(0);
const bind = "B".charCodeAt(0);
const parseComplete = "1".charCodeAt(0);
const errorResponse = "E".charCodeAt(0);
/** Type and length, before what a message holds. */
const headerBytes = 5;
/** SQLSTATE fields of an error that say that a prepared statement is of no use any more. */
const staleCodes = ["C26000\0", "C0A000\0"];

export interface PreparedBatch {
  messages: Uint8Array;
  /** Must see what the database answers first. */
  learn: (answer: Uint8Array) => void;
}

/**
 * Has the one backend of the embedded database parse and plan each statement once, whichever
 * connection it comes from. Clients send their statements unnamed, as they cannot know the names of
 * others; a statement that is known is bound by the name it has here, and an empty one is parsed in
 * its place, so that every answer is the expected one.
 */
export class EmbeddedStatements {
  readonly #names = new Map<string, string>();
  #count = 0;

  /** The messages of a batch, of which the first may be Parse and the second Bind. */
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

/** Text and parameter types of Parse, when the statement has no name. One character for each byte. */
function readUnnamed(message: Uint8Array): string | undefined {
  if (message[0] !== parse || message[headerBytes] !== 0) return undefined;
  return Buffer.from(message).toString("latin1", headerBytes + 1);
}

/** What follows the names in Bind, when neither portal nor statement has one. */
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

/** Dropped, or with other columns since a table was changed: the error comes where Bind is answered. */
function isStale(answer: Uint8Array): boolean {
  return (
    answer[headerBytes] === errorResponse &&
    staleCodes.some((code) => Buffer.from(answer).includes(code, headerBytes, "latin1"))
  );
}
