import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hasScreen, openBrowser } from "../../bridge/src/sign-in/browser.js";
import { makeHome } from "../support/bridge-context.js";

const url = "https://auth.example/authorize?a=1&b=$(c)";

describe("the browser of a sign-in", () => {
  let folder: ReturnType<typeof makeHome>;
  beforeEach(() => {
    folder = makeHome();
  });
  afterEach(() => {
    folder.remove();
  });

  function command(script: string): string {
    const path = join(folder.path, "a browser");
    writeFileSync(path, `#!/bin/sh\n${script}\n`);
    chmodSync(path, 0o755);
    return path;
  }

  function open(browser: string | undefined): Promise<"opened" | "printed"> {
    return openBrowser(url, { browser, environment: { PATH: process.env["PATH"] } });
  }

  test("is the given command, with the address as its one argument, untouched", async () => {
    const notes = join(folder.path, "notes");

    const opened = await open(command(`printf '%s|' "$#" "$1" > '${notes}'`));

    expect(opened).toBe("opened");
    expect(readFileSync(notes, "utf8")).toBe(`1|${url}|`);
  });

  test("counts as opened while the command runs on", async () => {
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

  test("is not looked for where there is no screen", async () => {
    const environment = { SSH_CONNECTION: "somewhere" };

    const opened = await openBrowser(url, { browser: undefined, environment });

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
