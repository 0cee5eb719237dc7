import { lookup } from "node:dns/promises";
import https from "node:https";
import { connect } from "node:net";
import type { DetailedPeerCertificate, TLSSocket } from "node:tls";
import type { Settings } from "../common/settings.js";
import { quote } from "../common/text.js";
import type { Context } from "../context/context.js";
import {
  type Agents,
  certificateAdvice,
  createAgents,
  findProxy,
  nameAdvice,
  onProxyRefusal,
  proxyAdvice,
} from "../http/agents.js";
import { type Finding, ok, unreachable } from "./finding.js";

const waitMs = 10_000;

/** The way to the server, step by step; what comes after a broken step is left out. */
export async function* checkNetwork({ settings }: Context): AsyncGenerator<Finding> {
  const server = new URL(settings.server);
  const proxy = await findProxy(server, settings);
  yield ok("Proxy", proxy === "" ? "none for this address" : `${new URL(proxy).host} is used`);
  const first = new URL(proxy === "" ? server : proxy);
  const steps = [
    () => checkName(first),
    () => checkConnection(first),
    ...(server.protocol === "http:" ? [] : [() => checkCertificate(server, settings)]),
  ];
  for (const step of steps) {
    const finding = await step();
    yield finding;
    if (finding.result === "problem") return;
  }
}

async function checkName({ hostname }: URL): Promise<Finding> {
  try {
    const { address } = await lookup(hostname.replace(/^\[|\]$/g, ""));
    return ok("Name", `${hostname} is ${address}`);
  } catch {
    return unreachable("Name", `${hostname} cannot be resolved`, nameAdvice);
  }
}

function checkConnection(url: URL): Promise<Finding> {
  const port = Number(url.port || (url.protocol === "https:" ? 443 : 80));
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const started = performance.now();
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: waitMs });
    const end = (finding: Finding) => {
      socket.destroy();
      resolve(finding);
    };
    const fail = (reason: string) => {
      const advice = "Check that the server runs, and that no firewall or VPN is in the way.";
      end(unreachable("Connection", `${url.host} ${reason}`, advice));
    };
    socket.once("connect", () => {
      end(
        ok("Connection", `${url.host} answers after ${Math.round(performance.now() - started)} ms`),
      );
    });
    socket.once("timeout", () => {
      fail("does not answer");
    });
    socket.once("error", ({ code }: NodeJS.ErrnoException) => {
      fail(`cannot be reached (${code ?? "unknown"})`);
    });
  });
}

/** Looks at the certificate before judging it, so that an untrusted one can be named. */
async function checkCertificate(server: URL, settings: Settings): Promise<Finding> {
  const agents = createAgents(settings);
  try {
    const found = await lookAtCertificate(server, agents);
    if (found.result === "ok" || !(await agents.trustSystem())) return found;
    return await lookAtCertificate(server, agents);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const advice = "Something between here and the server does not speak TLS: often a proxy.";
    return unreachable("Certificate", `no secure connection (${code ?? message})`, advice);
  } finally {
    agents.close();
  }
}

async function lookAtCertificate(server: URL, agents: Agents): Promise<Finding> {
  const { agent, secureContext, proxy } = await agents.of(server);
  return new Promise((resolve, reject) => {
    // Nothing is sent that anybody could use: this connection may be to the wrong one.
    const request = https.request(server.origin, {
      agent,
      ...(secureContext && { secureContext }),
      method: "HEAD",
      rejectUnauthorized: false,
      timeout: waitMs,
    });
    onProxyRefusal(request, proxy, (reason) => {
      resolve(unreachable("Proxy", reason, proxyAdvice));
      request.destroy();
    });
    request.once("socket", (socket) => {
      socket.once("secureConnect", () => {
        resolve(describeCertificate(server, socket as TLSSocket));
        request.destroy();
      });
    });
    request.once("timeout", () => {
      request.destroy(new Error("no answer"));
    });
    request.once("error", reject);
    request.once("close", () => {
      reject(new Error("no answer"));
    });
  });
}

function describeCertificate(server: URL, socket: TLSSocket): Finding {
  const certificate = socket.getPeerCertificate(true);
  const issuer = quote(nameIssuer(certificate));
  if (socket.authorized) return ok("Certificate", `trusted, issued by ${issuer}`);
  const code = String(socket.authorizationError);
  const detail = `of ${server.host} is not trusted (${code}); it was issued by ${issuer}`;
  return unreachable("Certificate", detail, certificateAdvice(code) ?? "Ask who runs the server.");
}

/** The authority at the end of the chain: that is the one to trust or not. */
function nameIssuer(certificate: DetailedPeerCertificate): string {
  let last = certificate;
  const seen = new Set<unknown>();
  // The last one names itself as its issuer, or leads nowhere.
  while (Object.hasOwn(last, "issuerCertificate") && !seen.has(last)) {
    seen.add(last);
    last = last.issuerCertificate;
  }
  const { O: organization, CN: name } = last.issuer;
  return [name, organization].filter(Boolean).join(", ");
}
