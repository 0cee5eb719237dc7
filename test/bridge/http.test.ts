import { readFileSync } from "node:fs";
import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Server as TcpServer,
} from "node:net";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { Settings } from "../../bridge/src/common/settings.js";
import { createDeferred } from "../../bridge/src/common/timing.js";
import { createAgents } from "../../bridge/src/http/agents.js";
import { createHttpClient, HttpFailure } from "../../bridge/src/http/http-client.js";
import { createFetch } from "../../bridge/src/sign-in/authorization.js";
import { testSettings } from "../support/bridge-context.js";
import { startRefusingProxy } from "../support/bridge-refusing-proxy.js";

const certificate = fileURLToPath(new URL("../support/localhost.pem", import.meta.url));

describe("bridge HTTP client", () => {
  const ends: (() => void)[] = [];
  afterEach(() => {
    for (const end of ends.splice(0)) end();
    vi.unstubAllEnvs();
    vi.useRealTimers();
  });

  function client(changes: Partial<Settings> = {}) {
    const http = createHttpClient(testSettings(changes));
    ends.push(http.close);
    return http;
  }

  async function listen(server: Server | TcpServer): Promise<number> {
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    ends.push(() => {
      server.close();
      if ("closeAllConnections" in server) server.closeAllConnections();
    });
    return (server.address() as AddressInfo).port;
  }

  const serve = (listener: RequestListener) => listen(createServer(listener));

  const serveTls = (listener: RequestListener) => {
    const pem = readFileSync(certificate);
    return listen(createTlsServer({ key: pem, cert: pem }, listener));
  };

  function drip(response: ServerResponse): void {
    const dripping = setInterval(() => response.write(" "), 5);
    ends.push(() => {
      clearInterval(dripping);
    });
  }

  async function failureOf(work: Promise<unknown>): Promise<HttpFailure> {
    const failure: unknown = await work.catch((error: unknown) => error);
    if (!(failure instanceof HttpFailure)) throw new Error("An HttpFailure was expected.");
    return failure;
  }

  test("reports a refused connection as not sent", async () => {
    const port = await serve(() => undefined);
    for (const end of ends.splice(0)) end();

    const failure = await failureOf(
      client().request(`http://127.0.0.1:${port}/`, { method: "GET", silenceMs: 5000 }),
    );

    expect(failure).toMatchObject({ notSent: true, timedOut: false });
    expect(failure.message).toBe(`nothing answers at 127.0.0.1:${port}`);
  });

  test("reports a connection closed before the answer as possibly sent", async () => {
    const port = await serve((request) => request.socket.destroy());

    const failure = await failureOf(
      client().request(`http://127.0.0.1:${port}/`, { method: "POST", body: "x", silenceMs: 5000 }),
    );

    expect(failure).toMatchObject({ notSent: false, timedOut: false });
  });

  test("times out when no head arrives, and reports the request as possibly sent", async () => {
    const port = await serve(() => undefined);

    const failure = await failureOf(
      client().request(`http://127.0.0.1:${port}/`, { method: "GET", silenceMs: 1000 }),
    );

    expect(failure).toMatchObject({ notSent: false, timedOut: true });
  });

  test("times out on silence within the body", async () => {
    const port = await serve((_request, response) => response.write("half"));
    const http = client();
    const answer = await http.request(`http://127.0.0.1:${port}/`, {
      method: "GET",
      silenceMs: 1000,
    });

    await expect(http.text(answer)).rejects.toBeInstanceOf(HttpFailure);
  });

  test("treats a protocol switch as no answer", async () => {
    const port = await listen(
      createServer().on("connection", (socket) => {
        socket.end("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n");
      }),
    );

    const failure = await failureOf(
      client().request(`http://127.0.0.1:${port}/`, { method: "POST", body: "x", silenceMs: 5000 }),
    );

    expect(failure).toMatchObject({ notSent: false, timedOut: false });
    expect(failure.message).toBe(`127.0.0.1:${port} cannot be reached (it gave no answer)`);
  });

  test.each([0, 300])("times out on a trickling rejection, after a limit of %i ms", async (ms) => {
    const port = await serve((_request, response) => {
      drip(response.writeHead(403));
    });
    const http = client({ timeoutMs: 300 });
    const answer = await http.request(`http://127.0.0.1:${port}/`, {
      method: "GET",
      silenceMs: ms,
    });

    const failure = await failureOf(http.text(answer));

    expect(failure).toMatchObject({ notSent: false, timedOut: true });
  });

  test("rejects an answer longer than the limit", async () => {
    const port = await serve((_request, response) => response.end("x".repeat(100_000)));
    const http = client();
    const answer = await http.request(`http://127.0.0.1:${port}/`, {
      method: "GET",
      silenceMs: 5000,
    });

    await expect(http.text(answer, 1000)).rejects.toThrow("the answer is too long");
  });

  test("reuses one connection for successive requests", async () => {
    const ports = new Set<number | undefined>();
    const port = await serve((request, response) => {
      ports.add(request.socket.remotePort);
      response.end("ok");
    });
    const http = client();

    for (let round = 0; round < 3; round += 1) {
      await http.text(
        await http.request(`http://127.0.0.1:${port}/`, { method: "GET", silenceMs: 5000 }),
      );
    }

    expect(ports.size).toBe(1);
  });

  test("does not reuse a connection that was idle too long", async () => {
    const ports = new Set<number | undefined>();
    const port = await serve((request, response) => {
      ports.add(request.socket.remotePort);
      response.end("ok");
    });
    const http = client();
    const ask = async () =>
      http.text(
        await http.request(`http://127.0.0.1:${port}/`, { method: "GET", silenceMs: 5000 }),
      );
    await ask();

    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 11_000 });
    await ask();

    expect(ports.size).toBe(2);
  });

  test("rejects an untrusted certificate before sending anything", async () => {
    let seen = 0;
    const port = await serveTls(() => (seen += 1));

    const failure = await failureOf(
      client().request(`https://127.0.0.1:${port}/`, { method: "GET", silenceMs: 5000 }),
    );

    expect(failure.notSent).toBe(true);
    expect(failure.message).toMatch(/SELF_SIGNED/);
    expect(seen).toBe(0);
  });

  test("--ca-file adds a certificate authority", async () => {
    const port = await serveTls((_request, response) => response.end("trusted"));
    const http = client({ caFile: certificate });

    const answer = await http.request(`https://127.0.0.1:${port}/`, {
      method: "GET",
      silenceMs: 5000,
    });

    await expect(http.text(answer)).resolves.toBe("trusted");
  });

  test("names a missing CA file", async () => {
    await expect(
      client({ caFile: "/no/such.pem" }).request("https://127.0.0.1:1/", {
        method: "GET",
        silenceMs: 5000,
      }),
    ).rejects.toThrow('The CA file "/no/such.pem" cannot be read.');
  });

  test("HTTPS_PROXY applies to https except NO_PROXY hosts, and only the proxy gets its password", async () => {
    const asked: unknown[] = [];
    const port = await serveTls((_request, response) => response.end("through"));
    const proxy = createServer();
    proxy.on("connect", (request, socket) => {
      asked.push(request.url, request.headers["proxy-authorization"]);
      const onward = connect(port, "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n");
        onward.pipe(socket).pipe(onward);
      });
      onward.on("error", () => socket.destroy());
      socket.on("error", () => onward.destroy());
    });
    const environment = { HTTPS_PROXY: `http://bob:p%40ss@127.0.0.1:${await listen(proxy)}` };
    vi.stubEnv("HTTPS_PROXY", environment.HTTPS_PROXY);
    vi.stubEnv("NO_PROXY", "127.0.0.1");
    const http = client({ environment, caFile: certificate });

    for (const host of ["localhost", "127.0.0.1"]) {
      const answer = await http.request(`https://${host}:${port}/`, {
        method: "GET",
        silenceMs: 5000,
      });
      await expect(http.text(answer)).resolves.toBe("through");
    }

    const authorization = `Basic ${Buffer.from("bob:p@ss").toString("base64")}`;
    expect(asked).toEqual([`localhost:${port}`, authorization]);
    // The agent's package logs the proxy with DEBUG=*.
    const { agent } = await createAgents(testSettings({ environment })).of(
      new URL("https://x.test"),
    );
    expect(String((agent as unknown as { proxy: URL }).proxy)).toMatch(
      /^http:\/\/127\.0\.0\.1:\d+\/$/,
    );
  });

  test("blames a proxy that refuses, and sends nothing", async () => {
    const proxy = await startRefusingProxy(407);
    const environment = { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` };
    vi.stubEnv("HTTPS_PROXY", environment.HTTPS_PROXY);

    const failure = await failureOf(
      client({ environment }).request("https://fettle.example/mcp", {
        method: "GET",
        silenceMs: 5000,
      }),
    );

    expect(failure).toMatchObject({ notSent: true, timedOut: false });
    expect(failure.message).toContain(`the proxy 127.0.0.1:${proxy.port} asks for a name`);
    await proxy.stop();
  });

  test("times out on a proxy that never answers, and drops its connection", async () => {
    const gone = createDeferred();
    const proxy = createTcpServer((socket) => {
      socket.resume().once("close", gone.resolve);
    });
    const environment = { HTTPS_PROXY: `http://127.0.0.1:${await listen(proxy)}` };
    vi.stubEnv("HTTPS_PROXY", environment.HTTPS_PROXY);
    const settings = testSettings({ environment });
    const http = createHttpClient(settings, createAgents(settings, undefined, 1_000));
    const request = { method: "GET", silenceMs: 50 } as const;

    const late = await failureOf(http.request("https://fettle.example/mcp", request));
    const signal = AbortSignal.timeout(50);
    const aborted = await failureOf(
      http.request("https://fettle.example/mcp", { ...request, silenceMs: 0, signal }),
    );

    expect(late).toMatchObject({ notSent: true, timedOut: true });
    expect(aborted).toMatchObject({ notSent: true, timedOut: false });
    await gone.promise;
  });

  test("strips control characters from a fake proxy's answer", async () => {
    const proxy = createTcpServer((socket) => {
      socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\n\u001b]0;owned\u0007red\r\n\r\n"));
    });
    const environment = { HTTPS_PROXY: `http://127.0.0.1:${await listen(proxy)}` };
    vi.stubEnv("HTTPS_PROXY", environment.HTTPS_PROXY);

    const { message } = await failureOf(
      client({ environment }).request("https://fettle.example/mcp", {
        method: "GET",
        silenceMs: 5000,
      }),
    );

    expect(message).toContain("red");
    expect(message).not.toMatch(/\p{Cc}/u);
  });

  test("sends extra headers only to the server's own origin", async () => {
    const headers: (string | string[] | undefined)[] = [];
    const listener: RequestListener = (request, response) => {
      headers.push(request.headers["x-tenant"]);
      response.end("{}");
    };
    const [own, other] = [await serve(listener), await serve(listener)];
    const settings = testSettings({
      server: `http://127.0.0.1:${own}/mcp`,
      headers: [["X-Tenant", "north"]],
    });
    const fetch = createFetch(client(), settings);

    await fetch(`http://127.0.0.1:${own}/.well-known/x`);
    await fetch(`http://127.0.0.1:${other}/token`, {
      method: "POST",
      body: new URLSearchParams({ a: "b c" }),
    });

    expect(headers).toEqual(["north", undefined]);
  });

  test("reports an invalid header as not sent, without revealing its value", async () => {
    const headers = { authorization: "Bearer secret\u0001" };

    const failure = await failureOf(
      client().request("http://127.0.0.1:1/", { method: "GET", headers, silenceMs: 5000 }),
    );

    expect(failure).toMatchObject({ notSent: true, timedOut: false });
    expect(failure.message).toBe("127.0.0.1:1 cannot be reached (ERR_INVALID_CHAR)");
    expect(String(failure.cause)).not.toContain("secret");
  });

  describe("fetch adapter", () => {
    test("times out on every answer that keeps trickling", async () => {
      const port = await serve((_request, response) => {
        drip(response);
      });
      const server = `http://127.0.0.1:${port}/mcp`;
      const fetch = createFetch(client(), testSettings({ server, timeoutMs: 300 }));

      for (const path of ["/one", "/other"]) {
        await expect(fetch(server + path)).rejects.toMatchObject({
          message: `127.0.0.1:${port} did not answer within 0.3 s`,
          cause: { code: "server_unreachable" },
        });
      }
    });

    test("respects the caller's abort signal", async () => {
      const port = await serve(() => undefined);
      const server = `http://127.0.0.1:${port}/mcp`;
      const fetch = createFetch(client(), testSettings({ server }));

      const failure = await failureOf(fetch(server, { signal: AbortSignal.timeout(20) }));

      expect(failure.timedOut).toBe(false);
    });

    test.each([
      ["http://127.0.0.1:9/mcp", "http://auth.example/token", "is not an https address"],
      ["http://127.0.0.1:9/mcp", "http://auth.localhost/token", "is not an https address"],
      ["https://mcp.example/mcp", "https://mcp.example@evil.example/", "holds a user name"],
      ["http://127.0.0.1:9/mcp", "ftp://127.0.0.1/token", "is not an https address"],
      ["https://mcp.example/mcp", "http://mcp.example/token", "is not an https address"],
      ["https://mcp.example/mcp", "http://127.0.0.1:PORT/token", "is on this computer"],
      ["https://mcp.example/mcp", "http://localhost:PORT/token", "is on this computer"],
      ["https://mcp.example/mcp", "https://localhost.:PORT/token", "is on this computer"],
      ["https://mcp.example/mcp", "https://auth.localhost:PORT/token", "is on this computer"],
      ["https://mcp.example/mcp", "https://0.0.0.0:PORT/token", "is on this computer"],
      ["https://mcp.example/mcp", "https://[::]:PORT/token", "is on this computer"],
      ["https://mcp.example/mcp", "https://[::ffff:127.0.0.1]:PORT/x", "is on this computer"],
    ])("for the server %s rejects %s, which %s", async (server, named, objection) => {
      let connections = 0;
      const asked = createServer().on("connection", () => (connections += 1));
      const address = named.replace("PORT", String(await listen(asked)));
      const fetch = createFetch(client(), testSettings({ server }));

      await expect(fetch(address)).rejects.toThrow(
        `The server names "${new URL(address).origin}", which ${objection}`,
      );

      expect(connections).toBe(0);
    });
  });
});
