import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { useStoreSessions } from "../support/bridge-store-sessions.js";

const perform = useStoreSessions();

describe.each(["keytar", "keyring"] as const)("secrets in %s", (library) => {
  test("are kept for other processes, even large ones, until they are deleted", async () => {
    const large = "é".repeat(32 * 1024);

    const { answers } = await perform("unlocked", {
      by: library,
      calls: [
        ["get", "rt"],
        ["set", "rt", "first"],
        ["set", "rt", "second"],
        ["set", "at", large],
      ],
    });
    const later = await perform("unlocked", {
      by: library,
      calls: [
        ["get", "rt"],
        ["get", "at"],
        ["delete", "rt"],
        ["get", "rt"],
        ["delete", "rt"],
      ],
    });

    expect(answers).toEqual([null, null, null, null]);
    expect(later.answers).toEqual(["second", large, null, null, null]);
  });

  test("are locked, not lost, while the keychain is locked", async () => {
    await perform("unlocked", { by: library, calls: [["set", "rt", "value"]] });

    const locked = await perform("locked", {
      by: library,
      calls: [
        ["get", "rt"],
        ["set", "rt", "new"],
        ["delete", "rt"],
      ],
    });
    const unlocked = await perform("unlocked", { by: library, calls: [["get", "rt"]] });

    expect(locked.answers).toEqual(["keychain_locked", "keychain_locked", "keychain_locked"]);
    expect(unlocked.answers).toEqual(["value"]);
  });

  test.each(["no collection", "no service", "no bus", "dead bus"] as const)(
    "are unavailable with %s and stored nowhere else",
    async (kind) => {
      const { answers } = await perform(kind, {
        by: library,
        calls: [
          ["set", "rt", "value"],
          ["get", "rt"],
          ["delete", "rt"],
        ],
      });

      expect(answers).toEqual(Array(3).fill("keychain_unavailable"));
      expect(readFileSync("/proc/keys", "utf8")).not.toContain("fettle-bridge");
    },
  );

  test("become unavailable soon when the keychain hangs, and the process can exit", async () => {
    const begunAt = performance.now();

    const { answers, tookMs } = await perform("hanging", {
      by: library,
      calls: [
        ["get", "rt"],
        ["get", "rt"],
      ],
    });

    expect(answers).toEqual(["keychain_unavailable", "keychain_unavailable"]);
    // The bus gives up after 25 s per call.
    expect(tookMs).toBeLessThan(20_000);
    expect(performance.now() - begunAt - tookMs).toBeLessThan(20_000);
  });
});
