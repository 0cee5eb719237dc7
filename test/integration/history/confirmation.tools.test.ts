// @module-tag embedded

import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { cleanUpConfirmations } from "../../../server/src/domain/access/confirmations.js";
import { useApp, useSecondNode, type TestApp } from "../../support/app.js";
import { aMember, type Member } from "../../support/builders.js";
import { connect, type Connected, type Json, type ToolError } from "../../support/mcp.js";
import { connectAskingClient, type AnswerForm } from "../../support/mcp-clients.js";
import { signIn } from "../../support/oauth.js";

interface Result {
  isError?: boolean;
  resultType?: string;
  structuredContent: Json & { error?: ToolError };
  inputRequests?: { confirmation: { method: string; params: { message: string } } };
  requestState?: string;
}

interface SendOptions {
  token?: string;
  elicitation?: object | null;
  requestState?: unknown;
  inputResponses?: unknown;
  node?: TestApp["app"];
}

const accept = (typed: string) => ({ action: "accept" as const, content: { typed } });

describe("calls that require confirmation", () => {
  const current = useApp();
  const otherNode = useSecondNode(current);
  let owner: Connected;
  let asset: { id: string; inventory_number: string };

  const rule = (isOn: boolean) =>
    current().db.query("UPDATE organizations SET deletion_needs_person = $1 WHERE id = $2", [
      isOn,
      owner.member.organizationId,
    ]);

  beforeAll(async () => {
    owner = await connect(current(), { role: "owner" });
  });
  beforeEach(async () => {
    await rule(false);
    ({ asset } = await owner.ok<{ asset: typeof asset }>("create_asset", { name: "Pump" }));
  });

  const deletion = () => ({
    asset_id: asset.id,
    confirm_inventory_number: asset.inventory_number,
  });
  const isThere = async () =>
    (await owner.call("get_asset", { asset_id: asset.id })).isError !== true;
  const noQuestions = async () => {
    expect(await current().db.query("SELECT question FROM confirmations")).toEqual([]);
  };

  /** Calls a tool through the official client. The person answers its forms with `answer`. */
  async function callAsking(tool: string, args: Json, answer: AnswerForm): Promise<Result> {
    const { app, config } = current();
    const client = await connectAskingClient(app, config.baseUrl, owner.token, answer);
    return (await client.callTool({ name: tool, arguments: args })) as Result;
  }

  /** Sends a raw message of revision 2026-07-28. */
  async function send(
    name: string,
    args: Json,
    { token = owner.token, elicitation = { form: {} }, ...more }: SendOptions = {},
  ): Promise<Result> {
    const { node = current().app, ...params } = more;
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": elicitation === null ? {} : { elicitation },
    };
    const answer = await node.inject({
      method: "POST",
      url: "/mcp",
      headers: {
        authorization: `Bearer ${token}`,
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": name,
      },
      payload: {
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name, arguments: args, _meta: meta, ...params },
      },
    });
    return answer.json<{ result: Result }>().result;
  }
  const inputResponses = (typed: string) => ({ confirmation: accept(typed) });

  test("deletes an asset once its number is typed, on any node", async () => {
    const forms: string[] = [];
    const { structuredContent } = await callAsking("force_delete_asset", deletion(), (form) => {
      forms.push(form.message, form.description);
      return accept(asset.inventory_number);
    });

    expect(structuredContent).toMatchObject({ deleted: true, name: "Pump", tasks_removed: 0 });
    expect(forms).toEqual([
      `Permanently delete "Pump" (${asset.inventory_number})? This can't be undone. Tasks lost: 0. History entries lost: 1. Photos and files lost: 0.`,
      `Type ${asset.inventory_number} to confirm.`,
    ]);
    expect(await isThere()).toBe(false);
    await noQuestions();
  });

  test.each(["decline", "cancel"] as const)(
    "a declined confirmation (%s) changes nothing",
    async (action) => {
      const { structuredContent } = await callAsking("force_delete_asset", deletion(), () => ({
        action,
      }));

      expect(structuredContent.error).toMatchObject({
        code: "confirmation_mismatch",
        message: expect.stringContaining("The person declined. Nothing was changed.") as string,
      });
      expect(await isThere()).toBe(true);
      await noQuestions();
    },
  );

  test("rejects a wrong confirmation text", async () => {
    const { structuredContent } = await callAsking("force_delete_asset", deletion(), () =>
      accept("Pump"),
    );

    expect(structuredContent.error?.message).toContain(
      `the typed text isn't "${asset.inventory_number}"`,
    );
    expect(await isThere()).toBe(true);
  });

  test("doesn't ask about refused calls or dry runs", async () => {
    const asked: string[] = [];
    const ask = (more: Json) =>
      callAsking("force_delete_asset", { ...deletion(), ...more }, ({ message }) => {
        asked.push(message);
        return { action: "cancel" };
      });

    expect((await ask({ confirm_inventory_number: "X-1" })).structuredContent.error?.code).toBe(
      "confirmation_mismatch",
    );
    expect((await ask({ dry_run: true })).structuredContent).toMatchObject({ dry_run: true });
    expect(asked).toEqual([]);
  });

  test("asks about a workspace, a person, and more than 20 records", async () => {
    await owner.ok("create_workspace", { name: "Lab" });
    const { db } = current();
    const { organization } = owner.member;
    const { email } = await aMember(db, { organization, name: "Zora Quint" });
    const assets = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ name: `Fan ${index}` }));
    const asked: string[] = [];
    const ask = (tool: string, args: Json, typed: string) =>
      callAsking(tool, args, ({ message }) => {
        asked.push(message);
        return accept(typed);
      });

    const answers = [
      await ask("delete_workspace", { workspace_id: "Lab" }, "Lab"),
      await ask("remove_user", { user_id: email, from_organization: true }, "Zora Quint"),
      await ask("create_asset", { assets: assets(20) }, ""),
      await ask("create_asset", { assets: assets(21) }, "21"),
    ];
    const made = answers[3]?.structuredContent["assets"] as { id: string }[];
    const several = { asset_ids: made.map(({ id }) => id), state: "deleted" };
    answers.push(await ask("update_asset_state", several, "21"));

    expect(answers.map(({ isError }) => isError)).toEqual(Array(5).fill(undefined));
    expect(asked).toEqual([
      'Delete the workspace "Lab"?',
      'Remove "Zora Quint" from the organization and disconnect their apps?',
      "Create 21 assets?",
      "Retire 21 assets?",
    ]);
  });

  test("CNF-01: confirms once for its person, connection, tool, and arguments, for five minutes", async () => {
    const { db } = current();
    const asked = await send("force_delete_asset", deletion());
    expect(asked).toMatchObject({
      resultType: "input_required",
      inputRequests: { confirmation: { method: "elicitation/create", params: { mode: "form" } } },
    });
    const { requestState } = asked;
    const typed = inputResponses(asset.inventory_number);
    const another = await connect(current(), { member: owner.member });
    const admin = await connect(current(), {
      member: await aMember(db, { organization: owner.member.organization, role: "admin" }),
    });
    const { asset: fan } = await owner.ok<{ asset: typeof asset }>("create_asset", { name: "Fan" });
    const others = { asset_id: fan.id, confirm_inventory_number: fan.inventory_number };
    const refused = async (call: Promise<Result>) => {
      const { structuredContent } = await call;
      expect(structuredContent.error).toMatchObject({
        code: "validation_failed",
        message: expect.stringContaining("requestState doesn't belong to this call") as string,
      });
    };

    const call = (more: Parameters<typeof send>[2], args = deletion()) =>
      send("force_delete_asset", args, { requestState, inputResponses: typed, ...more });
    await refused(call({ token: another.token }));
    await refused(call({ token: admin.token }));
    await refused(call({ requestState: `${String(requestState)}x` }));
    await refused(call({ requestState: `${String(requestState)}\0` }));
    await refused(call({ requestState: undefined }));
    await refused(call({ requestState: { id: requestState } }));
    await refused(call({ inputResponses: inputResponses(fan.inventory_number) }, others));
    expect(await isThere()).toBe(true);

    expect((await call({ node: otherNode() })).structuredContent).toMatchObject({ deleted: true });
    const { asset: next } = await owner.ok<{ asset: typeof asset }>("create_asset", { name: "P" });
    asset = next;
    const { requestState: old } = await send("force_delete_asset", deletion());
    await db.query("UPDATE confirmations SET expires_at = now() - interval '1 second'");
    await refused(
      call({ requestState: old, inputResponses: inputResponses(asset.inventory_number) }),
    );
    await cleanUpConfirmations(db);
    await noQuestions();
  });

  test("CNF-02: a confirmation applies only to the original record, even after a rename", async () => {
    const create = (name: string) =>
      owner.ok<{ workspace: { id: string } }>("create_workspace", { name });
    const { workspace: dock } = await create("Dock");
    const { requestState } = await send("delete_workspace", { workspace_id: "Dock" });
    await owner.ok("update_workspace", { workspace_id: dock.id, name: "Quay" });
    await create("Dock");

    const yes = { requestState, inputResponses: inputResponses("Dock") };
    const { structuredContent } = await send("delete_workspace", { workspace_id: "Dock" }, yes);

    expect(structuredContent.error?.message).toContain("requestState doesn't belong to this call");
  });

  test("CNF-03: quotes names in the question and accepts them as displayed", async () => {
    const name = 'Dock to confirm.\u00a0Nothing  is "deleted';
    await owner.ok("create_workspace", { name });
    const { asset: odd } = await owner.ok<{ asset: typeof asset }>("create_asset", {
      name: "Pump",
      inventory_number: "1) stays. (1",
    });
    const forms: string[] = [];
    const ask = (tool: string, args: Json, typed: string) =>
      callAsking(tool, args, ({ message, description }) => {
        forms.push(message, description);
        return accept(typed);
      });

    await ask(
      "force_delete_asset",
      { asset_id: odd.id, confirm_inventory_number: odd.inventory_number },
      "",
    );
    const done = await ask(
      "delete_workspace",
      { workspace_id: name },
      "'Dock to confirm. Nothing is 'deleted'",
    );

    expect(forms[0]).toContain(`"Pump" ("1) stays. (1")? This can't be undone`);
    expect(forms[1]).toBe('Type "1) stays. (1" to confirm.');
    expect(forms[3]).toBe('Type "Dock to confirm.\u00a0Nothing  is \'deleted" to confirm.');
    expect(done.structuredContent).toMatchObject({ deleted: true });
  });

  test("rejects a used confirmation", async () => {
    await owner.ok("create_workspace", { name: "Shed" });
    const call = (more?: Parameters<typeof send>[2]) =>
      send("delete_workspace", { workspace_id: "Shed" }, more);
    const { requestState } = await call();
    const yes = { requestState, inputResponses: inputResponses("Shed") };
    expect((await call(yes)).structuredContent).toMatchObject({ deleted: true });
    await owner.ok("create_workspace", { name: "Shed" });

    expect((await call(yes)).structuredContent.error?.code).toBe("validation_failed");
    const [one, two] = await Promise.all([call(), call({ node: otherNode() })]);
    expect(one.requestState).toBe(two.requestState);
    const both = { requestState: one.requestState, inputResponses: inputResponses("Shed") };
    const done = await Promise.all([call(both), call({ ...both, node: otherNode() })]);
    expect(done.filter(({ structuredContent: { deleted } }) => deleted === true)).toHaveLength(1);
  });

  test.each([null, { url: {} }])(
    "doesn't ask a client without forms (%j) and follows its arguments",
    async (elicitation) => {
      const answer = await send("force_delete_asset", deletion(), { elicitation });

      expect(answer.structuredContent).toMatchObject({ deleted: true });
    },
  );

  describe("organization that requires confirmation for deletions", () => {
    beforeEach(() => rule(true));

    const askForPage = async (member: Member) => {
      const { error } = (await owner.call("force_delete_asset", deletion())).structuredContent as {
        error: { code: string; message: string; details: { confirmation_url: string } };
      };
      const { pathname } = new URL(error.details.confirmation_url);
      expect(error.code).toBe("confirmation_mismatch");
      expect(error.message).toContain(pathname);
      return { pathname, browser: await signIn(current().app, member) };
    };

    test("gives a client without forms a page to confirm once", async () => {
      const { pathname, browser } = await askForPage(owner.member);
      expect(await isThere()).toBe(true);
      const page = await browser.get(pathname);
      expect(page.body).toContain(`Type ${asset.inventory_number}`);
      const wrong = await browser.submitForm(page, { typed: "Pump" });
      expect([wrong.statusCode, wrong.body]).toEqual([
        400,
        expect.stringContaining("Nothing was changed"),
      ]);

      const right = await browser.submitForm(page, { typed: asset.inventory_number });

      expect(right.headers.location).toBe(pathname);
      expect((await browser.get(pathname)).body).toContain("Go back to");
      expect(await isThere()).toBe(true);
      expect(await owner.ok("force_delete_asset", deletion())).toMatchObject({ deleted: true });
      expect((await browser.get(pathname)).statusCode).toBe(404);
    });

    test("limits the page to its person, and a repeated call keeps it", async () => {
      const { organization } = owner.member;
      const admin = await aMember(current().db, { organization, role: "admin" });
      const { pathname, browser } = await askForPage(admin);

      expect((await browser.get(pathname)).statusCode).toBe(404);
      expect((await current().app.inject(pathname)).statusCode).toBe(303);
      expect((await askForPage(owner.member)).pathname).toBe(pathname);
      expect(await isThere()).toBe(true);
    });

    test("CNF-06: opens the page for a person currently in another organization", async () => {
      // After sign-in, people are in the first organization by name.
      await aMember(current().db, { organization: "A first one", email: owner.member.email });
      const { pathname, browser } = await askForPage(owner.member);
      expect((await browser.get("/")).body).toContain("A first one");

      expect((await browser.get(pathname)).body).toContain(`Type ${asset.inventory_number}`);
    });

    test("doesn't treat many changes as deletions", async () => {
      const assets = Array.from({ length: 21 }, (_, index) => ({ name: `Lamp ${index}` }));
      await owner.ok("create_asset", { assets });
    });

    test("CNF-04: an app can't confirm for its person by form or link", async () => {
      const { pathname } = await askForPage(owner.member);
      const forms: unknown[] = [];
      const asked = await callAsking("force_delete_asset", deletion(), (form) => {
        forms.push(form);
        return accept(asset.inventory_number);
      });
      const told = await send("force_delete_asset", deletion(), {
        requestState: pathname.split("/").at(-1),
        inputResponses: inputResponses(asset.inventory_number),
      });

      expect(forms).toEqual([]);
      for (const { structuredContent } of [asked, told]) {
        expect(structuredContent.error?.message).toContain(pathname);
      }
      expect(await isThere()).toBe(true);
    });
  });

  test("an admin changes the setting, and the log records it", async () => {
    const browser = await signIn(current().app, owner.member);
    const page = await browser.get("/settings/organization/deletions");
    const saved = await browser.submitForm(page, { deletion_needs_person: "yes" });
    expect(saved.headers.location).toBe("/settings/organization");
    // The form was opened before, so its unchecked box is outdated.
    expect((await browser.submitForm(page, {})).body).toContain("after you opened this form");

    expect((await browser.get("/settings/organization")).body).toContain("Always");
    expect((await browser.get("/settings/activity")).body).toContain(
      "turned on confirmation of deletions by apps",
    );
    const member = await aMember(current().db, { organization: owner.member.organization });
    const refused = await (
      await signIn(current().app, member)
    ).get("/settings/organization/deletions");
    expect(refused.statusCode).toBe(403);
  });
});
