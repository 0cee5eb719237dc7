import { beforeAll, describe, expect, test } from "vitest";
import type { JsonSchema } from "../../../server/src/mcp/json-schema.js";
import { registeredTools } from "../../../server/src/mcp/registry.js";
import { useApp } from "../../support/app.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";

interface Stock {
  asset: string;
  workspace: string;
  task: string;
  invite: string;
  withdrawn: string;
  colleague: string;
}

/** The minimum arguments of each tool, with a dry run if the tool works only once. */
const least: Record<string, (stock: Stock) => Json> = {
  get_asset: ({ asset }) => ({ asset_id: asset }),
  get_maintenance_task: ({ task }) => ({ task_id: task }),
  generate_asset_qr_codes: ({ asset }) => ({ asset_ids: [asset] }),
  create_asset: () => ({ name: "Pump" }),
  update_asset: ({ asset }) => ({ asset_id: asset, location: "Bay 3" }),
  update_asset_state: ({ asset }) => ({ asset_id: asset, state: "stored" }),
  create_maintenance_task: ({ asset }) => ({ asset_id: asset, title: "Check the oil" }),
  update_maintenance_task: ({ task }) => ({ task_id: task, priority: "high" }),
  create_invite: () => ({ email: `${Math.random()}@example.com` }),
  delete_invite: ({ withdrawn }) => ({ invite_id: withdrawn }),
  resend_invite: ({ invite }) => ({ invite_id: invite }),
  remove_user: ({ colleague, workspace }) => ({
    user_id: colleague,
    workspace_id: workspace,
    dry_run: true,
  }),
  create_workspace: () => ({ name: `Place ${Math.random()}` }),
  update_workspace: ({ workspace }) => ({ workspace_id: workspace, address: "Dock 4" }),
  delete_workspace: ({ workspace }) => ({ workspace_id: workspace, dry_run: true }),
  force_delete_asset: ({ asset }) => ({
    asset_id: asset,
    confirm_inventory_number: "N-1",
    dry_run: true,
  }),
};

/** Arguments that replace the minimum ones, because they name something else. */
const alternatives: Record<string, string[]> = {
  create_maintenance_task: ["asset_id"],
  remove_user: ["workspace_id", "dry_run"],
  force_delete_asset: ["dry_run"],
  delete_workspace: ["dry_run"],
  create_asset: ["name"],
  update_asset: ["asset_id", "location"],
  update_asset_state: ["asset_id"],
  update_maintenance_task: ["task_id", "priority"],
  update_workspace: ["address"],
};

const tools = [...registeredTools.values()].map(({ tool, inputSchema }) => ({
  name: tool.name,
  properties: Object.entries(inputSchema.properties ?? {}),
  required: inputSchema.required ?? [],
}));

const optional = tools.flatMap(({ name, properties, required }) =>
  properties
    .map(([argument]) => argument)
    .filter((argument) => !required.includes(argument))
    .filter((argument) => !(alternatives[name] ?? []).includes(argument))
    .map((argument) => ({ tool: name, argument })),
);

/** Values that no normalization can turn into the schema's type. */
function malformed(schema: JsonSchema): unknown[] {
  if (schema.enum !== undefined) return ["nonsense", { a: 1 }];
  if (schema.type === "integer" || schema.type === "number") return ["many", -1, { a: 1 }];
  if (schema.type === "boolean") return ["perhaps", 7];
  if (schema.type === "array") return [[{ a: 1 }]];
  if (schema.type === "object") return ["often", [1]];
  const long = "x".repeat((schema.maxLength ?? 0) + 1);
  const texts: unknown[] = [{ a: 1 }, ["a", "b"]];
  if (schema.maxLength !== undefined) texts.push(long);
  if (schema.format === "date") texts.push("21.11.2026", "2026-02-30");
  if (schema.format === "date-time") texts.push("yesterday");
  if (schema.format === "email") texts.push("not an address");
  return texts;
}

const wrong = tools.flatMap(({ name, properties }) =>
  properties.flatMap(([argument, schema]) =>
    malformed(schema).map((value) => ({
      tool: name,
      argument,
      value,
      shown: JSON.stringify(value).slice(0, 20),
    })),
  ),
);

describe("arguments of every tool", () => {
  const testApp = useApp();
  let owner: Connected;
  let stock: Stock;

  beforeAll(async () => {
    owner = await connect(testApp());
    const { organization } = owner.member;
    const colleague = await connect(testApp(), { organization, role: "member", workspace: "Lab" });
    const workspace = colleague.member.workspaceId ?? "";
    const made = await owner.ok<{ asset: { id: string } }>("create_asset", {
      name: "Generator",
      inventory_number: "N-1",
    });
    const { task } = await owner.ok<{ task: { id: string } }>("create_maintenance_task", {
      asset_id: made.asset.id,
      title: "Load test",
    });
    const { invite } = await owner.ok<{ invite: { id: string } }>("create_invite", {
      email: "new@example.com",
    });
    const { invite: withdrawn } = await owner.ok<{ invite: { id: string } }>("create_invite", {
      email: "other@example.com",
    });
    stock = {
      asset: made.asset.id,
      workspace,
      task: task.id,
      invite: invite.id,
      withdrawn: withdrawn.id,
      colleague: colleague.member.userId,
    };
  });

  const leastOf = (tool: string) => least[tool]?.(stock) ?? {};

  test.each(tools.map(({ name }) => name))("%s accepts its minimal arguments", async (tool) => {
    await owner.ok(tool, leastOf(tool));
  });

  test.each(tools)("$name rejects an unknown parameter", async ({ name, properties }) => {
    const known = properties[0]?.[0];
    const typo = known === undefined ? "verbose" : `${known}x`;

    const refusal = await owner.refused(name, { ...leastOf(name), [typo]: "x" });

    expect(refusal).toMatchObject({ code: "validation_failed", field: typo });
    expect(refusal.message).toContain(`Validation failed: unknown parameter "${typo}".`);
    if (known !== undefined) expect(refusal.message).toContain(`Did you mean ${known}?`);
  });

  test.each(tools.filter(({ required }) => required.length > 0))(
    "$name names missing parameters",
    async ({ name, required }) => {
      for (const argument of required) {
        const others = Object.entries(leastOf(name)).filter(([given]) => given !== argument);
        for (const left of [{}, { [argument]: null }]) {
          const refusal = await owner.refused(name, { ...Object.fromEntries(others), ...left });

          expect(refusal).toMatchObject({ code: "validation_failed", field: argument });
        }
      }
    },
  );

  test.each(optional)("$argument of $tool may be null or empty", async ({ tool, argument }) => {
    for (const nothing of [null, "", "null"]) {
      // Avoids the limit of resends.
      await testApp().db.query("UPDATE invites SET last_sent_at = now() - interval '1 day'");

      await owner.ok(tool, { ...leastOf(tool), [argument]: nothing });
    }
  });

  test.each(wrong)(
    "$argument of $tool rejects $shown with a readable message",
    async ({ tool, argument, value }) => {
      const refusal = await owner.refused(tool, { ...leastOf(tool), [argument]: value });

      expect(["validation_failed", "not_found"]).toContain(refusal.code);
      expect(refusal.field?.split(/[.[]/)[0]).toBe(argument);
      expect(refusal.message).not.toMatch(/invalid input|zod|expected \w+, received/i);
    },
  );
});
