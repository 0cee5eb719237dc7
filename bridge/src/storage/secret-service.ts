import { once } from "node:events";
import { createConnection, type Socket } from "node:net";
import type { Environment } from "../common/settings.js";

const answerMs = 1_000;
const service = "org.freedesktop.secrets";
const collection = "/org/freedesktop/secrets/aliases/default";

/**
 * Whether the keychain of a Linux session is locked, asked of the Secret Service by D-Bus: the
 * libraries can only find out by asking the person to unlock it. Undefined where nobody can tell.
 */
export async function isSecretServiceLocked(
  environment: Environment,
): Promise<boolean | undefined> {
  const path = findBus(environment);
  if (path === undefined) return undefined;
  const socket = createConnection(path);
  socket.setTimeout(answerMs, () => socket.destroy());
  try {
    await once(socket, "connect");
    return await ask(socket);
  } catch {
    return undefined;
  } finally {
    socket.destroy();
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

async function ask(socket: Socket): Promise<boolean | undefined> {
  const user = Buffer.from(String(process.getuid?.())).toString("hex");
  socket.write(`\0AUTH EXTERNAL ${user}\r\n`);
  const [reply] = (await once(socket, "data")) as [Buffer];
  if (!reply.toString("latin1").startsWith("OK ")) return undefined;
  socket.write("BEGIN\r\n");
  const bus = { destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus" };
  socket.write(toCall(1, { ...bus, interface: "org.freedesktop.DBus", member: "Hello" }));
  const property = { destination: service, path: collection };
  const get = { ...property, interface: "org.freedesktop.DBus.Properties", member: "Get" };
  socket.write(toCall(2, get, ["org.freedesktop.Secret.Collection", "Locked"]));
  let bytes = Buffer.alloc(0);
  for await (const part of socket) {
    bytes = Buffer.concat([bytes, part as Buffer]);
    for (let message = cut(bytes); message !== undefined; message = cut(bytes)) {
      bytes = bytes.subarray(message.size);
      if (message.replyTo === 2) return message.isReturn ? message.lastWord === 1 : undefined;
    }
  }
  return undefined;
}

interface Call {
  destination: string;
  path: string;
  interface: string;
  member: string;
}

/** One method call, little-endian (D-Bus Specification, "Message Protocol"); arguments are strings. */
function toCall(serial: number, call: Call, strings: readonly string[] = []): Buffer {
  const body = Buffer.concat(
    strings.reduce<Buffer[]>((parts, text) => {
      const before = parts.reduce((size, { length }) => size + length, 0);
      return [...parts, pad(before, 4), toString(text)];
    }, []),
  );
  const fields = [
    toField(1, "o", toString(call.path)),
    toField(2, "s", toString(call.interface)),
    toField(3, "s", toString(call.member)),
    toField(6, "s", toString(call.destination)),
    ...(strings.length > 0 ? [toField(8, "g", toSignature("s".repeat(strings.length)))] : []),
  ].reduce((all, field) => Buffer.concat([all, pad(all.length, 8), field]), Buffer.alloc(0));
  const head = Buffer.from([0x6c, methodCall, 0, 1, ...word(body.length), ...word(serial)]);
  return Buffer.concat([head, word(fields.length), fields, pad(fields.length, 8), body]);
}

const methodCall = 1;
const methodReturn = 2;
const fixedBytes = 16;

function toField(code: number, type: string, value: Buffer): Buffer {
  return Buffer.concat([Buffer.from([code]), toSignature(type), value]);
}

function toString(text: string): Buffer {
  return Buffer.concat([word(Buffer.byteLength(text)), Buffer.from(`${text}\0`)]);
}

function toSignature(text: string): Buffer {
  return Buffer.from([text.length, ...Buffer.from(text), 0]);
}

function word(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function pad(size: number, to: number): Buffer {
  return Buffer.alloc((to - (size % to)) % to);
}

/** The first whole message; its last word is what a property of type boolean ends with. */
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
    lastWord: bytes.readUInt32LE(size - 4),
  };
}
