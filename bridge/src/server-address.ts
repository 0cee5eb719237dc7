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
  if (url.protocol === "http:" && !isLoopback(url.hostname)) {
    throw refuse(
      "must begin with https:// unless the server is on this machine: over http everybody on the way could read the tokens",
    );
  }
  if (url.pathname === "/") url.pathname = mcpPath;
  url.hash = "";
  return url.href;
}

function isLoopback(hostname: string): boolean {
  return /^(localhost|.*\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

function refuse(reason: string): BridgeError {
  return new BridgeError("wrong_usage", `The server's address ${reason}.`);
}
