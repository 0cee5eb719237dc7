import type { LookupAddress } from "node:dns";
import { Resolver } from "node:dns/promises";
import { isIP, type LookupFunction, type Socket } from "node:net";
import { Agent, buildConnector, fetch, request, type Response as Answer } from "undici";
import ipaddr from "ipaddr.js";

/** Addresses in public ranges that the surrounding cloud answers: Azure, Equinix Metal. */
const ofClouds = new Set(["168.63.129.16", "192.80.8.124"]);

/**
 * Access to URLs that people provide: metadata documents, identity providers, webhooks and push
 * services. For all but the first, an operator can also allow private networks.
 */
export interface DocumentNetwork {
  resolve: (hostname: string) => Promise<string[]>;
  /** The TXT records of a name. Empty if the name doesn't exist. */
  resolveTexts: (name: string) => Promise<string[]>;
  isAllowed: (address: string) => boolean;
  /** Certificate authorities in addition to Node's. */
  ca?: string;
}

export const publicNetwork: DocumentNetwork = {
  resolve: (hostname) => resolve(hostname, new Resolver({ timeout: 1000, tries: 2 })),
  resolveTexts: (name) => resolveTexts(name, new Resolver({ timeout: 1000, tries: 2 })),
  isAllowed: isPublicAddress,
};

/** Long texts are split into strings (RFC 7208 §3.3). */
export async function resolveTexts(name: string, resolver: Resolver): Promise<string[]> {
  const found = await resolver.resolveTxt(name).catch((error: unknown) => {
    const { code } = error as { code?: string };
    if (code === "ENOTFOUND" || code === "ENODATA") return [];
    throw error;
  });
  return found.map((pieces) => pieces.join(""));
}

/**
 * Queries name servers directly. The system's lookup blocks one of few threads while a foreign name
 * server delays, and knows names of this computer.
 */
export async function resolve(hostname: string, resolver: Resolver): Promise<string[]> {
  const found = await Promise.allSettled([
    resolver.resolve4(hostname),
    resolver.resolve6(hostname),
  ]);
  return found.flatMap((family) => (family.status === "fulfilled" ? family.value : []));
}

export interface ReadDocument {
  document: Record<string, unknown>;
  cacheControl: string;
}

const maxBytes = 5 * 1024;
const maxMs = 5000;

/**
 * Reads a JSON object from a URL that an untrusted person provides, only from a public address.
 * Every read uses a new connection, follows no redirects, and sends neither cookies nor
 * credentials.
 */
export async function readDocument(url: URL, network: DocumentNetwork): Promise<ReadDocument> {
  const dispatcher = createDispatcher(network, maxBytes);
  try {
    const { statusCode, headers, body } = await request(url, {
      dispatcher,
      headers: { accept: "application/json", "user-agent": "Fettle" },
      signal: AbortSignal.timeout(maxMs),
    });
    if (statusCode !== 200) throw new Error(`The answer has status ${statusCode}.`);
    if (!/^application\/([\w.-]+\+)?json *(;|$)/i.test(toText(headers["content-type"]))) {
      throw new Error("The answer is not JSON.");
    }
    const document: unknown = JSON.parse(await body.text());
    if (typeof document !== "object" || document === null || Array.isArray(document)) {
      throw new Error("The answer is not a JSON object.");
    }
    const cacheControl = toText(headers["cache-control"]);
    return { document: document as Record<string, unknown>, cacheControl };
  } finally {
    await dispatcher.destroy();
  }
}

/**
 * Several times the size of tokens and keys. Parsed, a response can use twenty times as much memory
 * until the sign-in ends.
 */
const maxFetchedBytes = 64 * 1024;

/**
 * JSON of that length could have a hundred times as many values, which would take seconds and
 * gigabytes.
 */
const maxValues = 5000;

/** Limits the `www-authenticate` header. A library parses it in quadratic time. */
const maxChallenge = 1024;

/** A `fetch` with these restrictions and the time limit, for conversations of several requests. */
export function createFetch(network: DocumentNetwork): typeof globalThis.fetch {
  return (url, options) =>
    ask(network, url as string, options, async (answer) => {
      const challenge = answer.headers.get("www-authenticate") ?? "";
      if (challenge.length > maxChallenge) throw new Error("The answer asks for too much.");
      const body = await readUpTo(answer, maxFetchedBytes);
      if (countValues(body) > maxValues) throw new Error("The answer has too many values.");
      const headers = [...answer.headers];
      return new Response(body.length === 0 ? null : body, { status: answer.status, headers });
    });
}

/** A POST with these restrictions. Returns only the response's status. */
export function createPost(network: DocumentNetwork) {
  return (
    url: string,
    headers: Record<string, string>,
    body: string | Uint8Array<ArrayBuffer>,
  ): Promise<number> =>
    ask(network, url, { method: "POST", headers, body }, async ({ status }) => status);
}

async function ask<Result>(
  network: DocumentNetwork,
  url: string,
  options: RequestInit | undefined,
  read: (answer: Answer) => Promise<Result>,
): Promise<Result> {
  const dispatcher = createDispatcher(network, maxFetchedBytes);
  try {
    const answer = await fetch(url, {
      ...(options as object),
      dispatcher,
      redirect: "manual",
      signal: AbortSignal.timeout(maxMs),
    });
    return await read(answer);
  } finally {
    await dispatcher.destroy();
  }
}

/**
 * The connection's limit counts compressed bytes, and a few bytes can decompress into gigabytes. A
 * response that is compressed more than once can grow in between, uncounted.
 */
async function readUpTo({ headers, body }: Answer, most: number): Promise<Uint8Array<ArrayBuffer>> {
  if (headers.get("content-encoding")?.includes(",") === true) {
    throw new Error("The answer is packed more than once.");
  }
  if (body === null) return Buffer.of();
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body as AsyncIterable<Uint8Array>) {
    size += part.length;
    if (size > most) throw new Error("The answer is too long.");
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Returns an upper bound, because a text can contain characters that begin a value in JSON. */
function countValues(body: Uint8Array): number {
  let count = 1;
  for (const byte of body) if (byte === 0x2c || byte === 0x5b || byte === 0x7b) count += 1;
  return count;
}

function toText(header: string | string[] | undefined): string {
  return [header ?? ""].flat().join(", ");
}

function createDispatcher(network: DocumentNetwork, maxResponseSize: number): Agent {
  return new Agent({ connect: createConnector(network, maxResponseSize), maxResponseSize });
}

/** Overhead of certificates, headers and small chunks. */
const maxOverheadBytes = 256 * 1024;

/** Checks the addresses that the socket uses, so a name can't resolve differently in between. */
function createConnector(
  network: DocumentNetwork,
  maxResponseSize: number,
): buildConnector.connector {
  const { isAllowed, ca } = network;
  const lookup: LookupFunction = (hostname, { all }, done) => {
    findAllowed(hostname, network).then(
      ([first, ...others]) => {
        if (all === true) done(null, [first, ...others]);
        else done(null, first.address, first.family);
      },
      (error: unknown) => {
        done(error as Error, "");
      },
    );
  };
  const connect = buildConnector({ lookup, timeout: maxMs, ...(ca !== undefined && { ca }) });
  return (options, done) => {
    // An IP address as host is never looked up.
    if (isIP(options.hostname) !== 0 && !isAllowed(options.hostname)) {
      done(new PrivateAddress(options.hostname), null);
      return;
    }
    connect(options, (...[error, socket]) => {
      if (error !== null) {
        done(error, null);
      } else if (isAllowed(socket.remoteAddress ?? "")) {
        limitSent(socket, maxResponseSize + maxOverheadBytes);
        done(null, socket);
      } else {
        socket.destroy();
        done(new PrivateAddress(options.hostname), null);
      }
    });
  };
}

/** Client limits don't count informational responses (1xx) or other bytes outside the body. */
function limitSent(socket: Socket, most: number): void {
  socket.on("readable", () => {
    if (socket.bytesRead > most) socket.destroy(new Error("The answer is too long."));
  });
}

/** A name can have thousands of addresses, and the server would try them all. */
const maxAddresses = 16;

async function findAllowed(
  hostname: string,
  { resolve: resolveName, isAllowed }: DocumentNetwork,
): Promise<[LookupAddress, ...LookupAddress[]]> {
  const addresses = await resolveName(hostname);
  const [first, ...others] = addresses.map((address) => ({ address, family: isIP(address) }));
  if (first === undefined) throw new UnknownHost(`${hostname} has no address.`);
  if (!addresses.every(isAllowed)) throw new PrivateAddress(hostname);
  return [first, ...others.slice(0, maxAddresses - 1)];
}

export class UnknownHost extends Error {}

/**
 * The server may not connect to the host. Contains the host as given, because its address must not
 * be revealed to strangers.
 */
export class PrivateAddress extends Error {
  readonly host: string;

  constructor(host: string) {
    const verb = isIP(host) === 0 ? "has" : "is";
    super(
      `${host} ${verb} a private address. The server's administrator can allow it with ALLOWED_PRIVATE_NETWORKS.`,
    );
    this.name = "PrivateAddress";
    this.host = host;
  }
}

export function findPrivateAddress(error: unknown): PrivateAddress | undefined {
  for (let within = error; within instanceof Error; within = within.cause) {
    if (within instanceof PrivateAddress) return within;
  }
  return undefined;
}

/**
 * Returns true for a public Internet address. Excludes private networks, cloud addresses,
 * multicast, and addresses that translate to another address (NAT64, 6to4, IPv4 within IPv6).
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== "unicast" || ofClouds.has(parsed.toString())) return false;
  // RFC 4291 §2.4: the assigned range. Others include IPv4-compatible addresses.
  return parsed.kind() === "ipv4" || parsed.match(ipaddr.parseCIDR("2000::/3"));
}
