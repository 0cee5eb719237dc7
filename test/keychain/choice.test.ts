import { describe, expect, test } from "vitest";
import { useStoreSessions, type Libraries } from "../support/bridge-store-sessions.js";

const perform = useStoreSessions();

describe("the choice of a place for secrets", () => {
  test.each([
    ["both", "keytar"],
    ["keyring", "keyring"],
  ] as const)("with %s there, is %s", async (libraries, backend) => {
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

  test("stays with the recorded library when both work", async () => {
    const recorded = { backend: "keyring", signedIn: true } as const;

    const chosen = await perform("unlocked", { by: "choose", recorded });
    const opened = await perform("unlocked", { by: "open", recorded });

    expect([chosen.backend, opened.backend]).toEqual(["keyring", "keyring"]);
  });

  test("is another library for a new sign-in only, when the recorded one is gone with what it kept", async () => {
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
    "waits for a locked keychain to be unlocked, with %s there",
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
    "is memory with %s, which is said with the ways out",
    async (kind) => {
      const { backend, stderr } = await perform(kind, { by: "open" });

      expect(backend).toBe("memory");
      expect(stderr).toMatch(/no keychain here.*install or unlock.*--storage file\n$/);
    },
  );

  test("is memory without a word where it was memory before", async () => {
    const recorded = { backend: "memory", signedIn: false } as const;

    const chosen = await perform("no bus", { by: "choose", recorded });

    expect(chosen).toMatchObject({ backend: "memory", stderr: "" });
  });

  test("is the keychain again once there is one", async () => {
    const recorded = { backend: "memory", signedIn: false } as const;

    const { backend } = await perform("unlocked", { by: "choose", recorded });

    expect(backend).toBe("keytar");
  });

  test("is refused when a keychain was asked for and there is none", async () => {
    const { refused } = await perform("no bus", { by: "choose", storage: "keychain" });

    expect(refused).toMatchObject({
      code: "keychain_unavailable",
      message: expect.stringMatching(/D-Bus.*--storage file$/i) as string,
    });
  });

  test("is refused while the keychain hangs, rather than made elsewhere", async () => {
    const { refused } = await perform("hanging", { by: "choose" });

    expect(refused).toMatchObject({
      code: "keychain_unavailable",
      message: expect.stringContaining("does not answer") as string,
    });
  });

  test("leaves the old tokens in the keychain when a file is asked for", async () => {
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

describe("the report on the keychain", () => {
  test.each([
    ["unlocked", "both", { keytar: "works", keyring: "works" }],
    ["unlocked", "keyring", { keytar: "missing", keyring: "works" }],
    ["no bus", "both", { keytar: "absent", keyring: "absent" }],
    ["hanging", "both", { keytar: "failed", keyring: "failed" }],
  ] as const)("of %j with %s there", async (kind, libraries, outcomes) => {
    const { probe } = await perform(kind, { by: "probe" }, libraries);

    expect(probe).toEqual(outcomes);
  });

  test("of a locked one, with both there", async () => {
    await perform("unlocked", { by: "probe" });

    const { probe } = await perform("locked", { by: "probe" });

    expect(probe).toEqual({ keytar: "locked", keyring: "locked" });
  });
});
