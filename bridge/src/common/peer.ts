import { lookup } from "node:dns";
import { readFile } from "node:fs/promises";
import { Agent } from "node:http";
import { createConnection, type LookupFunction, type NetConnectOpts, type Socket } from "node:net";
import { endianness } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

type Connection = Pick<
  Socket,
  "localAddress" | "localPort" | "remoteAddress" | "remotePort" | "destroyed"
>;

interface Row {
  state: string;
  uid: string;
  inode: string;
}

type Tables = () => AsyncIterable<Row & { local: string; remote: string }>;

/** TCP state: neither side has closed the connection. */
const established = "01";
const listening = "0A";
/** How long a server may take to accept a connection that the system has established. */
const acceptMs = 10_000;
const lookAgainMs = 5;
/** How many times we search for a local listener. A listener can pause listening for a moment. */
const looksForOutside = 3;
/**
 * User ids of services: those below are assigned by the system, those in the range exist while a
 * service runs.
 */
const firstPerson = 1000;
const passingServices = { from: 61_184, to: 65_519 };
/** User id that a sandbox shows for all users outside it. Elsewhere it is the user "nobody". */
const unmapped = "65534";
const allMapped = /^\s*0\s+0\s+4294967295\s*$/;

/**
 * Returns true if another user is at the other end of a loopback connection. Only Linux tells. Root
 * is trusted, as it also forwards others' traffic. So is the login user: after `sudo` or `su` the
 * browser is theirs. An end that is closed (inode 0) or in no table expects no response and could
 * be anyone's.
 */
export async function isOfOtherUser(connection: Connection): Promise<boolean> {
  if (!(await hasTables())) return false;
  const peer = await findPeer(connection, readTables);
  if (peer === undefined) return !(await isOpen(connection, readTables));
  return peer.inode === "0" || !(await isTrusted(peer));
}

/** "gone": the connection has ended or was not accepted. */
type Listener = "trusted" | "other user" | "gone";

/**
 * Returns who listens at the other end. Trusts services of the machine. Before a connection is
 * accepted it has no user. It may be in no table: a listener with full queues stores nothing about
 * it (SYN cookies).
 */
export async function findListener(
  connection: Connection,
  tables: Tables = readTables,
): Promise<Listener> {
  if (!(await hasTables())) return "trusted";
  const giveUpAt = performance.now() + acceptMs;
  let isHere = false;
  for (let looks = 1; !connection.destroyed && performance.now() < giveUpAt; looks += 1) {
    const peer = await findPeer(connection, tables);
    if (peer !== undefined && peer.inode !== "0") return classify(peer);
    if (!(await isOpen(connection, tables))) return "gone";
    isHere ||= peer !== undefined || (await isListenedAtByOther(connection, tables));
    if (!isHere && looks >= looksForOutside) return "trusted";
    await sleep(lookAgainMs);
  }
  return "gone";
}

async function classify(row: Row): Promise<Listener> {
  const uid = Number(row.uid);
  const isService = uid < firstPerson || (uid >= passingServices.from && uid <= passingServices.to);
  const isUnmapped = row.uid === unmapped && !allMapped.test(await read("/proc/self/uid_map"));
  return isService || isUnmapped || (await isTrusted(row)) ? "trusted" : "other user";
}

async function isListenedAtByOther({ remotePort }: Connection, tables: Tables): Promise<boolean> {
  const port = `:${toHex(remotePort ?? 0, 4)}`;
  for await (const { local, ...row } of tables()) {
    const isThere = row.state === listening && local.endsWith(port);
    if (isThere && (await classify(row)) === "other user") return true;
  }
  return false;
}

async function hasTables(): Promise<boolean> {
  return (await read("/proc/net/tcp")) !== "";
}

/** The other end. Undefined if it is outside this system, as Windows is to WSL, or gone. */
function findPeer(connection: Connection, tables: Tables): Promise<Row | undefined> {
  return findRow(remoteEnd(connection), localEnd(connection), tables);
}

/** Checks our end: it closes when the other end is gone. */
async function isOpen(connection: Connection, tables: Tables): Promise<boolean> {
  const row = await findRow(localEnd(connection), remoteEnd(connection), tables);
  return row?.state === established;
}

const localEnd = (it: Connection) => toEnd(it.localAddress, it.localPort);
const remoteEnd = (it: Connection) => toEnd(it.remoteAddress, it.remotePort);

async function isTrusted({ uid }: Row): Promise<boolean> {
  const login = (await read("/proc/self/loginuid")).trim();
  return ["0", String(process.getuid?.()), login].includes(uid);
}

async function findRow(from: string, to: string, tables: Tables): Promise<Row | undefined> {
  for await (const { local, remote, ...row } of tables()) {
    // The IPv6 prefix of a mapped IPv4 address may precede them.
    if (local.endsWith(from) && remote.endsWith(to)) return row;
  }
  return undefined;
}

async function* readTables(): ReturnType<Tables> {
  for (const table of ["/proc/net/tcp", "/proc/net/tcp6"]) {
    for (const line of (await read(table)).split("\n")) {
      const [, local = "", remote = "", state = "", , , , uid = "", , inode = ""] = line
        .trim()
        .split(/\s+/);
      yield { local, remote, state, uid, inode };
    }
  }
}

function read(path: string): Promise<string> {
  return readFile(path, "latin1").catch(() => "");
}

/** Formats an end as in the tables: the address in words, each in the machine's byte order. */
function toEnd(address = "", port = 0): string {
  const words = address === "::1" ? ["0.0.0.0", "0.0.0.0", "0.0.0.0", "0.0.0.1"] : [address];
  return `${words.map(toWord).join("")}:${toHex(port, 4)}`;
}

/** For IPv4, including IPv4-mapped IPv6. */
function toWord(address: string): string {
  const bytes = address
    .replace(/^.*:/, "")
    .split(".")
    .map((byte) => toHex(Number(byte), 2));
  if (endianness() === "LE") bytes.reverse();
  return bytes.join("");
}

function toHex(value: number, digits: number): string {
  return value.toString(16).toUpperCase().padStart(digits, "0");
}

/**
 * For plain HTTP, which stays on this computer. Sends nothing to another user's listener:
 * OTHER_USER.
 */
export function createLocalAgent(): Agent {
  const agent = new Agent({ keepAlive: true });
  agent.createConnection = (options, onConnected) => {
    const socket = createConnection({ ...options, lookup: lookUpIpv4First } as NetConnectOpts);
    const fail = (error: Error) => {
      onConnected?.(error, socket);
    };
    socket.once("error", fail).once("connect", () => {
      void findListener(socket).then((listener) => {
        if (listener === "trusted" && !socket.destroyed) {
          socket.off("error", fail);
          onConnected?.(null, socket);
        } else {
          const code = listener === "other user" ? "OTHER_USER" : "ECONNRESET";
          fail(Object.assign(new Error("The connection was not accepted."), { code }));
          socket.destroy();
        }
      });
    });
    return undefined;
  };
  return agent;
}

/** Most `localhost` servers listen on IPv4. Another user could listen on the IPv6 address. */
const lookUpIpv4First: LookupFunction = (hostname, options, done) => {
  lookup(hostname, { ...options, order: "ipv4first" }, done);
};
