import { describe, expect, onTestFinished, test } from "vitest";
import { createFileStore } from "../../bridge/src/storage/open-store.js";
import { signInAt } from "../support/bridge-oauth.js";
import { startTokenProcess } from "../support/bridge-token-process.js";
import { setUpTokens } from "../support/bridge-token-setup.js";

describe("ten processes of one profile", () => {
  test("share one request after their token expires, and another after a rejection", async () => {
    const { server, context, end } = await setUpTokens();
    onTestFinished(end);
    // Time for all processes to arrive while the first one waits.
    server.rules.delayMs = 100;
    const store = createFileStore(context.profile, context.log);
    await signInAt(server, context, store, { expiresIn: 1 });

    const processes = await Promise.all(
      Array.from({ length: 10 }, () =>
        startTokenProcess({ settings: context.settings, replaces: "when-told" }),
      ),
    );
    const atStart = await Promise.all(processes.map(({ nextLine }) => nextLine()));
    const requestsAtStart = server.requests.length;
    server.refuseAccessTokens();
    for (const { tell } of processes) tell();
    const afterRefusal = await Promise.all(processes.map(({ nextLine }) => nextLine()));
    for (const { kill } of processes) kill();
    const ends = await Promise.all(processes.map(({ ended }) => ended));

    expect([...new Set(atStart)]).toEqual([expect.stringMatching(/^200 /)]);
    expect([...new Set(afterRefusal)]).toEqual([expect.stringMatching(/^200 /)]);
    expect(afterRefusal[0]).not.toBe(atStart[0]);
    expect([requestsAtStart, server.requests.length]).toEqual([1, 2]);
    expect(server.reuses()).toBe(0);
    expect(ends.map(({ stderr }) => stderr).join("")).toBe("");
  });
});
