import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSample } from "../../server/src/demo/seed.js";
import { useApp } from "../support/app.js";
import { connect, type Connected } from "../support/mcp.js";
import { dayFromToday } from "../support/replay.js";
import { readQuestions } from "./questions.js";

const [maxCalls, maxTokens] = [3, 5000];

const questions = readQuestions(dayFromToday);

describe("everyday questions about the sample organization", () => {
  const testApp = useApp();
  let owner: Connected;
  const spent: { question: string; calls: number; tokens: number }[] = [];

  beforeAll(async () => {
    const organization = "Northgate Facilities";
    const sample = await createSample(testApp().db, {
      organization,
      size: "demo",
      asOf: undefined,
      password: "correct horse battery",
      baseUrl: testApp().config.baseUrl,
    });
    const { organizationId, owner: person } = sample;
    const member = { ...person, organizationId, organization, name: "Dara Novak", password: "" };
    owner = await connect(testApp(), { member });
  });

  afterAll(() => {
    const byTokens = spent.toSorted((left, right) => left.tokens - right.tokens);
    const median = byTokens[Math.floor(byTokens.length / 2)]?.tokens ?? 0;
    const calls = spent.reduce((sum, one) => sum + one.calls, 0);
    const largest = byTokens.slice(-5).map(({ question, tokens }) => `${tokens} ${question}`);
    process.stdout.write(
      `${spent.length} questions in ${calls} calls; tokens of their answers: median ${median}, most:\n${largest.join("\n")}\n`,
    );
  });

  test("includes at least eighty, each once", () => {
    expect(questions.length).toBeGreaterThanOrEqual(80);
    expect(new Set(questions.map(({ question }) => question)).size).toBe(questions.length);
  });

  test.each(questions)("$question", async ({ question, calls, answers }) => {
    let tokens = 0;
    let last: unknown;
    for (const { tool, args } of calls) {
      const { isError, content, structuredContent } = await owner.call(tool, args);
      expect(isError, content[0]?.text).toBeUndefined();
      tokens += countTokens(content[0]?.text ?? "");
      last = structuredContent;
    }
    spent.push({ question, calls: calls.length, tokens });

    for (const path of answers) expect(read(last, path), path).toBeDefined();
    expect(calls.length).toBeLessThanOrEqual(maxCalls);
    expect(tokens).toBeLessThanOrEqual(maxTokens);
  });
});

/** Returns the value at a path of names and indexes joined by dots. */
function read(answer: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>(
      (value, name) => (value as Record<string, unknown> | undefined)?.[name],
      answer,
    );
}
