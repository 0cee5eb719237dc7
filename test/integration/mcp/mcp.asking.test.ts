import { setTimeout as pause } from "node:timers/promises";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  ElicitRequestSchema,
  type ElicitRequest,
  type ElicitResult,
} from "@modelcontextprotocol/sdk/types.js";
import type { FastifyInstance } from "fastify";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { useServer, startApp } from "../../support/app.js";
import { findFreePort } from "../../support/free-port.js";
import { connect, type Connected, type Json, type ToolError } from "../../support/mcp.js";

interface Result {
  isError?: boolean;
  structuredContent: Json & { error?: ToolError };
}

type AnswerForm = (form: ElicitRequest["params"]) => ElicitResult | Promise<ElicitResult>;

const accept = (typed: string): ElicitResult => ({ action: "accept", content: { typed } });
const noForms = { capabilities: {} };
const forms = { capabilities: { elicitation: {} } };

describe("confirmation through a client with a handshake", () => {
  const current = useServer();
  let owner: Connected;
  let asset: { id: string; inventory_number: string };

  beforeEach(async () => {
    owner = await connect(current(), { role: "owner" });
    ({ asset } = await owner.ok<{ asset: typeof asset }>("create_asset", { name: "Pump" }));
    const fresh = await connect(current(), { member: owner.member });
    owner = { ...owner, token: fresh.token, connectionId: fresh.connectionId };
  });

  const deletion = () => ({
    asset_id: asset.id,
    confirm_inventory_number: asset.inventory_number,
  });
  const isThere = async () =>
    (await owner.call("get_asset", { asset_id: asset.id })).isError !== true;
  const transport = (options: object = {}) =>
    new StreamableHTTPClientTransport(new URL(`${current().config.baseUrl}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${owner.token}` } },
      ...options,
    });

  /**
   * Opens an official client of the older major version. The person answers forms with `answer`.
   */
  async function open(answer: AnswerForm | undefined, options: object = {}): Promise<Client> {
    const client = new Client({ name: "test", version: "1" }, answer ? forms : noForms);
    if (answer !== undefined) {
      client.setRequestHandler(ElicitRequestSchema, ({ params }) => answer(params));
    }
    await client.connect(transport(options));
    return client;
  }
  const force = async (client: Client, more?: Parameters<Client["callTool"]>[2]) =>
    (await client.callTool(
      { name: "force_delete_asset", arguments: deletion() },
      undefined,
      more,
    )) as unknown as Result;

  async function startNode(): Promise<{ node: FastifyInstance; baseUrl: string }> {
    const port = await findFreePort();
    const node = await startApp({ ...current().config, port }, current().db);
    onTestFinished(() => node.close());
    await node.listen({ host: "localhost", port });
    return { node, baseUrl: `http://localhost:${port}` };
  }

  /** Sends a raw message in an older revision. */
  const post = (
    message: Json,
    {
      token = owner.token,
      version = "2025-11-25",
      accepted = "application/json, text/event-stream",
      baseUrl = current().config.baseUrl,
      session = undefined as string | undefined,
    } = {},
  ) =>
    fetch(`${baseUrl}/mcp`, {
      method: "POST",
      headers: {
        accept: accepted,
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        "mcp-protocol-version": version,
        ...(session !== undefined && { "mcp-session-id": session }),
      },
      body: JSON.stringify({ jsonrpc: "2.0", ...message }),
    });
  const callMessage = () => ({
    id: 5,
    method: "tools/call",
    params: { name: "force_delete_asset", arguments: deletion() },
  });
  /** Returns the session id. */
  const shakeHands = async (
    capabilities: object,
    protocolVersion = "2025-11-25",
  ): Promise<string> => {
    const clientInfo = { name: "test", version: "1" };
    const params = { protocolVersion, capabilities, clientInfo };
    const answer = await post({ id: 0, method: "initialize", params });
    await answer.text();
    return answer.headers.get("mcp-session-id") ?? "none";
  };

  test("asks on the stream of the call, which then continues", async () => {
    const asked: ElicitRequest["params"][] = [];
    const client = await open(async (form) => {
      asked.push(form);
      // An open question occupies none of the person's four slots.
      const others = Array.from({ length: 4 }, () => owner.ok("get_current_user"));
      await Promise.all(others);
      return accept(asset.inventory_number);
    });

    const { structuredContent } = await force(client);

    expect(structuredContent).toMatchObject({ deleted: true, name: "Pump" });
    expect(asked).toMatchObject([
      {
        mode: "form",
        message: expect.stringContaining('Permanently delete "Pump"') as string,
        requestedSchema: { required: ["typed"] },
      },
    ]);
    expect(await current().db.query("SELECT id FROM confirmations")).toEqual([]);
  });

  test.each<[string, ElicitResult, string]>([
    ["decline", { action: "decline" }, "The person declined. Nothing was changed."],
    ["cancel", { action: "cancel" }, "The person declined. Nothing was changed."],
    ["something else", accept("Pump"), "isn't"],
  ])("respects the answer: %s", async (_what, answer, text) => {
    const { structuredContent } = await force(await open(() => answer));

    expect(structuredContent.error).toMatchObject({ code: "confirmation_mismatch" });
    expect(structuredContent.error?.message).toContain(text);
    expect(await isThere()).toBe(true);
  });

  test("treats a client that answers with an error like one without forms", async () => {
    const broken = await open(() => {
      throw new Error("no window");
    });
    await current().db.query(
      "UPDATE organizations SET deletion_needs_person = true WHERE id = $1",
      [owner.member.organizationId],
    );
    const { error } = (await force(broken)).structuredContent;
    expect(error?.details?.["confirmation_url"]).toContain("/confirm/");
    await current().db.query(
      "UPDATE organizations SET deletion_needs_person = false WHERE id = $1",
      [owner.member.organizationId],
    );

    expect((await force(broken)).structuredContent).toMatchObject({ deleted: true });
  });

  test("doesn't ask endlessly when a client answers without a form", async () => {
    let asked = 0;
    const client = await open(() => {
      asked += 1;
      return { action: "accept", content: {} };
    });

    await expect(force(client)).rejects.toThrow("didn't answer");
    expect(asked).toBeLessThan(10);
    expect(await isThere()).toBe(true);
  });

  describe("clients that are never asked", () => {
    const isAsked = async (options?: Parameters<typeof post>[1]) => {
      const text = await (await post(callMessage(), options)).text();
      return text.includes("elicitation/create");
    };

    test("skips a client without its own handshake", async () => {
      await shakeHands({ elicitation: {} });
      expect(await isAsked()).toBe(false);
    });
    test.each([{}, { elicitation: { url: {} } }, { sampling: {} }])(
      "skips a client that declared %j",
      async (capabilities) => {
        const session = await shakeHands(capabilities);
        expect(await isAsked({ session })).toBe(false);
      },
    );
    test("skips a client whose handshake used a revision without forms", async () => {
      const session = await shakeHands({ elicitation: {} }, "2025-03-26");
      expect(await isAsked({ session })).toBe(false);
    });
    test("skips a call of an earlier revision", async () => {
      const session = await shakeHands({ elicitation: {} });
      expect(await isAsked({ session, version: "2025-03-26" })).toBe(false);
    });
    test("skips a call whose response can't be a stream", async () => {
      const session = await shakeHands({ elicitation: {} });
      expect(await isAsked({ session, accepted: "application/json" })).toBe(false);
    });
  });

  /** Sends the call. Returns the id of its question and the final result of the stream. */
  async function ask(
    options?: Parameters<typeof post>[1],
  ): Promise<{ id: string; result: Promise<Result> }> {
    const session = await shakeHands({ elicitation: {} });
    const answer = await post(callMessage(), { session, ...options });
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
    let text = "";
    const read = async () => {
      const { done, value } = await reader.read();
      if (value !== undefined) text += Buffer.from(value).toString();
      return done;
    };
    const messages = () =>
      text
        .split("\n\n")
        .filter((event) => event.startsWith("event: message\ndata: ") && event.endsWith("}"))
        .map((event) => JSON.parse(event.slice("event: message\ndata: ".length)) as Json);
    await read();
    const [question] = messages();
    const rest = async () => {
      while (!(await read()));
      return messages().at(-1)?.["result"] as Result;
    };
    return { id: String(question?.["id"]), result: rest() };
  }
  const respond = (
    id: unknown,
    options?: Parameters<typeof post>[1],
    typed = asset.inventory_number,
  ) => post({ id, result: accept(typed) }, options);

  test("accepts only the asked connection's response, once", async () => {
    const { id, result } = await ask();
    const another = await connect(current(), { member: owner.member });
    const stranger = await connect(current(), { role: "owner" });

    for (const forged of [
      respond(id, { token: another.token }, "wrong"),
      respond(id, { token: stranger.token }, "wrong"),
      respond(`${id}x`, {}, "wrong"),
      respond(id.split(".")[0], {}, "wrong"),
      respond(5, {}, "wrong"),
    ]) {
      expect((await forged).status).toBe(202);
    }
    expect(await isThere()).toBe(true);
    expect((await respond(id)).status).toBe(202);

    expect((await result).structuredContent).toMatchObject({ deleted: true });
    expect((await respond(id)).status).toBe(202);
  });

  test("accepts the response on another node", async () => {
    const { baseUrl } = await startNode();
    const { id, result } = await ask();
    for (const unstorable of ["\0", "\uD83D", "\uDE00x"]) {
      expect((await respond(id, { baseUrl }, unstorable)).status).toBe(400);
    }
    // Escape sequences are plain text.
    expect((await respond("no.question", { baseUrl }, String.raw`\ud83d \u0000`)).status).toBe(202);

    const answer = await respond(id, { baseUrl });

    expect(answer.status).toBe(202);
    expect((await result).structuredContent).toMatchObject({ deleted: true });
  });

  test("ends an identical call open on another node with the question", async () => {
    const { baseUrl } = await startNode();
    const [first, second] = [await ask(), await ask({ baseUrl })];
    expect(second.id).toBe(first.id);

    await respond(first.id);

    expect((await first.result).structuredContent).toMatchObject({ deleted: true });
    const ended = await Promise.race([second.result, pause(60_000)]);
    expect(ended?.structuredContent.error?.message).toContain("was permanently deleted");
  });

  test("a stopping node doesn't wait for an open question", async () => {
    const { node, baseUrl } = await startNode();
    const { result } = await ask({ baseUrl });

    // Open connections would end it after 72 seconds.
    const closed = await Promise.race([node.close(), pause(30_000, "open")]);

    expect(closed).toBeUndefined();
    expect((await result).structuredContent.error?.message).toContain("didn't answer");
    expect(await isThere()).toBe(true);
  });

  test("a cancelled call stops waiting and changes nothing", async () => {
    const { id, result } = await ask();

    await post({ method: "notifications/cancelled", params: { requestId: 5 } });

    expect((await result).structuredContent.error?.message).toContain("Nothing was changed");
    await respond(id);
    expect(await isThere()).toBe(true);
  });

  test.each([
    "UPDATE oauth_connections SET revoked_at = now(), revoked_reason = 'disconnected' WHERE id = $1",
    `UPDATE users SET deactivated_at = now()
     WHERE id = (SELECT user_id FROM oauth_connections WHERE id = $1)`,
  ])("RVK-11 ends the question when access ends: %s", async (end) => {
    const { id, result } = await ask();
    await current().db.query(end, [owner.connectionId]);

    expect((await respond(id)).status).toBe(401);

    expect(await result).toBeUndefined();
    expect(await current().db.query("SELECT FROM assets WHERE id = $1", [asset.id])).toHaveLength(
      1,
    );
  });

  test("allows a person at most four questions at once", async () => {
    const session = await shakeHands({ elicitation: {} });
    const made = await owner.ok<{ assets: (typeof asset)[] }>("create_asset", {
      assets: Array.from({ length: 5 }, (_, index) => ({ name: `Fan ${index}` })),
    });
    const answers: Promise<string>[] = [];
    const stop = new AbortController();
    onTestFinished(() => {
      stop.abort();
    });
    for (const one of made.assets) {
      asset = one;
      answers.push(
        post(callMessage(), { session }).then((answer) =>
          answer.status === 200 && answer.headers.get("content-type") === "text/event-stream"
            ? "asked"
            : answer.text(),
        ),
      );
      await vi.waitFor(async () => {
        const rows = await current().db.query(
          "SELECT 1 FROM confirmations WHERE connection_id = $1",
          [owner.connectionId],
        );
        expect(rows.length).toBe(answers.length);
      }, 60_000);
    }

    const [fifth, ...others] = (await Promise.all(answers)).reverse();

    expect(others).toEqual(Array(4).fill("asked"));
    expect(fifth).toContain("Too many questions are open");
  });
});
