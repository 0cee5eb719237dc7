// @module-tag embedded

import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { connect, type Json } from "../../support/mcp.js";

const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};
const modernHeaders = (method: string, name?: string) => ({
  "mcp-protocol-version": "2026-07-28",
  "mcp-method": method,
  ...(name !== undefined && { "mcp-name": name }),
});
const call = (name: string, params: Json = {}) => ({
  jsonrpc: "2.0",
  id: 7,
  method: "tools/call",
  params: { name, arguments: {}, ...params },
});
const request = (method: string, params?: Json) => ({ jsonrpc: "2.0", id: 7, method, params });

describe("endpoint", () => {
  const server = useApp();
  let token = "";

  beforeAll(async () => {
    ({ token } = await connect(server()));
  });

  interface Sent {
    method?: string;
    headers?: Record<string, string | undefined>;
    body?: unknown;
    path?: string;
  }

  async function send({ method = "POST", headers = {}, body, path = "/mcp" }: Sent) {
    const all = {
      "content-type": "application/json",
      authorization: `Bearer ${token}`,
      ...headers,
    };
    const response = await server().app.inject({
      method: method as "POST",
      url: path,
      // Undefined removes a header.
      headers: JSON.parse(JSON.stringify(all)) as Record<string, string>,
      ...(body !== undefined && {
        payload: typeof body === "string" ? body : JSON.stringify(body),
      }),
    });
    return {
      status: response.statusCode,
      headers: response.headers,
      text: response.body,
      json: () => response.json<Json & { error?: Json; result?: Json }>(),
    };
  }

  describe("over HTTP", () => {
    test.each(["GET", "DELETE", "PUT", "PATCH"])(
      "%s returns 405, with or without a token",
      async (method) => {
        for (const authorization of [undefined, `Bearer ${token}`]) {
          const answer = await send({
            method,
            headers: { authorization, "content-type": undefined },
          });
          expect(answer.status).toBe(405);
          expect(answer.headers.allow).toBe("POST");
          expect(answer.json().error).toMatchObject({ code: -32_000 });
        }
      },
    );

    test.each([
      { origin: "https://evil.example" },
      { origin: "null" },
      { origin: "http://localhost.evil.example" },
      { host: "evil.example" },
      { host: "localhost.evil.example:3000" },
    ])("MCP-15: %j returns 403 before the token is checked", async (headers) => {
      const answer = await send({
        headers: { ...headers, authorization: undefined },
        body: request("ping"),
      });

      expect(answer.status).toBe(403);
      expect(answer.json()).toMatchObject({ jsonrpc: "2.0", id: null, error: { code: -32_000 } });
      expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
    });

    test.each(["http://localhost:6274", "http://127.0.0.1:1", "http://[::1]:8080"])(
      "MCP-18: a page from %s may call and read the challenge",
      async (origin) => {
        const preflight = await send({
          method: "OPTIONS",
          headers: { origin, authorization: undefined, "content-type": undefined },
        });
        const refused = await send({
          headers: { origin, authorization: undefined },
          body: request("ping"),
        });
        const answer = await send({ headers: { origin }, body: request("ping") });

        expect(preflight.status).toBe(204);
        expect(preflight.headers["access-control-allow-headers"]).toContain("Mcp-Method");
        expect(refused.status).toBe(401);
        expect(refused.headers["access-control-expose-headers"]).toContain("WWW-Authenticate");
        expect(answer.status).toBe(200);
        expect(answer.headers["access-control-allow-origin"]).toBe(origin);
      },
    );

    test("returns 401 without a token, with the starting point and required scopes", async () => {
      const { config } = server();

      const answer = await send({ headers: { authorization: undefined }, body: request("ping") });

      expect(answer.status).toBe(401);
      expect(answer.headers["www-authenticate"]).toBe(
        `Bearer resource_metadata="${config.baseUrl}/.well-known/oauth-protected-resource/mcp", scope="mcp_read mcp_write"`,
      );
    });

    test("MCP-12: ignores a session id with a token, and rejects it alone", async () => {
      const headers = { "mcp-session-id": "abc" };

      expect(
        (await send({ headers: { ...headers, authorization: undefined }, body: request("ping") }))
          .status,
      ).toBe(401);
      expect((await send({ headers, body: request("ping") })).status).toBe(200);
    });

    test("rejects a large body with 413, another type with 415, and broken JSON", async () => {
      const large = await send({
        body: JSON.stringify(request("ping", { x: "a".repeat(1_048_577) })),
      });
      const form = await send({
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: "a=b",
      });
      const broken = await send({ body: "{" });
      const notRpc = await send({ body: { hello: 1 } });
      const nested = `${"[".repeat(24_000)}${"]".repeat(24_000)}`;
      const deep = await send({
        body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_assets","arguments":{"query":${nested}}}}`,
      });

      expect([large.status, large.json().error?.["code"]]).toEqual([413, -32_000]);
      expect([form.status, form.json().error?.["code"]]).toEqual([415, -32_000]);
      expect([broken.status, broken.json().error?.["code"]]).toEqual([400, -32_700]);
      expect([notRpc.status, notRpc.json().error?.["code"]]).toEqual([400, -32_600]);
      expect([deep.status, deep.json().error?.["code"]]).toEqual([400, -32_600]);
    });

    test.each(["/mcp/", "/mcp/sse", "/mcp/.well-known/openid-configuration"])(
      "%s returns a JSON 404",
      async (path) => {
        const answer = await send({ method: "GET", path, headers: { accept: "text/html" } });

        expect(answer.status).toBe(404);
        expect(answer.headers["content-type"]).toContain("application/json");
      },
    );
  });

  describe("2025 revisions", () => {
    test.each([
      ["2025-03-26", "2025-03-26"],
      ["2025-06-18", "2025-06-18"],
      ["2025-11-25", "2025-11-25"],
      ["2030-01-01", "2025-11-25"],
    ])("initialize with %s negotiates %s", async (asked, settled) => {
      const params = {
        protocolVersion: asked,
        capabilities: {},
        clientInfo: { name: "t", version: "1" },
      };

      const { result } = (await send({ body: request("initialize", params) })).json();

      expect(result).toMatchObject({
        protocolVersion: settled,
        capabilities: { tools: {} },
        serverInfo: { name: "fettle", title: "Fettle" },
      });
      expect(result?.["instructions"]).toContain("get_current_user");
      expect(Object.keys(result?.["capabilities"] as object)).toEqual([
        ...["tools", "resources", "prompts", "completions", "extensions"],
      ]);
    });

    test.each([
      [undefined, 200],
      ["2025-03-26", 200],
      ["2025-11-25", 200],
      ["2025-06-18, 2025-06-18", 200],
      ["1999-01-01", 400],
      ["2025-06-18, 2025-11-25", 400],
    ])("version header %s returns %i", async (version, status) => {
      const answer = await send({
        headers: { "mcp-protocol-version": version },
        body: request("ping"),
      });

      expect(answer.status).toBe(status);
    });

    test("accepts notifications and responses without a response body", async () => {
      for (const body of [
        { jsonrpc: "2.0", method: "notifications/initialized" },
        { jsonrpc: "2.0", id: 1, result: {} },
      ]) {
        const answer = await send({ body });
        expect([answer.status, answer.text]).toEqual([202, ""]);
      }
    });

    test.each(["resources/subscribe", "logging/setLevel", "server/discover", "constructor"])(
      "%s isn't supported",
      async (method) => {
        const answer = await send({ body: request(method, {}) });

        expect([answer.status, answer.json().error?.["code"]]).toEqual([200, -32_601]);
      },
    );

    test("an unknown tool returns the nearest name, and ids are returned unchanged", async () => {
      const answer = (await send({ body: { ...call("list_asset"), id: "a" } })).json();

      expect(answer).toEqual({
        jsonrpc: "2.0",
        id: "a",
        error: { code: -32_602, message: 'Unknown tool "list_asset". Did you mean list_assets?' },
      });
      const erase = (await send({ body: call("force_delete_assets") })).json();
      expect(erase.error?.["message"]).not.toContain("force_delete_asset?");
      const retire = (await send({ body: call("delete_asset") })).json();
      expect(retire.error?.["message"]).toContain('use update_asset_state with state "deleted"');
    });

    test("serves batches of up to 20 in order, in revision 2025-03-26 only", async () => {
      const batch = (count: number) =>
        Array.from({ length: count }, (_, id) => ({ ...request("ping"), id }));
      const old = { "mcp-protocol-version": "2025-03-26" };
      const mixed = [
        { jsonrpc: "2.0", method: "notifications/initialized" },
        { ...call("get_current_user"), id: "me" },
        { ...request("nope"), id: "x" },
        { ...request("initialize", { protocolVersion: "2025-03-26" }), id: "i" },
      ];

      const answer = await send({ headers: old, body: mixed });
      const statuses = await Promise.all([
        send({ body: batch(20) }),
        send({ headers: old, body: batch(21) }),
        send({ headers: { "mcp-protocol-version": "2025-06-18" }, body: batch(2) }),
        send({ headers: old, body: [] }),
        send({ headers: old, body: [{ jsonrpc: "2.0", method: "notifications/x" }] }),
        send({ headers: old, body: [{ ...request("ping"), params: { _meta: meta } }] }),
      ]);

      expect(answer.json()).toMatchObject([
        { id: "me", result: { structuredContent: { organization_role: "owner" } } },
        { id: "x", error: { code: -32_601 } },
        { id: "i", error: { code: -32_600 } },
      ]);
      expect(statuses.map(({ status }) => status)).toEqual([200, 400, 400, 400, 202, 400]);
    });
  });

  describe("revision 2026-07-28", () => {
    test("discover, tools/list, and tools/call return the required result fields", async () => {
      const discover = await send({
        headers: modernHeaders("server/discover"),
        body: request("server/discover", { _meta: meta }),
      });
      const list = await send({
        headers: modernHeaders("tools/list"),
        body: request("tools/list", { _meta: meta }),
      });
      const called = await send({
        headers: modernHeaders("tools/call", "get_current_user"),
        body: call("get_current_user", { _meta: meta }),
      });

      const common = {
        resultType: "complete",
        _meta: { "io.modelcontextprotocol/serverInfo": { name: "fettle" } },
      };
      const cacheable = { ttlMs: expect.any(Number) as number, cacheScope: "public" };
      expect(discover.json().result).toMatchObject({
        ...common,
        ...cacheable,
        supportedVersions: ["2026-07-28"],
        capabilities: { tools: {} },
      });
      expect(list.json().result).toMatchObject({ ...common, ...cacheable });
      expect(called.json().result).toMatchObject({
        ...common,
        structuredContent: { organization_role: "owner" },
      });
    });

    const modernCall = call("get_current_user", { _meta: meta });
    test.each([
      ["no Mcp-Method", { "mcp-method": undefined }, modernCall, 400, -32_020],
      ["another Mcp-Method", { "mcp-method": "tools/list" }, modernCall, 400, -32_020],
      ["no Mcp-Name", { "mcp-name": undefined }, modernCall, 400, -32_020],
      ["another Mcp-Name", { "mcp-name": "list_assets" }, modernCall, 400, -32_020],
      ["a broken Mcp-Name", { "mcp-name": "=?base64?!?=" }, modernCall, 400, -32_020],
      [
        "an encoded Mcp-Name",
        { "mcp-name": "=?base64?Z2V0X2N1cnJlbnRfdXNlcg==?=" },
        modernCall,
        200,
        undefined,
      ],
      ["no version header", { "mcp-protocol-version": undefined }, modernCall, 400, -32_020],
      [
        "an unknown version header",
        { "mcp-protocol-version": "2027-01-01" },
        modernCall,
        400,
        -32_020,
      ],
      ["no _meta", {}, call("get_current_user"), 400, -32_602],
      [
        "half of _meta",
        {},
        call("get_current_user", {
          _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" },
        }),
        400,
        -32_602,
      ],
      [
        "a revision to come",
        { "mcp-protocol-version": "2027-01-01" },
        call("get_current_user", {
          _meta: { ...meta, "io.modelcontextprotocol/protocolVersion": "2027-01-01" },
        }),
        400,
        -32_022,
      ],
    ])("%s", async (_what, headers, body, status, code) => {
      const answer = await send({
        headers: { ...modernHeaders("tools/call", "get_current_user"), ...headers },
        body,
      });

      expect([answer.status, answer.json().error?.["code"]]).toEqual([status, code]);
      if (code === -32_022) {
        expect(answer.json().error?.["data"]).toMatchObject({ supported: ["2026-07-28"] });
      }
    });

    test.each(["ping", "initialize", "logging/setLevel", "resources/subscribe", "toString"])(
      "%s returns 404",
      async (method) => {
        const answer = await send({
          headers: modernHeaders(method),
          body: request(method, { _meta: meta }),
        });

        expect([answer.status, answer.json().error?.["code"]]).toEqual([404, -32_601]);
      },
    );

    test("accepts an older revision's header and warns once per app", async () => {
      const warned: unknown[] = [];
      const { app } = server();
      const original = app.log.warn.bind(app.log);
      app.log.warn = (details: unknown) => warned.push(details);
      try {
        for (let count = 0; count < 2; count += 1) {
          const answer = await send({
            headers: { "mcp-protocol-version": "2025-11-25" },
            body: modernCall,
          });
          expect(answer.json().result).toMatchObject({ resultType: "complete" });
        }
      } finally {
        app.log.warn = original;
      }
      expect(warned).toHaveLength(1);
      expect(warned[0]).toMatchObject({ clientId: "fettle-bridge" });
    });
  });
});
