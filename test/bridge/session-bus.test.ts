import { chownSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  classifyKeychainError,
  isBusOfUser,
  isSecretServiceLocked,
  withoutQuestions,
} from "../../bridge/src/storage/keychain.js";
import { makeHome } from "../support/bridge-context.js";

const nobody = 65534;

describe.runIf(process.platform === "linux")("session bus for the keychain", () => {
  let home: ReturnType<typeof makeHome>;
  let path: string;
  let bus: ReturnType<typeof createServer>;

  beforeEach(async () => {
    home = makeHome();
    path = join(home.path, "bus");
    // Closes every connection, so the state of the keychain is unknown.
    bus = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => bus.listen(path, resolve));
  });
  afterEach(async () => {
    await new Promise((resolve) => bus.close(resolve));
    home.remove();
  });

  /** Returns the values that reach the library with a given bus address. */
  async function keepBy(address: string): Promise<{ kept: string[]; failed: string | undefined }> {
    const kept: string[] = [];
    const keychain = withoutQuestions(
      { DBUS_SESSION_BUS_ADDRESS: address },
      {
        get: async () => kept.at(-1),
        set: async (_, value) => void kept.push(value),
        delete: async () => true,
      },
    );
    const attempts = [
      keychain.set("account", "secret"),
      keychain.unlock(),
      keychain.get("account"),
    ];
    const outcomes = await Promise.allSettled(attempts);
    const refused = outcomes.filter((outcome) => outcome.status === "rejected");
    const [failed] = refused.map(({ reason }) => classifyKeychainError(reason));
    return { kept, failed };
  }

  test("works when it belongs to the user", async () => {
    const { kept, failed } = await keepBy(`unix:path=${path},guid=0123456789abcdef`);
    expect(kept.sort()).toEqual(["probe", "secret"]);
    expect(failed).toBeUndefined();
  });

  test.each<[string, (socket: Socket) => unknown]>([
    ["hangs up before it greets", (socket) => socket.end()],
    ["hangs up instead of greeting", (socket) => socket.once("data", () => socket.end())],
    ["says nothing", () => undefined],
    [
      "greets and says nothing more",
      (socket) => socket.once("data", () => socket.write("OK x\r\n")),
    ],
  ])("is abandoned when it %s", async (_, answer) => {
    bus.removeAllListeners("connection").on("connection", (socket) => {
      answer(socket);
      socket.resume();
    });
    const address = `unix:path=${path}`;
    expect(await isSecretServiceLocked({ DBUS_SESSION_BUS_ADDRESS: address })).toBeUndefined();
  });

  test.runIf(process.getuid?.() === 0)(
    "BRG-06 gets no secret when another user listens",
    async () => {
      chownSync(path, nobody, nobody);
      const absent = { kept: [], failed: "absent" };
      expect(await keepBy(`unix:path=${path},guid=0123456789abcdef`)).toEqual(absent);
      expect(await keepBy(`unix:path=${join(home.path, "gone")};unix:path=${path}`)).toEqual(
        absent,
      );
    },
  );

  test.each([
    ["an abstract name, which has no owner", "unix:abstract=/tmp/dbus-x"],
    ["a port, which has none either", "tcp:host=127.0.0.1,port=1"],
    ["no one yet", "unix:path=/nonexistent/bus"],
  ])("BRG-06 gets no secret at %s", async (_, address) => {
    expect(await keepBy(address)).toEqual({ kept: [], failed: "absent" });
  });

  test("is trusted without an address, and in any case on other systems", async () => {
    expect(await isBusOfUser({})).toBe(true);
    const elsewhere = { DBUS_SESSION_BUS_ADDRESS: "unix:abstract=/tmp/dbus-x" };
    expect(await isBusOfUser(elsewhere, "darwin")).toBe(true);
    expect(await isBusOfUser(elsewhere, "win32")).toBe(true);
  });
});
