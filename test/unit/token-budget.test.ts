import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect, test } from "vitest";
import { toolListResult } from "../../server/src/mcp/methods.js";

interface Listed {
  name: string;
  title: string;
  description: string;
  inputSchema: unknown;
  annotations: unknown;
  outputSchema: unknown;
}

const { tools } = JSON.parse(toolListResult.legacy.toString()) as { tools: Listed[] };

/**
 * The part of a tool that a model reads before calling it, as the compact JSON that hosts forward.
 */
const definitions = tools.map(({ name, title, description, inputSchema, annotations }) =>
  countTokens(JSON.stringify({ name, title, description, inputSchema, annotations })),
);
const outputs = tools.map(({ outputSchema }) => countTokens(JSON.stringify(outputSchema)));

const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0);

test("all tool definitions together take at most 9,000 tokens", () => {
  expect(tools).toHaveLength(24);
  expect(sum(definitions)).toBeLessThanOrEqual(9000);
});

test("their output schemas take at most 3,500 more tokens", () => {
  expect(sum(outputs)).toBeLessThanOrEqual(3500);
});
