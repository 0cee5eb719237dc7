import { AjvJsonSchemaValidator } from "@modelcontextprotocol/server/validators/ajv";
import { allScopes } from "fettle-shared";
import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../../server/src/mcp/json-schema.js";
import { allTools, registeredTools } from "../../server/src/mcp/registry.js";
import { toolListResult } from "../../server/src/mcp/methods.js";
import { toMarkdown } from "../support/tools-markdown.js";

/** Every subschema, including the root. */
function everyPart(schema: JsonSchema): JsonSchema[] {
  const inside = [
    ...Object.values(schema.properties ?? {}),
    ...(schema.items ? [schema.items] : []),
  ];
  return [schema, ...inside.flatMap(everyPart)];
}

/** The names of all fields in a part, however deep. */
function fieldsIn(schema: JsonSchema): string[] {
  return everyPart(schema).flatMap(({ properties = {} }) => Object.keys(properties));
}

describe("tools", () => {
  test("follow the order of the specification", () => {
    expect(allTools.map(({ name }) => name)).toEqual([
      "list_assets",
      "get_asset",
      "list_workspaces",
      "list_maintenance_tasks",
      "get_maintenance_task",
      "search_asset_history",
      "get_organization_stats",
      "get_current_user",
      "list_invites",
      "list_users",
      "generate_asset_qr_codes",
      "create_asset",
      "update_asset",
      "update_asset_state",
      "create_maintenance_task",
      "update_maintenance_task",
      "create_invite",
      "delete_invite",
      "resend_invite",
      "remove_user",
      "create_workspace",
      "update_workspace",
      "delete_workspace",
      "force_delete_asset",
    ]);
  });

  test.each([...registeredTools.values()])("$tool.name is well formed", (registered) => {
    const { tool, inputSchema, outputSchema } = registered;

    expect(tool.name).toMatch(/^[a-z]+(_[a-z]+)+$/);
    expect(tool.name.length).toBeLessThanOrEqual(40);
    expect(tool.title).not.toBe("");
    expect(tool.description.length).toBeGreaterThan(20);
    expect(allScopes).toContain(tool.scope);
    expect(Object.values(tool.annotations).map((hint) => typeof hint)).toEqual(
      Array(4).fill("boolean"),
    );
    expect(tool.annotations.readOnlyHint).toBe(tool.scope === "mcp_read");
    expect(inputSchema).toMatchObject({ type: "object", additionalProperties: false });
    for (const part of [...everyPart(inputSchema), ...everyPart(outputSchema)]) {
      expect(Object.keys(part)).not.toContain("anyOf");
      expect(Array.isArray(part.type)).toBe(false);
      if (part.type === "array") expect(part.items?.type ?? part.items?.enum).toBeDefined();
    }
    const validator = new AjvJsonSchemaValidator();
    for (const schema of [inputSchema, outputSchema]) {
      expect(() => validator.getValidator(schema as never)).not.toThrow();
    }
  });

  test("the list shows every parameter with its type, even when shortened", () => {
    const { tools } = JSON.parse(toolListResult.legacy.toString()) as {
      tools: { name: string; inputSchema: JsonSchema }[];
    };

    const differing = tools.flatMap(({ name, inputSchema: listed }) => {
      const { properties = {} } = registeredTools.get(name)?.inputSchema ?? {};
      return Object.entries(properties).flatMap(([parameter, { type, items, unlisted }]) => {
        if (unlisted === true) return [];
        const shown = listed.properties?.[parameter];
        return shown?.type === type && shown?.items?.type === items?.type ? [] : [parameter];
      });
    });
    expect(differing).toEqual([]);
  });

  test("the list names every output field and requires none", () => {
    const { tools } = JSON.parse(toolListResult.legacy.toString()) as {
      tools: { name: string; outputSchema: JsonSchema }[];
    };

    for (const { name, outputSchema: listed } of tools) {
      const { properties = {} } = registeredTools.get(name)?.outputSchema ?? {};
      expect(Object.keys(listed.properties ?? {})).toEqual(Object.keys(properties));
      for (const [field, part] of Object.entries(properties)) {
        const { type, items, description = "" } = listed.properties?.[field] ?? {};
        expect([type, items?.type]).toEqual([part.type, part.items?.type]);
        const named = new Set(description.match(/\w+/g));
        expect(fieldsIn(part).filter((inner) => !named.has(inner))).toEqual([]);
      }
      expect(everyPart(listed).flatMap(({ required = [] }) => required)).toEqual([]);
    }
  });

  test("only tools whose effects no update can reverse are destructive", () => {
    const destructive = allTools.filter(({ annotations }) => annotations.destructiveHint);

    expect(destructive.map(({ name }) => name)).toEqual([
      "update_asset_state",
      "delete_invite",
      "remove_user",
      "delete_workspace",
      "force_delete_asset",
    ]);
  });

  test("lists the same tools in both protocol versions, with cache hints in the newer", () => {
    const legacy = JSON.parse(toolListResult.legacy.toString()) as { tools: unknown[] };
    const modern = JSON.parse(toolListResult.modern.toString()) as { tools: unknown[] };

    expect(modern.tools).toEqual(legacy.tools);
    expect(legacy.tools).toHaveLength(allTools.length);
    expect(modern).toMatchObject({ resultType: "complete", cacheScope: "public" });
  });

  test("docs/tools.md describes every tool", async () => {
    await expect(toMarkdown(registeredTools.values())).toMatchFileSnapshot("../../docs/tools.md");
  });
});
