import { allScopes, type Scope } from "fettle-shared";
import { describe, expect, test } from "vitest";
import { allTools } from "../../../server/src/mcp/registry.js";
import { useApp } from "../../support/app.js";
import { connect } from "../../support/mcp.js";

/** Every set of scopes that a person can grant. */
const grants: Scope[][] = [1, 2, 3, 4, 5, 6, 7].map((bits) =>
  allScopes.filter((_, index) => (bits & (1 << index)) !== 0),
);

const cases = allTools.flatMap((tool) =>
  grants.map((scopes) => ({ tool: tool.name, needs: tool.scope, scopes })),
);

const retire = ' To retire the asset instead, use update_asset_state with state "deleted".';

describe("scopes", () => {
  const testApp = useApp();

  test.each(cases.filter(({ needs, scopes }) => !scopes.includes(needs)))(
    "MCP-06..08: $tool rejects $scopes before validating its arguments",
    async ({ tool, needs, scopes }) => {
      const person = await connect(testApp(), { scopes });

      const { isError, content, structuredContent } = await person.call(tool, { nonsense: true });

      const how = `This connection has ${scopes.join(" and ")}. The person can disconnect the app under Settings > Connected Apps, connect it again and select ${needs} on the consent page.${needs === "mcp_destructive" ? retire : ""}`;
      expect({ isError, content, structuredContent }).toEqual({
        isError: true,
        content: [
          { type: "text", text: `Insufficient scope. Required: ${needs}.` },
          { type: "text", text: how },
        ],
        structuredContent: {
          error: {
            code: "insufficient_scope",
            message: `Insufficient scope. Required: ${needs}.`,
            hint: how,
          },
        },
      });
    },
  );

  test.each(cases.filter(({ needs, scopes }) => scopes.includes(needs)))(
    "$tool passes the scope check with $scopes",
    async ({ tool, scopes }) => {
      const person = await connect(testApp(), { scopes });

      const refusal = await person.refused(tool, { nonsense: true });

      expect(refusal.code).toBe("validation_failed");
    },
  );

  test("every scope is used by a tool, mcp_destructive by exactly one", () => {
    expect(new Set(allTools.map(({ scope }) => scope))).toEqual(new Set(allScopes));
    expect(allTools.filter(({ scope }) => scope === "mcp_destructive")).toHaveLength(1);
  });
});
