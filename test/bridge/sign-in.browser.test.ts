import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { hasScreen, openBrowser } from "../../bridge/src/sign-in/flow.js";
import { makeHome } from "../support/bridge-context.js";

const full = "https://auth.example/authorize?a=1&b=$(c)";
const once = "http://127.0.0.1:1/once";

describe("sign-in browser", () => {
  let folder: ReturnType<typeof makeHome>;
  beforeEach(() => {
    folder = makeHome();
  });
  afterEach(() => {
    folder.remove();
    vi.unstubAllEnvs();
  });

  function command(script: string, name = "a browser"): string {
    const path = join(folder.path, name);
    writeFileSync(path, `#!/bin/sh\n${script}\n`);
    chmodSync(path, 0o755);
    return path;
  }

  function open(browser: string | undefined): Promise<"opened" | "printed"> {
    const environment = { PATH: process.env["PATH"] };
    return openBrowser({ full, once }, { browser, environment });
  }

  test("is the given command, with the unchanged address as its only argument", async () => {
    const notes = join(folder.path, "notes");

    const opened = await open(command(`printf '%s|' "$#" "$1" > '${notes}'`));

    expect(opened).toBe("opened");
    expect(readFileSync(notes, "utf8")).toBe(`1|${full}|`);
  });

  test("counts as opened while the command is running", async () => {
    const opened = await open(command("exec sleep 3"));

    expect(opened).toBe("opened");
  });

  test.each([
    ["fails at once", () => command("exit 3")],
    ["cannot be started", () => join(folder.path, "nothing")],
  ])("counts as not opened when the command %s", async (_, make) => {
    const opened = await open(make());

    expect(opened).toBe("printed");
  });

  test("the system's browser gets the one-time address, because others can read it", async () => {
    const notes = join(folder.path, "notes");
    // The files and variables of the system's browser launcher on Linux and macOS.
    vi.stubEnv("BROWSER", command(`printf %s "$1" > '${notes}'`, "open"));
    vi.stubEnv("PATH", `${folder.path}:${process.env["PATH"] ?? ""}`);
    vi.stubEnv("XDG_CURRENT_DESKTOP", "X-Generic");
    for (const name of ["DISPLAY", "WAYLAND_DISPLAY"]) vi.stubEnv(name, undefined);

    const environment = { DISPLAY: ":0" };
    const opened = await openBrowser({ full, once }, { browser: undefined, environment });

    expect(opened).toBe("opened");
    expect(readFileSync(notes, "utf8")).toBe(once);
  });

  test("is not started without a screen", async () => {
    const environment = { SSH_CONNECTION: "somewhere" };

    const opened = await openBrowser({ full, once }, { browser: undefined, environment });

    expect(opened).toBe("printed");
  });

  test.each<[string, NodeJS.Platform, Record<string, string>, boolean]>([
    ["a desktop with X", "linux", { DISPLAY: ":0" }, true],
    ["a desktop with Wayland", "linux", { WAYLAND_DISPLAY: "wayland-0" }, true],
    ["a Linux server or container", "linux", {}, false],
    ["WSL", "linux", { WSL_DISTRO_NAME: "Debian" }, true],
    ["a Mac", "darwin", {}, true],
    ["a Mac over SSH", "darwin", { SSH_TTY: "/dev/ttys1" }, false],
    ["Windows", "win32", {}, true],
    ["Windows over SSH", "win32", { SSH_CONNECTION: "x" }, false],
    ["SSH with a forwarded display", "linux", { SSH_TTY: "x", DISPLAY: "localhost:10" }, true],
  ])("%s (%s, %j) has a screen: %s", (_, platform, environment, expected) => {
    expect(hasScreen(environment, platform)).toBe(expected);
  });
});
