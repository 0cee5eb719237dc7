import type { FastifyReply, onRequestHookHandler } from "fastify";
import { errorText, rpcCodes } from "./rpc.js";

export interface OriginRules {
  baseUrl: string;
  /** Browser origins that may call. If empty, the origins of `baseUrl` and this machine. */
  allowedOrigins: readonly string[];
}

const requestHeaders = [
  "Authorization",
  "Content-Type",
  "Accept",
  "MCP-Protocol-Version",
  "Mcp-Method",
  "Mcp-Name",
  "Mcp-Session-Id",
  "Last-Event-ID",
].join(", ");

/**
 * Rejects foreign hosts and origins (DNS rebinding) before any other check, and lets pages of
 * allowed origins read the response.
 */
export function createOriginCheck(rules: OriginRules): onRequestHookHandler {
  // Caches the host, because nearly all requests use one.
  let allowedHost: string | undefined;
  return (request, reply, done) => {
    void reply.header("vary", "Origin").header("cache-control", "no-store");
    const { host, origin } = request.headers;
    if (host === undefined || (host !== allowedHost && !isAllowedHost(rules, host))) {
      refuse(reply, "Forbidden: this Host is not served here");
      return;
    }
    allowedHost = host;
    if (origin !== undefined) {
      if (!isAllowedOrigin(rules, origin)) {
        refuse(reply, "Forbidden: this Origin may not call the endpoint");
        return;
      }
      void reply.headers({
        "access-control-allow-origin": origin,
        "access-control-expose-headers":
          "WWW-Authenticate, Retry-After, MCP-Protocol-Version, Mcp-Session-Id",
      });
    }
    done();
  };
}

export function answerPreflight(reply: FastifyReply): FastifyReply {
  return reply
    .code(204)
    .headers({
      "access-control-allow-methods": "POST",
      "access-control-allow-headers": requestHeaders,
      "access-control-max-age": "7200",
    })
    .send();
}

function refuse(reply: FastifyReply, message: string): void {
  void reply
    .code(403)
    .type("application/json")
    .send(errorText(null, { code: rpcCodes.refused, message }));
}

function isAllowedHost({ baseUrl }: OriginRules, host: string): boolean {
  const url = `http://${host}`;
  if (!URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  return isLoopback(hostname) || hostname === new URL(baseUrl).hostname;
}

function isAllowedOrigin({ baseUrl, allowedOrigins }: OriginRules, origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  if (url.origin !== origin) return false;
  if (allowedOrigins.length > 0) return allowedOrigins.includes(origin);
  return isLoopback(url.hostname) || origin === new URL(baseUrl).origin;
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
