import { mcpPath } from "fettle-shared";
import { BridgeError } from "./errors.js";

/** Normalizes an MCP address: a bare origin gets `/mcp`. Throws if the address can't be used. */
export function toMcpUrl(text: string): string {
  if (!URL.canParse(text)) throw refuse("must be a web address, like https://fettle.example.com");
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw refuse("must begin with https://");
  if (url.username !== "" || url.password !== "") {
    throw refuse("must not hold a user name or password; use --header for credentials");
  }
  if (url.protocol === "http:" && !isLoopback(url)) {
    throw refuse(
      "must begin with https:// unless the server is on this machine: over http everybody on the way could read the tokens",
    );
  }
  if (url.pathname === "/") url.pathname = mcpPath;
  url.hash = "";
  return url.href;
}

/** Requests to these hosts never leave the machine, whatever DNS says. */
function isLoopback({ hostname }: URL): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

/** Matches every spelling of an address of this machine, for security checks. */
export function isLocal({ hostname }: URL): boolean {
  const name = hostname.replace(/\.$/, "");
  return (
    /(^|\.)localhost$/.test(name) ||
    /^(0|127)(\.\d{1,3}){3}$/.test(name) ||
    /^\[::(1|ffff:(0|7f..):.*)?\]$/.test(name)
  );
}

/** Why the bridge must not request an address named by the server. Undefined if it is safe. */
export function unsafeUrlReason(named: URL, server: URL): string | undefined {
  // Credentials can make a URL look like another server's.
  if (named.username !== "" || named.password !== "") return "holds a user name or password";
  if (named.protocol !== "https:" && !(named.protocol === "http:" && isLoopback(named))) {
    return "is not an https address";
  }
  // A remote server must not direct requests to services on this computer.
  return isLocal(named) && !isLocal(server)
    ? "is on this computer although the server is not"
    : undefined;
}

function refuse(reason: string): BridgeError {
  return new BridgeError("wrong_usage", `The server's address ${reason}.`);
}
