import { readFile } from "node:fs/promises";
import type { Socket } from "node:net";
import type { Environment } from "../common/settings.js";

/** As the tables below end an address, of IPv4 and within IPv6. */
const loopback = "0100007F";

/**
 * Whether another user of this machine is at the other end of a connection to 127.0.0.1, as far as the
 * system tells: only Linux does. Root also passes on what others send, as WSL does; who became root by
 * `sudo` has the browser of before.
 */
export async function isOfOtherUser(
  { localPort, remotePort }: Pick<Socket, "localPort" | "remotePort">,
  environment: Environment,
): Promise<boolean> {
  const allowed = ["0", String(process.getuid?.()), environment["SUDO_UID"]];
  for (const table of ["/proc/net/tcp", "/proc/net/tcp6"]) {
    const text = await readFile(table, "latin1").catch(() => "");
    for (const line of text.split("\n")) {
      const [, from = "", to = "", , , , , uid = ""] = line.trim().split(/\s+/);
      if (from.endsWith(toPort(remotePort)) && to.endsWith(loopback + toPort(localPort)))
        return !allowed.includes(uid);
    }
  }
  return false;
}

function toPort(port = 0): string {
  return `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
}
