import { mcpPath } from "fettle-shared";
import { BridgeError } from "./errors.js";

/** The MCP address a person meant: a bare origin gets `/mcp`. Throws when it cannot be used. */
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

/** Of what goes to these nothing leaves the machine, whatever its name service says. */
function isLoopback({ hostname }: URL): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

/** Each way to write an address of this machine, to be careful with it. */
export function isLocal({ hostname }: URL): boolean {
  const name = hostname.replace(/\.$/, "");
  return (
    /(^|\.)localhost$/.test(name) ||
    /^(0|127)(\.\d{1,3}){3}$/.test(name) ||
    /^\[::(1|ffff:(0|7f..):.*)?\]$/.test(name)
  );
}

/** Why an address that the server names is not asked for anything; undefined when it is good. */
export function unsafeUrlReason(named: URL, server: URL): string | undefined {
  // It would pass for another server's with whoever reads it.
  if (named.username !== "" || named.password !== "") return "holds a user name or password";
  if (named.protocol !== "https:" && !(named.protocol === "http:" && isLoopback(named))) {
    return "is not an https address";
  }
  // A server elsewhere has no business with what listens here.
  return isLocal(named) && !isLocal(server)
    ? "is on this computer although the server is not"
    : undefined;
}

function refuse(reason: string): BridgeError {
  return new BridgeError("wrong_usage", `The server's address ${reason}.`);
}
