import { readFile } from "node:fs/promises";
import type { Socket } from "node:net";
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

/** Of a connection of which neither side has said that it ends. */
const established = "01";
/** How long a server may take until it accepts a connection that the system has made for it. */
const acceptMs = 10_000;
const lookAgainMs = 5;
/** Of services: those below are given by the system, those between for as long as a service runs. */
const firstPerson = 1000;
const passingServices = { from: 61_184, to: 65_519 };
/** As whom a sandbox sees everybody who is not in it; to others it is a user called nobody. */
const unmapped = "65534";
const allMapped = /^\s*0\s+0\s+4294967295\s*$/;

/**
 * Whether another user of this machine is at the other end of a connection over the loopback interface, as
 * far as the system tells: only Linux does. Root also passes on what others send; who became another user
 * by `sudo` or `su` has the browser of whom the login was. An end that was closed belongs to nobody (its
 * inode is 0, its user that of root), or is in no table: it waits for no answer, and could be anybody's.
 */
export async function isOfOtherUser(connection: Connection): Promise<boolean> {
  if (!(await hasTables())) return false;
  const peer = await findPeer(connection);
  if (peer === undefined) return !(await isOpen(connection));
  return peer.inode === "0" || !(await isTrusted(peer));
}

/** "gone": it has ended, or was not accepted. */
export type Listener = "trusted" | "other user" | "gone";

/**
 * The same of who listens: anybody can where the server does not, or at the other address of `localhost`. A
 * service of the machine is nobody's in particular. Until somebody accepts the connection it has no user, and
 * what is sent on it is for whoever does.
 */
export async function findListener(connection: Connection): Promise<Listener> {
  if (!(await hasTables())) return "trusted";
  const giveUpAt = performance.now() + acceptMs;
  while (!connection.destroyed && performance.now() < giveUpAt) {
    const peer = await findPeer(connection);
    if (peer !== undefined && peer.inode !== "0") {
      const isNobodys = isService(Number(peer.uid)) || (await isUnmapped(peer));
      return isNobodys || (await isTrusted(peer)) ? "trusted" : "other user";
    }
    if (!(await isOpen(connection))) return "gone";
    if (peer === undefined) return "trusted";
    await sleep(lookAgainMs);
  }
  return "gone";
}

async function hasTables(): Promise<boolean> {
  return (await read("/proc/net/tcp")) !== "";
}

/** The other end; none outside of this system, as Windows is to WSL, and of one that is gone. */
function findPeer({ localAddress, localPort, remoteAddress, remotePort }: Connection) {
  return findRow(toEnd(remoteAddress, remotePort), toEnd(localAddress, localPort));
}

/** Ours: when the other one is gone, it is not open any more either. */
async function isOpen(connection: Connection): Promise<boolean> {
  const { localAddress, localPort, remoteAddress, remotePort } = connection;
  const own = await findRow(toEnd(localAddress, localPort), toEnd(remoteAddress, remotePort));
  return own?.state === established;
}

async function isTrusted({ uid }: Row): Promise<boolean> {
  const login = (await read("/proc/self/loginuid")).trim();
  return ["0", String(process.getuid?.()), login].includes(uid);
}

async function isUnmapped({ uid }: Row): Promise<boolean> {
  return uid === unmapped && !allMapped.test(await read("/proc/self/uid_map"));
}

function isService(uid: number): boolean {
  return uid < firstPerson || (uid >= passingServices.from && uid <= passingServices.to);
}

async function findRow(from: string, to: string): Promise<Row | undefined> {
  for (const table of ["/proc/net/tcp", "/proc/net/tcp6"]) {
    for (const line of (await read(table)).split("\n")) {
      const [, local = "", remote = "", state = "", , , , uid = "", , inode = ""] = line
        .trim()
        .split(/\s+/);
      // What stands before it is that of IPv4 within IPv6.
      if (local.endsWith(from) && remote.endsWith(to)) return { state, uid, inode };
    }
  }
  return undefined;
}

function read(path: string): Promise<string> {
  return readFile(path, "latin1").catch(() => "");
}

/** As the tables write it: the address in words, each in the byte order of the machine. */
function toEnd(address = "", port = 0): string {
  const words = address === "::1" ? ["0.0.0.0", "0.0.0.0", "0.0.0.0", "0.0.0.1"] : [address];
  return `${words.map(toWord).join("")}:${toHex(port, 4)}`;
}

/** Of IPv4, also within IPv6. */
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
