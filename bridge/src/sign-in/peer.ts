import { readFile } from "node:fs/promises";
import type { Socket } from "node:net";
import { endianness } from "node:os";

type Connection = Pick<Socket, "localAddress" | "localPort" | "remoteAddress" | "remotePort">;

/** Of a connection of which neither side has said that it ends. */
const established = "01";

/**
 * Whether another user of this machine is at the other end of a connection over the loopback interface, as
 * far as the system tells: only Linux does. Root also passes on what others send; who became another user
 * by `sudo` or `su` has the browser of whom the login was. An end that was closed belongs to nobody (its
 * inode is 0, its user that of root), or is in no table: it waits for no answer, and could be anybody's.
 */
export async function isOfOtherUser(connection: Connection): Promise<boolean> {
  const own = toEnd(connection.localAddress, connection.localPort);
  const other = toEnd(connection.remoteAddress, connection.remotePort);
  if ((await read("/proc/net/tcp")) === "") return false;
  const peer = await findRow(other, own);
  if (peer === undefined) {
    // Outside of this system, as Windows is to WSL, or gone: then our end is not open any more either.
    return (await findRow(own, other))?.state !== established;
  }
  const login = (await read("/proc/self/loginuid")).trim();
  return peer.inode === "0" || !["0", String(process.getuid?.()), login].includes(peer.uid);
}

async function findRow(from: string, to: string) {
  for (const table of ["/proc/net/tcp", "/proc/net/tcp6"]) {
    for (const line of (await read(table)).split("\n")) {
      const [, local = "", remote = "", state, , , , uid = "", , inode] = line.trim().split(/\s+/);
      // What stands before it is that of IPv4 within IPv6.
      if (local.endsWith(from) && remote.endsWith(to)) return { state, uid, inode };
    }
  }
  return undefined;
}

function read(path: string): Promise<string> {
  return readFile(path, "latin1").catch(() => "");
}

/** As the tables write it: the address in the byte order of the machine. */
function toEnd(address = "", port = 0): string {
  const bytes = address.split(".").map((byte) => toHex(Number(byte), 2));
  if (endianness() === "LE") bytes.reverse();
  return `${bytes.join("")}:${toHex(port, 4)}`;
}

function toHex(value: number, digits: number): string {
  return value.toString(16).toUpperCase().padStart(digits, "0");
}
