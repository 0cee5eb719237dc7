import { Agent, request as send, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { allScopes } from "fettle-shared";
import { afterAll, describe, expect, test } from "vitest";
import { useServer } from "../support/app.js";
import { findForms, toCookieHeader } from "../support/browser.js";
import { aMember } from "../support/builders.js";
import { localNetwork } from "../support/client-documents.js";
import { connect } from "../support/mcp.js";
import { signIn } from "../support/oauth.js";
import { routesOf, type Route } from "../support/routes.js";
import { request, type RandomRequest } from "./arbitraries.js";
import { isLong, runs } from "./settings.js";

interface Sent {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: Buffer;
}

const form = "application/x-www-form-urlencoded";
const mcpRoute: Route = { path: "/mcp", methods: ["POST"] };

describe("random requests", () => {
  const current = useServer({ signup: "open" }, { documentNetwork: localNetwork });
  const agent = new Agent({ keepAlive: true, maxSockets: 10 });
  /** The latest values that appeared in responses. */
  const known = { words: ["x"], names: ["x"], addresses: ["/"] };
  let csrf = "";
  /** Addresses and tools, each with its outcome. */
  const seen = new Set<string>();
  const identities: Record<RandomRequest["as"], Record<string, string>> = {
    ...{ nobody: {}, person: {}, app: {} },
  };

  afterAll(() => {
    agent.destroy();
  });

  test(
    "FUZ-02, OPS-09: all are answered without a failure, and memory does not grow",
    { timeout: isLong ? 0 : 240_000 },
    async () => {
      const routes = routesOf(current().app);
      const heaps: number[] = [];
      let run = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(request, { minLength: 10, maxLength: 10 }), async (requests) => {
          // The identities lose roles, sign out and end connections.
          if (run % 25 === 0) await begin(routes);
          if (isLong && run % 500 === 0) heaps.push(heapMiB());
          run += 1;
          await Promise.all(requests.map((next) => perform(routes, next)));
        }),
        // Ten requests per run.
        runs({ short: 150, long: 10_000 }),
      );
      const all = [...seen].toSorted().join("\n");
      for (const status of [200, 303, 400, 401, 403, 404, 405, 415]) {
        expect(all).toMatch(new RegExp(` ${status}$`, "m"));
      }
      expect(all.match(/ done$/gm)?.length).toBeGreaterThan(isLong ? 15 : 4);
      if (isLong) {
        heaps.push(heapMiB());
        console.log(`${all}\nMiB of heap every 5,000 requests: ${heaps.map(Math.round).join(" ")}`);
        const middle = heaps[Math.floor(heaps.length / 2)] ?? 0;
        expect(Number(heaps.at(-1)) - middle).toBeLessThan(24);
      }
    },
  );

  /** Creates an owner with one record of each kind. */
  async function begin(routes: Route[]): Promise<void> {
    const { app, config } = current();
    const member = await aMember(current().db, { workspace: "Hall" });
    const browser = await signIn(app, member);
    identities.person = {
      cookie: toCookieHeader(browser.cookies),
      origin: config.baseUrl,
      accept: "text/html",
    };
    csrf = findForms((await browser.get("/settings")).body)[0]?.hidden["_csrf"] ?? "";
    const { ok, token } = await connect(current(), { member, scopes: [...allScopes] });
    identities.app = {
      authorization: `Bearer ${token}`,
      accept: "application/json, text/event-stream",
    };
    const { asset } = await ok<{ asset: { id: string } }>("create_asset", { name: "Pump" });
    await ok("create_maintenance_task", { asset_id: asset.id, title: "Oil" });
    await ok("create_invite", { email: member.email.replace("@", "+1@") });
    for (const { path } of routes) {
      if (!path.includes(":")) learn((await browser.get(path)).body);
    }
  }

  async function perform(routes: Route[], next: RandomRequest): Promise<void> {
    const route = next.route === undefined ? mcpRoute : pick(routes, next.route);
    const sent = await toSent(route, next);
    const { status, body } = await ask(sent);
    seen.add(`${route.path} ${status}`);
    const tool = /"params":\{"name":"(\w+)"/.exec(String(sent.body))?.[1];
    if (/^\{"(?!error).*"structuredContent":\{(?!"error")/.test(body)) seen.add(`${tool} done`);
  }

  async function toSent({ path, methods }: Route, next: RandomRequest): Promise<Sent> {
    const choice = next.route ?? 0;
    const parameters = [...next.parameters];
    const address =
      known.addresses.find((one) => toPattern(path).test(one) && choice % 3 > 0) ??
      path.replace(/:\w+|\*/g, () =>
        encodeURIComponent(
          fill(parameters.pop() ?? "")
            .toWellFormed()
            .slice(0, 999),
        ),
      );
    const search = next.query === undefined ? "" : `?${toForm(next.query)}`;
    const method = next.method ?? pick(methods, choice);
    const identity = identities[next.as];
    const isForm = next.text?.includes("=") === true;
    const { type, body } =
      next.text === undefined
        ? encode([...(await readForm(method, address, identity)), ...next.fields], next.files)
        : { type: isForm ? form : "application/json", body: next.text };
    return {
      method,
      path: address + search,
      headers: { "content-type": type, ...identity, ...next.headers },
      body: toBytes(fill(body), next.broken),
    };
  }

  /** Encodes a form like a browser. With files it is multipart. */
  function encode(fields: [string, string][], files: RandomRequest["files"]) {
    if (files === undefined) return { type: form, body: toForm(fields) };
    const parts = [
      ...fields.map(([name, value]) => [`name="${name}"`, value]),
      ...files.map(([name, file, content]) => [`name="${name}"; filename="${file}"`, content]),
    ].map(
      ([head, content]) => `--x\r\ncontent-disposition: form-data; ${head}\r\n\r\n${content}\r\n`,
    );
    return { type: "multipart/form-data; boundary=x", body: `${parts.join("")}--x--\r\n` };
  }

  /** Returns the hidden fields of the page's form for this address. */
  async function readForm(method: string, path: string, headers: Sent["headers"]) {
    const { body } = method === "POST" ? await ask({ method: "GET", path, headers }) : { body: "" };
    const forms = findForms(body);
    const own = forms.find(({ action }) => action === path) ?? forms.at(-1);
    return Object.entries({ _csrf: csrf, ...own?.hidden });
  }

  async function ask({ method, path, headers, body }: Sent) {
    const filled = Object.entries(headers).map(([name, value]) => [name, toHeader(fill(value))]);
    const options = {
      ...{ agent, method, path, signal: AbortSignal.timeout(120_000) },
      headers: {
        ...(Object.fromEntries(filled) as Record<string, string>),
        // Node sets no length for some methods but still sends the body.
        "content-length": String(method === "GET" ? 0 : (body?.length ?? 0)),
      },
    };
    try {
      const answer = await new Promise<IncomingMessage>((resolve, reject) => {
        send(current().config.baseUrl, options, resolve)
          .on("error", reject)
          .end(method === "GET" ? undefined : body);
      });
      const answered = { status: answer.statusCode ?? 0, body: await readAll(answer) };
      learn(`${answered.body} href="${answer.headers.location ?? ""}"`);
      expect(answered.status, answered.body).toBeLessThan(500);
      // The error code of a tool call if the server failed.
      expect(answered.body).not.toMatch(/"code":(?:"internal_error"|-32603)/);
      return answered;
    } catch (cause) {
      const described = [method, path, JSON.stringify(headers), String(body).slice(0, 2000)];
      throw new Error(described.join(" "), { cause });
    }
  }

  /** Replaces the placeholders by known values. */
  function fill(value: string): string {
    const { words, names } = known;
    return value
      .replace(/<<(\d+)>>/g, (_, index) => words[Number(index) % words.length] ?? "")
      .replace(/\[\[(\d+)\]\]/g, (_, index) => names[Number(index) % names.length] ?? "");
  }

  function learn(body: string): void {
    const find = (pattern: RegExp) => [...body.matchAll(pattern)].map(([, found = ""]) => found);
    const keep = (found: string[], old: string[]) => [...new Set([...found, ...old])].slice(0, 100);
    known.words = keep(find(/\b((?:[a-z]{3}_[a-z0-9]{12}|(?<=code=)[\w-]+))\b/g), known.words);
    known.names = keep(find(/<(?:input|select|textarea)\b[^>]* name="([\w.-]+)"/g), known.names);
    known.addresses = keep(find(/ (?:href|action)="(\/[^"?#]*)/g), known.addresses);
  }

  function toForm(fields: [string, string][]): string {
    return new URLSearchParams(fields.map(([name, value]) => [fill(name), fill(value)])).toString();
  }
});

function pick<Item>(list: readonly Item[], index: number): Item {
  const item = list[index % list.length];
  if (item === undefined) throw new Error("There is nothing to choose from.");
  return item;
}

/** A streamed file is cut off if another request signs its reader out. */
async function readAll(answer: IncomingMessage): Promise<string> {
  const isFile = answer.headers["content-disposition"] !== undefined;
  try {
    return await text(answer);
  } catch (error) {
    if (isFile && answer.statusCode === 200) return "";
    throw error;
  }
}

function toPattern(path: string): RegExp {
  return new RegExp(`^${path.replace("*", "").replace(/:\w+/g, "[^/]+")}$`);
}

function toHeader(value: string): string {
  return value.replace(/[^ -~]/g, "").slice(0, 4000);
}

function toBytes(value: string, broken: number | undefined): Buffer {
  const bytes = Buffer.from(value);
  if (broken !== undefined && bytes.length > 0) bytes[broken % bytes.length] = 0xff;
  return bytes;
}

function heapMiB(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  return process.memoryUsage().heapUsed / 1024 / 1024;
}
