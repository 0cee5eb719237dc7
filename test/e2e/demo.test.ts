import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { makeDataDir, runFettle } from "../support/server-process.js";

describe("demo", () => {
  const folder = makeDataDir();
  afterAll(() => {
    folder.remove();
  });
  const play = () => runFettle(["demo", "run", "--tour"], { DATA_DIR: folder.path, PORT: "0" });
  const signIn = () => readFileSync(join(folder.path, "demo-sign-in.json"), "utf8");

  test("plays its tour on a new data directory, and again on existing data", async () => {
    const first = await play();
    const { organizationId } = JSON.parse(signIn()) as { organizationId: string };
    const second = await play();

    expect(first, first.stderr).toMatchObject({ code: 0 });
    const [preparing, making, ...progress] = first.stderr.trim().split("\n");
    expect([preparing, making]).toEqual([
      "Preparing the database…",
      "Creating the sample organization (first run only, about 20 seconds) …",
    ]);
    for (const line of progress) expect(line).toMatch(/^Making the sample organization: \d+ %$/);
    for (const text of [
      "> get_organization_stats {}",
      "overdue: 7",
      "title Quarterly load test, state overdue",
      "next_task: task_number T-",
      "The sheet is a PDF of",
      "type asset_restored",
      "That was the tour.",
    ]) {
      expect(first.stdout).toContain(text);
    }
    expect(second).toMatchObject({ code: 0, stderr: "" });
    const numbers = [first, second].map(({ stdout }) =>
      Number(/next_task: task_number T-(\d+)/.exec(stdout)?.[1]),
    );
    expect(numbers[1]).toBe((numbers[0] ?? 0) + 1);
    expect(JSON.parse(signIn())).toMatchObject({ organizationId });
  }, 900_000);

  test("its export is complete however slowly it is read", async () => {
    const variables = { DATA_DIR: folder.path };
    const { organizationId } = JSON.parse(signIn()) as { organizationId: string };
    const command = ["organization", "export", organizationId];

    const quick = await runFettle(command, variables);
    const slow = await runFettle(command, variables, "", { pauseMs: 100 });

    expect(quick).toMatchObject({ code: 0, stderr: "" });
    expect(quick.stdout.length).toBeGreaterThan(500_000);
    expect(slow.stdout === quick.stdout).toBe(true);
  });
});
