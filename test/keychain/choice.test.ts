import { describe, expect, test } from "vitest";
import { useStoreSessions, type Libraries } from "../support/bridge-store-sessions.js";

const perform = useStoreSessions();

describe("choice of secret storage", () => {
  test.each([
    ["both", "keytar"],
    ["keyring", "keyring"],
  ] as const)("with %s installed, is %s", async (libraries, backend) => {
    const task = {
      by: "choose",
      calls: [
        ["set", "rt", "value"],
        ["get", "rt"],
      ],
    } as const;

    const report = await perform("unlocked", task, libraries);

    expect(report).toMatchObject({ backend, answers: [null, "value"], stderr: "" });
  });

  test("keeps the recorded library when both work", async () => {
    const recorded = { backend: "keyring", signedIn: true } as const;

    const chosen = await perform("unlocked", { by: "choose", recorded });
    const opened = await perform("unlocked", { by: "open", recorded });

    expect([chosen.backend, opened.backend]).toEqual(["keyring", "keyring"]);
  });

  test("changes library only for a new sign-in when the recorded one is missing", async () => {
    const recorded = { backend: "keytar", signedIn: true } as const;

    const opened = await perform("unlocked", { by: "open", recorded }, "keyring");
    const chosen = await perform("unlocked", { by: "choose", recorded }, "keyring");

    expect(opened.refused).toMatchObject({
      code: "keychain_unavailable",
      message: expect.stringContaining("fettle-bridge login") as string,
    });
    expect(chosen.backend).toBe("keyring");
  });

  test.each<Libraries>(["both", "keyring"])(
    "fails for a locked keychain with %s installed",
    async (libraries) => {
      await perform("unlocked", { by: "choose" }, libraries);

      const chosen = await perform("locked", { by: "choose" }, libraries);

      expect(chosen.backend).toBeUndefined();
      expect(chosen.refused).toEqual({
        code: "keychain_locked",
        message: "The keychain is locked. Unlock it and try again.",
      });
    },
  );

  test.each(["no collection", "no service", "no bus", "dead bus"] as const)(
    "falls back to memory with %s and explains the alternatives",
    async (kind) => {
      const { backend, stderr } = await perform(kind, { by: "open" });

      expect(backend).toBe("memory");
      expect(stderr).toMatch(/no keychain here.*install or unlock.*--storage file\n$/);
    },
  );

  test("stays memory without a message if it was memory before", async () => {
    const recorded = { backend: "memory", signedIn: false } as const;

    const chosen = await perform("no bus", { by: "choose", recorded });

    expect(chosen).toMatchObject({ backend: "memory", stderr: "" });
  });

  test("returns to the keychain once one is available", async () => {
    const recorded = { backend: "memory", signedIn: false } as const;

    const { backend } = await perform("unlocked", { by: "choose", recorded });

    expect(backend).toBe("keytar");
  });

  test("fails if a keychain is required and missing", async () => {
    const { refused } = await perform("no bus", { by: "choose", storage: "keychain" });

    expect(refused).toMatchObject({
      code: "keychain_unavailable",
      message: expect.stringMatching(/D-Bus.*--storage file$/i) as string,
    });
  });

  test("fails while the keychain hangs instead of using other storage", async () => {
    const { refused } = await perform("hanging", { by: "choose" });

    expect(refused).toMatchObject({
      code: "keychain_unavailable",
      message: expect.stringContaining("does not answer") as string,
    });
  });

  test("keeps the old tokens in the keychain when a file is requested", async () => {
    await perform("unlocked", { by: "choose", calls: [["set", "rt", "old"]] });
    const recorded = { backend: "keytar", signedIn: true } as const;

    const file = await perform("unlocked", {
      ...{ by: "open", recorded, storage: "file" },
      calls: [["get", "rt"]],
    });
    const keychain = await perform("unlocked", { by: "open", recorded, calls: [["get", "rt"]] });

    expect(file).toMatchObject({ backend: "file", answers: [null] });
    expect(file.stderr).toContain("The old tokens stay");
    expect(keychain.answers).toEqual(["old"]);
  });
});

describe("keychain report", () => {
  test.each([
    ["unlocked", "both", { keytar: "works", keyring: "works" }],
    ["unlocked", "keyring", { keytar: "missing", keyring: "works" }],
    ["no bus", "both", { keytar: "absent", keyring: "absent" }],
    ["hanging", "both", { keytar: "failed", keyring: "failed" }],
  ] as const)(
    "covers a keychain in state %j with %s installed",
    async (kind, libraries, outcomes) => {
      const { probe } = await perform(kind, { by: "probe" }, libraries);

      expect(probe).toEqual(outcomes);
    },
  );

  test("covers a locked keychain with both libraries installed", async () => {
    await perform("unlocked", { by: "probe" });

    const { probe } = await perform("locked", { by: "probe" });

    expect(probe).toEqual({ keytar: "locked", keyring: "locked" });
  });
});
