import { expect, test } from "vitest";
import { useStoreSessions } from "../support/bridge-store-sessions.js";

const perform = useStoreSessions();

test.each(["keytar", "keyring"] as const)(
  "reading, writing and probing with %s never prompts to unlock the keychain",
  async (library) => {
    await perform("unlocked", { by: library, calls: [["set", "rt", "value"]] });

    const { answers } = await perform("locked", {
      by: library,
      calls: [
        ["get", "rt"],
        ["set", "rt", "new"],
        ["delete", "rt"],
        ["get", "at"],
      ],
    });
    const probed = await perform("locked", { by: "probe" });
    const chosen = await perform("locked", { by: "choose" });

    expect(answers).toEqual(Array(4).fill("keychain_locked"));
    expect(probed.probe).toEqual({ keytar: "locked", keyring: "locked" });
    expect(chosen.refused?.code).toBe("keychain_locked");
    expect(perform.questions()).toBe(0);
  },
);

test.each(["keytar", "keyring"] as const)(
  "with %s, prompts a waiting person at most once a minute across processes",
  async (library) => {
    await perform("unlocked", { by: library, calls: [["set", "rt", "value"]] });

    const first = await perform("locked", { by: library, calls: [["unlock"], ["unlock"]] });
    const asked = perform.questions();
    const second = await perform("locked", { by: library, calls: [["unlock"], ["get", "rt"]] });

    expect(first.answers).toEqual(["keychain_locked", "keychain_locked"]);
    expect(asked).toBe(1);
    expect(second.answers).toEqual(["keychain_locked", "keychain_locked"]);
    expect(perform.questions()).toBe(1);
  },
);
