import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { registeredTools } from "../../server/src/mcp/registry.js";

const source = join(import.meta.dirname, "../../server/src");
const toolName = new RegExp(`\\b(?:${[...registeredTools.keys()].join("|")})\\b`);

function filesIn(folder: string): string[] {
  return readdirSync(join(source, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(folder, name));
}

function namingTools(files: readonly string[]): string[] {
  return files.filter((file) => toolName.test(readFileSync(join(source, file), "utf8")));
}

describe("tool names", () => {
  test("don't appear in the domain, not even in comments", () => {
    expect(registeredTools.size).toBe(24);
    const files = filesIn("domain");

    expect(files.length).toBeGreaterThan(100);
    expect(namingTools(files)).toEqual([]);
  });

  test("don't appear in texts for people", () => {
    expect(namingTools(["web/text/refusals-for-people.ts", "web/text/field-labels.ts"])).toEqual(
      [],
    );
  });
});
