import { describe, expect, test } from "vitest";
import {
  disconnectApp,
  findConnections,
  getConnection,
} from "../../../server/src/domain/oauth/connections.js";
import { useApp } from "../../support/app.js";
import { aMember } from "../../support/builders.js";
import {
  aClient,
  callWith,
  connect,
  postForm,
  refresh,
  type TestClient,
  type Tokens,
} from "../../support/oauth.js";

describe("revocation endpoint", () => {
  const current = useApp();

  const aConnection = async (metadata = {}) =>
    connect(current().app, await aMember(current().db), {}, metadata);

  const revoke = (client: Pick<TestClient, "id">, token: string, more = {}) =>
    postForm(current().app, "/oauth/revoke", { client_id: client.id, token, ...more });

  test("REV-01: a refresh token ends its connection immediately", async () => {
    const { app } = current();
    const { client, tokens } = await aConnection();

    const answer = await revoke(client, tokens.refresh_token);

    expect(answer.statusCode).toBe(200);
    expect(answer.body).toBe("");
    expect(answer.headers["cache-control"]).toBe("no-store");
    expect(await callWith(app, tokens.access_token)).toBe(401);
    expect((await refresh(app, client, tokens.refresh_token)).json()).toMatchObject({
      error: "invalid_grant",
    });
  });

  test("REV-02: revokes only the given access token", async () => {
    const { app } = current();
    const { client, tokens } = await aConnection();

    expect((await revoke(client, tokens.access_token)).statusCode).toBe(200);

    expect(await callWith(app, tokens.access_token)).toBe(401);
    const next = (await refresh(app, client, tokens.refresh_token)).json<Tokens>();
    expect(await callWith(app, next.access_token)).not.toBe(401);
  });

  test("REV-03: an unknown or already revoked token gets 200", async () => {
    const { client, tokens } = await aConnection();

    for (const token of ["garbage", tokens.refresh_token, tokens.refresh_token]) {
      expect((await revoke(client, token)).statusCode).toBe(200);
    }
  });

  test("REV-04: another client's tokens get 200 without effect", async () => {
    const { app } = current();
    const { client, tokens } = await aConnection();
    const other = await aClient(app);

    for (const token of [tokens.refresh_token, tokens.access_token]) {
      expect((await revoke(other, token)).statusCode).toBe(200);
    }

    expect(await callWith(app, tokens.access_token)).not.toBe(401);
    expect((await refresh(app, client, tokens.refresh_token)).statusCode).toBe(200);
  });

  test("REV-05: requires the token and ignores hints", async () => {
    const { app } = current();
    const { client, tokens } = await aConnection();

    const missing = await postForm(app, "/oauth/revoke", { client_id: client.id });
    await revoke(client, tokens.access_token, { token_type_hint: "nonsense" });
    await revoke(client, tokens.refresh_token, { token_type_hint: "access_token" });

    expect(missing.statusCode).toBe(400);
    expect(missing.json()).toMatchObject({ error: "invalid_request" });
    expect((await refresh(app, client, tokens.refresh_token)).statusCode).toBe(400);
  });

  test("REV-06: the client authenticates as at the token endpoint", async () => {
    const { app } = current();
    const { client, tokens } = await aConnection({ token_endpoint_auth_method: undefined });

    const without = await revoke(client, tokens.refresh_token);
    const basic = Buffer.from(`${client.id}:${client.secret ?? ""}`).toString("base64");
    const alive = await callWith(app, tokens.access_token);
    const right = await postForm(
      app,
      "/oauth/revoke",
      { token: tokens.refresh_token },
      `Basic ${basic}`,
    );

    expect(without.statusCode).toBe(401);
    expect(without.json()).toMatchObject({ error: "invalid_client" });
    expect(alive).not.toBe(401);
    expect(right.statusCode).toBe(200);
    expect(await callWith(app, tokens.access_token)).toBe(401);
  });

  test("REV-07: a used refresh token of the client ends the connection too", async () => {
    const { app } = current();
    const { client, tokens } = await aConnection();
    const next = (await refresh(app, client, tokens.refresh_token)).json<Tokens>();

    await revoke(client, tokens.refresh_token);

    expect(await callWith(app, next.access_token)).toBe(401);
  });

  test("REV-08: any origin may call; other methods get 405", async () => {
    const { app } = current();

    const preflight = await app.inject({ method: "OPTIONS", url: "/oauth/revoke" });
    const get = await app.inject({ method: "GET", url: "/oauth/revoke" });

    expect(preflight.headers["access-control-allow-origin"]).toBe("*");
    expect(get.statusCode).toBe(405);
    expect(get.headers["access-control-allow-origin"]).toBe("*");
  });

  test("SET-01..03, SET-05, SET-08: disconnecting ends only that connection, and others can't end it", async () => {
    const { app, db } = current();
    const person = await aMember(db);
    const stranger = await aMember(db);
    const first = await connect(app, person);
    const second = await connect(app, person);
    const [newest, oldest] = await findConnections(db, person.userId, { limit: 9 });
    const end = (userId: string, connectionId: string) =>
      db.transaction((tx) =>
        disconnectApp(tx, { userId, userName: person.name, connectionId, origin: {} }),
      );
    const id = oldest?.id ?? "";

    expect(newest).toMatchObject({
      client_id: second.client.id,
      client_name: "Test app",
      organization_id: person.organizationId,
      organization_name: person.organization,
      scopes: ["mcp_read"],
    });
    await expect(end(stranger.userId, id)).rejects.toMatchObject({ code: "not_found" });
    await end(person.userId, id);
    await expect(end(person.userId, id)).rejects.toMatchObject({ code: "not_found" });
    await expect(getConnection(db, person.userId, id)).rejects.toMatchObject({
      code: "not_found",
    });
    expect(await callWith(app, first.tokens.access_token)).toBe(401);
    expect(await callWith(app, second.tokens.access_token)).not.toBe(401);
    expect(await findConnections(db, person.userId, { limit: 9 })).toHaveLength(1);
  });
});
