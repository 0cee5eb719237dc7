// Must be the first import: it provides the decorator metadata that certificates need.
import "@simplewebauthn/server/helpers";
import { webcrypto } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { connect, type AddressInfo } from "node:net";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import { BasicConstraintsExtension, PemConverter, X509CertificateGenerator } from "@peculiar/x509";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Settings } from "../../bridge/src/common/settings.js";
import { createAgents } from "../../bridge/src/http/agents.js";
import { createHttpClient, type HttpClient } from "../../bridge/src/http/http-client.js";
import { localhostPem } from "../support/bridge-commands-server.js";
import { makeHome, testSettings } from "../support/bridge-context.js";

const folder = makeHome();
const file = (name: string) => join(folder.path, name);
const ends: (() => void)[] = [];

// Creates a certificate authority and a person's certificate and key, as an organization issues
// them.
beforeAll(async () => {
  const signingAlgorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const [keys, person] = [
    await webcrypto.subtle.generateKey(signingAlgorithm, true, ["sign", "verify"]),
    await webcrypto.subtle.generateKey(signingAlgorithm, true, ["sign", "verify"]),
  ];
  const authority = await X509CertificateGenerator.createSelfSigned({
    name: "CN=Northgate",
    keys,
    signingAlgorithm,
    extensions: [new BasicConstraintsExtension(true, undefined, true)],
  });
  const certificate = await X509CertificateGenerator.create({
    subject: "CN=Dara",
    issuer: authority.subject,
    publicKey: person.publicKey,
    signingKey: keys.privateKey,
    signingAlgorithm,
  });
  const toPem = async (key: webcrypto.CryptoKey) =>
    PemConverter.encode(await webcrypto.subtle.exportKey("pkcs8", key), "PRIVATE KEY");
  writeFileSync(file("ca.pem"), authority.toString("pem"));
  writeFileSync(file("ca.key"), await toPem(keys.privateKey));
  writeFileSync(file("dara.pem"), certificate.toString("pem"));
  writeFileSync(file("dara.key"), await toPem(person.privateKey));
});
afterEach(() => {
  for (const end of ends.splice(0)) end();
});
afterAll(folder.remove);

async function listen(server: Server): Promise<number> {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  ends.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

/** Answers with the name in the client certificate. Refuses clients without one. */
async function startStrictServer(): Promise<number> {
  const pem = readFileSync(localhostPem);
  const ca = readFileSync(file("ca.pem"));
  return listen(
    createTlsServer({ key: pem, cert: pem, ca, requestCert: true }, (request, response) => {
      response.end((request.socket as TLSSocket).getPeerCertificate().subject.CN);
    }),
  );
}

function client(changes: Partial<Settings>, system?: () => Promise<string[]>): HttpClient {
  const settings = testSettings({ caFile: localhostPem, ...changes });
  const http = createHttpClient(settings, createAgents(settings, system));
  ends.push(http.close);
  return http;
}

async function get(http: HttpClient, port: number): Promise<string> {
  const url = `https://localhost:${port}/`;
  return http.text(await http.request(url, { method: "GET", silenceMs: 5000 }));
}

describe("server that requires a client certificate", () => {
  const dara = () => ({ cert: file("dara.pem"), key: file("dara.key") });

  test("rejects a client without a certificate", async () => {
    const port = await startStrictServer();

    await expect(get(client({}), port)).rejects.toMatchObject({ name: "HttpFailure" });
  });

  test("accepts --cert and --key on successive connections", async () => {
    const port = await startStrictServer();
    const http = client(dara());

    expect(await get(http, port)).toBe("Dara");
    expect(await Promise.all([get(http, port), get(http, port)])).toEqual(["Dara", "Dara"]);
  });

  test("accepts the certificate through a proxy", async () => {
    const port = await startStrictServer();
    const proxy = createServer().on("connect", (_request, socket) => {
      const onward = connect(port, "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
        socket.pipe(onward).pipe(socket);
      });
      for (const end of [socket, onward]) end.on("error", () => undefined);
    });
    const HTTPS_PROXY = `http://127.0.0.1:${await listen(proxy)}`;
    const previous = process.env["HTTPS_PROXY"];
    process.env["HTTPS_PROXY"] = HTTPS_PROXY;
    ends.push(() => {
      if (previous === undefined) delete process.env["HTTPS_PROXY"];
      else process.env["HTTPS_PROXY"] = previous;
    });

    const name = await get(client({ ...dara(), environment: { HTTPS_PROXY } }), port);

    expect(name).toBe("Dara");
  });

  test("rejects a key that belongs to another certificate as wrong usage", async () => {
    const port = await startStrictServer();

    await expect(get(client({ ...dara(), key: file("ca.key") }), port)).rejects.toMatchObject({
      code: "wrong_usage",
      message: expect.stringContaining("The client certificate and its key cannot") as string,
    });
  });
});

describe("system certificate authorities", () => {
  const serve = () => {
    const pem = readFileSync(localhostPem);
    return listen(
      createTlsServer({ key: pem, cert: pem }, (_request, response) => response.end("ok")),
    );
  };
  const system = (...authorities: string[]) => {
    const state = { count: 0 };
    return {
      state,
      read: async () => {
        state.count += 1;
        return authorities;
      },
    };
  };
  const localhost = () => readFileSync(localhostPem, "utf8");

  test("are read once, and only for a certificate without a known authority", async () => {
    const port = await serve();
    const { state, read } = system(localhost());
    const plain = client({}, read);
    const needy = client({ caFile: undefined }, read);

    await get(plain, port);
    const before = state.count;
    const answers = [await get(needy, port), await get(needy, port)];

    expect(before).toBe(0);
    expect(answers).toEqual(["ok", "ok"]);
    expect(state.count).toBe(1);
  });

  test("are read only once even if they don't help", async () => {
    const port = await serve();
    const { state, read } = system(readFileSync(file("ca.pem"), "utf8"));
    const http = client({ caFile: undefined }, read);

    for (let count = 1; count <= 2; count += 1) {
      await expect(get(http, port)).rejects.toMatchObject({ notSent: true });
    }
    expect(state.count).toBe(1);
  });

  test("work together with a client certificate", async () => {
    const port = await startStrictServer();
    const { read } = system(localhost());
    const identity = { cert: file("dara.pem"), key: file("dara.key") };

    expect(await get(client({ caFile: undefined, ...identity }, read), port)).toBe("Dara");
  });
});

test("reads a CA file again after a failed read", async () => {
  const agents = createAgents(testSettings({ caFile: file("late.pem") }));
  ends.push(agents.close);
  const url = new URL("https://fettle.example/mcp");

  await expect(agents.of(url)).rejects.toThrow("cannot be read");
  writeFileSync(file("late.pem"), readFileSync(file("ca.pem")));

  await expect(agents.of(url)).resolves.toHaveProperty("secureContext");
});
