import { createHmac, randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmodSync, mkdtempSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { createConnection, createServer, type Server } from "node:net";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type ChannelServer, connectHelper, openChannel } from "../../bridge/src/ipc/channel.js";
import { makeHome } from "../support/bridge-context.js";

const createRandom = () => randomBytes(32).toString("base64url");
const secret = createRandom();

type Greeting = Record<string, unknown>;

const toLine = (message: object) => `${JSON.stringify(message)}\n`;
const parse = (line: string) => JSON.parse(line) as Greeting;

function prove(key: string, side: string, connecting: unknown, listening: unknown): string {
  const content = JSON.stringify([side, connecting, listening]);
  return createHmac("sha256", key).update(content).digest("base64url");
}

function replaceByLink(path: string): void {
  renameSync(path, `${path}.there`);
  symlinkSync(`${path}.there`, path);
}

describe("client connecting to a helper", () => {
  let home: ReturnType<typeof makeHome>;
  let impostor: Server;
  let channel: string;
  let record: string;
  let heard: string[];

  beforeEach(() => {
    home = makeHome();
    channel = join(mkdtempSync(join(home.path, "channel-")), "s");
    record = join(home.path, "helper.json");
    heard = [];
    writeFileSync(record, toLine({ pid: 1, channel, secret }), { mode: 0o600 });
  });
  afterEach(() => {
    impostor.close();
    home.remove();
  });

  /** Another process in the helper's place, although the channel and the record are valid. */
  async function listen(answer: (line: string) => string = () => ""): Promise<void> {
    impostor = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.on("data", (data) => {
        heard.push(String(data));
        socket.write(answer(String(data)));
      });
    }).listen(channel);
    await once(impostor, "listening");
  }

  function connect() {
    return connectHelper({ key: "k", folder: home.path, server: "http://127.0.0.1/mcp", name: "" });
  }

  function proveTo(line: string, key = secret, side = "listens", own = createRandom()): string {
    return toLine({ nonce: own, proof: prove(key, side, parse(line)["nonce"], own) });
  }

  test.each<[string, (line: string) => string]>([
    ["proves nothing", () => '{"event":"hello"}\n'],
    ["says that all is well", () => '{"accepted":true}\n'],
    ["sends back what it hears", (line) => line],
    ["knows another secret", (line) => proveTo(line, createRandom())],
    ["gives the proof of the other side", (line) => proveTo(line, secret, "connects")],
    ["gives an old proof", () => proveTo(toLine({ nonce: createRandom() }))],
    ["has no nonce", (line) => proveTo(line, secret, "listens", "")],
    ["says what is no message", () => "[1]\n"],
    ["speaks something else", () => "HTTP/1.1 200 OK\r\n\r\n"],
    ["says nothing", () => ""],
  ])("BRG-03 sends only a nonce to a helper that %s", async (_, answer) => {
    await listen(answer);

    expect(await connect()).toBeUndefined();

    expect(heard).toEqual([expect.stringMatching(/^\{"nonce":"[\w-]{43}"\}\n$/)]);
  });

  test("BRG-03 trusts a helper that proves the secret, and proves it in return", async () => {
    const nonce = createRandom();
    await listen((line) =>
      "nonce" in parse(line) ? proveTo(line, secret, "listens", nonce) : toLine({ accepted: true }),
    );

    const helper = await connect();

    expect(helper).toBeDefined();
    const [first = "", second] = heard;
    const proof = prove(secret, "connects", parse(first)["nonce"], nonce);
    expect(second).toBe(toLine({ proof }));
    helper?.close();
  });

  test.each<[string, () => void]>([
    [
      "BRG-01 a folder open to others",
      () => {
        chmodSync(dirname(channel), 0o750);
      },
    ],
    [
      "BRG-02 a link as the folder",
      () => {
        replaceByLink(dirname(channel));
      },
    ],
    [
      "BRG-02 a link as the socket",
      () => {
        replaceByLink(channel);
      },
    ],
    [
      "BRG-02 a link as the record",
      () => {
        replaceByLink(record);
      },
    ],
    [
      "BRG-03 a record open to others",
      () => {
        chmodSync(record, 0o604);
      },
    ],
    [
      "BRG-03 a record without a secret",
      () => {
        writeFileSync(record, toLine({ pid: 1, channel, secret: "" }));
      },
    ],
  ])("%s counts as no helper", async (_, spoil) => {
    let connections = 0;
    await listen();
    impostor.on("connection", () => (connections += 1));

    spoil();

    expect(await connect()).toBeUndefined();
    expect(connections).toBe(0);
  });
});

describe("helper", () => {
  let server: ChannelServer;
  let admitted: number;

  beforeEach(async () => {
    admitted = 0;
    server = await openChannel({}, (end) => {
      admitted += 1;
      end.onMessage((message) => {
        end.send(message);
      });
    });
  });
  afterEach(() => server.close());

  /** Sends a first message and, after the response, a second. Returns everything received. */
  async function say(first: string, toSecond?: (answer: Greeting) => string): Promise<string> {
    const socket = createConnection(server.address.path);
    socket.on("error", () => undefined);
    if (toSecond) {
      socket.once("data", (data) => {
        socket.write(toSecond(parse(String(data))));
      });
    }
    socket.write(first);
    return text(socket);
  }

  const own = createRandom();
  const greeting = toLine({ nonce: own });
  const request = toLine({ op: "get", name: "rt" });

  test.each([
    ["asks at once", request],
    ["has no nonce", toLine({ nonce: 7 })],
    ["gives a proof at once", toLine({ proof: prove(secret, "connects", own, own) })],
    ["speaks something else", "GET / HTTP/1.1\r\n\r\n"],
    ["says nothing", ""],
  ])("BRG-03 disconnects a client that %s", async (_, first) => {
    expect(await say(first)).toBe("");
    expect(admitted).toBe(0);
  });

  test.each<[string, (answer: Greeting) => string]>([
    ["does not prove anything", () => request],
    ["sends back its proof", ({ proof }) => toLine({ proof })],
    [
      "knows another secret",
      ({ nonce }) => toLine({ proof: prove(secret, "connects", own, nonce) }),
    ],
    ["says nothing more", () => ""],
  ])("BRG-03 greets, then disconnects a client that %s", async (_, toSecond) => {
    const answered = await say(
      greeting,
      (answer) => toSecond(answer) + (toSecond(answer) && request),
    );

    expect(Object.keys(parse(answered))).toEqual(["nonce", "proof"]);
    expect(admitted).toBe(0);
  });
});
