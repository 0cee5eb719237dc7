import { once } from "node:events";
import { createConnection, type Socket } from "node:net";
import { isOurs } from "../common/ownership.js";
import type { Environment } from "../common/settings.js";

/*
 * As much of D-Bus as the Secret Service needs: calls of methods with texts, little-endian (D-Bus
 * Specification, "Message Protocol").
 */

interface Call {
  destination: string;
  path: string;
  interface: string;
  member: string;
  /** The types of the arguments, and each with the multiple that it begins at. */
  signature?: string;
  arguments?: readonly Part[];
}

type Part = readonly [boundary: number, bytes: Buffer];

/** The body of the answer; undefined when the answer is an error. */
type SendCall = (call: Call) => Promise<Buffer | undefined>;

const answerMs = 1_000;
const methodCall = 1;
const methodReturn = 2;
const fixedBytes = 16;

/** Undefined where there is no session bus, or none that answers. */
async function onSessionBus<Result>(
  environment: Environment,
  work: (send: SendCall) => Promise<Result>,
): Promise<Result | undefined> {
  const path = findBus(environment);
  if (path === undefined) return undefined;
  const socket = createConnection(path);
  const gone = new AbortController();
  // No "error" comes before it where the bus hangs up, or says nothing until the time is over.
  socket.once("close", () => {
    gone.abort();
  });
  socket.setTimeout(answerMs, () => socket.destroy());
  try {
    await once(socket, "connect", gone);
    const send = await greet(socket, gone);
    return send && (await work(send));
  } catch {
    return undefined;
  } finally {
    socket.destroy();
  }
}

/**
 * Whether every session bus that the variable names is a socket of this user. When a bus has ended, as
 * one below /tmp does with its session, anybody can listen in its place, and be handed the secrets;
 * an abstract name has no owner at all. Without the variable the libraries look at the owner.
 */
export async function isBusOfUser(
  environment: Environment,
  platform = process.platform,
): Promise<boolean> {
  if (platform === "win32" || platform === "darwin") return true;
  const addresses = (environment["DBUS_SESSION_BUS_ADDRESS"] ?? "").split(";");
  for (const address of addresses.filter((one) => one !== "")) {
    const path = decode(/^unix:(?:.*?,)?path=([^,]+)/.exec(address)?.[1]);
    if (path === undefined || !(await isOurs(path, "socket"))) return false;
  }
  return true;
}

/** Undefined where it is not written as addresses are. */
function decode(path = "%"): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/** The first address that is a socket; a name that begins with a zero byte is an abstract one. */
function findBus(environment: Environment): string | undefined {
  const runtime = environment["XDG_RUNTIME_DIR"];
  const usual = runtime === undefined ? "" : `unix:path=${runtime}/bus`;
  const addresses = environment["DBUS_SESSION_BUS_ADDRESS"] ?? usual;
  const found = /(?:^|;)unix:(?:[^;]*,)?(path|abstract)=([^;,]+)/.exec(addresses);
  if (found === null) return undefined;
  const name = decodeURIComponent(found[2] ?? "");
  return found[1] === "abstract" ? `\0${name}` : name;
}

async function greet(
  socket: Socket,
  gone: Pick<AbortController, "signal">,
): Promise<SendCall | undefined> {
  const user = Buffer.from(String(process.getuid?.())).toString("hex");
  socket.write(`\0AUTH EXTERNAL ${user}\r\n`);
  const [reply] = (await once(socket, "data", gone)) as [Buffer];
  if (!reply.toString("latin1").startsWith("OK ")) return undefined;
  socket.write("BEGIN\r\n");
  const send = createSend(socket);
  const bus = "org.freedesktop.DBus";
  await send({ destination: bus, path: "/org/freedesktop/DBus", interface: bus, member: "Hello" });
  return send;
}

function createSend(socket: Socket): SendCall {
  const parts = socket.iterator({ destroyOnReturn: false });
  let bytes = Buffer.alloc(0);
  let serial = 0;
  return async (call) => {
    serial += 1;
    socket.write(toMessage(serial, call));
    for (;;) {
      for (let message = cut(bytes); message !== undefined; message = cut(bytes)) {
        bytes = bytes.subarray(message.size);
        if (message.replyTo === serial) return message.isReturn ? message.body : undefined;
      }
      const part = await parts.next();
      if (part.done === true) throw new Error("The bus has ended.");
      bytes = Buffer.concat([bytes, part.value as Buffer]);
    }
  };
}

function toMessage(serial: number, call: Call): Buffer {
  const body = pack(call.arguments ?? []);
  const fields = pack([
    toField(1, "o", call.path),
    toField(2, "s", call.interface),
    toField(3, "s", call.member),
    toField(6, "s", call.destination),
    ...(call.signature === undefined ? [] : [toField(8, "g", call.signature)]),
  ]);
  const head = Buffer.from([0x6c, methodCall, 0, 1, ...word(body.length), ...word(serial)]);
  return pack([
    [1, head],
    [4, Buffer.concat([word(fields.length), fields])],
    [8, body],
  ]);
}

function toField(code: number, type: "g" | "o" | "s", value: string): Part {
  const bytes = type === "g" ? toSignature(value) : toText(value)[1];
  return [8, Buffer.concat([Buffer.from([code]), toSignature(type), bytes])];
}

function toText(text: string): Part {
  return [4, Buffer.concat([word(Buffer.byteLength(text)), Buffer.from(`${text}\0`)])];
}

/** An array of names with texts, of the type `a{ss}`. */
function toDictionary(texts: Readonly<Record<string, string>>): Part[] {
  const entries = pack(
    Object.entries(texts).map(([name, text]) => [8, pack([toText(name), toText(text)])]),
  );
  return [
    [4, word(entries.length)],
    [8, entries],
  ];
}

/** What a value of any type is preceded by where its type is not agreed on. */
function toVariantType(type: string): Part {
  return [1, toSignature(type)];
}

function toSignature(text: string): Buffer {
  return Buffer.from([text.length, ...Buffer.from(text), 0]);
}

function word(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function pack(parts: readonly Part[]): Buffer {
  return parts.reduce(
    (all, [boundary, bytes]) => Buffer.concat([all, pad(all.length, boundary), bytes]),
    Buffer.alloc(0),
  );
}

function pad(size: number, to: number): Buffer {
  return Buffer.alloc((to - (size % to)) % to);
}

/** The first whole message. */
function cut(bytes: Buffer) {
  if (bytes.length < fixedBytes) return undefined;
  const fieldBytes = bytes.readUInt32LE(12);
  const headBytes = fixedBytes + fieldBytes + pad(fieldBytes, 8).length;
  const size = headBytes + bytes.readUInt32LE(4);
  if (bytes.length < size) return undefined;
  const fields = bytes.subarray(fixedBytes, headBytes);
  // Field 5, REPLY_SERIAL, a number: it stands at a multiple of 8, as every field does.
  let at = 0;
  while (at + 8 <= fields.length && !(fields[at] === 5 && fields[at + 2] === 0x75)) at += 8;
  return {
    size,
    isReturn: bytes[1] === methodReturn,
    replyTo: at + 8 <= fields.length ? fields.readUInt32LE(at + 4) : undefined,
    body: bytes.subarray(headBytes, size),
  };
}

const destination = "org.freedesktop.secrets";
const itemInterface = "org.freedesktop.Secret.Item";

/**
 * Whether the keychain of a Linux session is locked, asked of the Secret Service by D-Bus: the
 * libraries can only find out by asking the person to unlock it. Undefined where nobody can tell.
 */
export async function isSecretServiceLocked(
  environment: Environment,
): Promise<boolean | undefined> {
  const names = ["org.freedesktop.Secret.Collection", "Locked"].map(toText);
  const body = await onSessionBus(environment, (send) =>
    send({
      ...property("/org/freedesktop/secrets/aliases/default", "Get"),
      signature: "ss",
      arguments: names,
    }),
  );
  // A variant of a boolean ends with its word.
  return body && body.readUInt32LE(body.length - 4) === 1;
}

function property(path: string, member: "Get" | "Set"): Call {
  return { destination, path, interface: "org.freedesktop.DBus.Properties", member };
}

/** The attribute by which keytar and by which `@napi-rs/keyring` looks for an account. */
export type AccountAttribute = "account" | "username";

/**
 * Has the item of an account the attributes of both libraries, so that each of them finds it. The
 * item that has the own one counts, and others of the account go. False where there is none.
 */
export async function shareItem(
  environment: Environment,
  { service, account, own }: { service: string; account: string; own: AccountAttribute },
): Promise<boolean> {
  const shared = { service, account, username: account };
  const shareIn = async (send: SendCall) => {
    const other = own === "account" ? "username" : "account";
    const mine = await search(send, { service, [own]: account });
    const theirs = await search(send, { service, [other]: account });
    const [kept] = [...mine, ...theirs];
    if (kept === undefined) return false;
    for (const path of theirs) {
      if (path === kept || mine.includes(path)) continue;
      await send({ destination, path, interface: itemInterface, member: "Delete" });
    }
    if (mine.includes(kept) && theirs.includes(kept)) return true;
    const attributes = { ...shared, "xdg:schema": "org.freedesktop.Secret.Generic" };
    const set = {
      ...property(kept, "Set"),
      signature: "ssv",
      arguments: [
        ...[itemInterface, "Attributes"].map(toText),
        toVariantType("a{ss}"),
        ...toDictionary(attributes),
      ],
    };
    return (await send(set)) !== undefined;
  };
  return (await onSessionBus(environment, shareIn)) ?? false;
}

/** The paths of the items with these attributes, but for locked ones. */
async function search(send: SendCall, attributes: Record<string, string>): Promise<string[]> {
  const body = await send({
    destination,
    path: "/org/freedesktop/secrets",
    interface: "org.freedesktop.Secret.Service",
    member: "SearchItems",
    signature: "a{ss}",
    arguments: toDictionary(attributes),
  });
  if (body === undefined) return [];
  const end = 4 + body.readUInt32LE(0);
  const paths = [];
  for (let at = 4; at < end;) {
    // Each begins at a multiple of 4 and ends with a zero byte.
    at = Math.ceil(at / 4) * 4;
    const length = body.readUInt32LE(at);
    paths.push(body.toString("utf8", at + 4, at + 4 + length));
    at += 4 + length + 1;
  }
  return paths;
}
