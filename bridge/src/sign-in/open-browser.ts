import { type ChildProcess, spawn } from "node:child_process";
import type { Environment, Settings } from "../common/settings.js";

/** A command that ends with a failure this soon has opened nothing. */
const quickMs = 1_000;

/** Two ways to say where a sign-in begins. */
export interface SignInAddresses {
  full: string;
  /** Leads to the full one, for the first who asks. */
  once: string;
}

/**
 * Shows the sign-in to the person, when there is a screen to show it on. Other users of the machine
 * can read what the system's browser is started with, so that gets what is soon of no use.
 */
export async function openBrowser(
  { full, once }: SignInAddresses,
  { browser, environment }: Pick<Settings, "browser" | "environment">,
): Promise<"opened" | "printed"> {
  try {
    if (browser !== undefined) return await awaitExit(runBrowser(browser, full, environment));
    if (!hasScreen(environment, process.platform)) return "printed";
    const { default: open } = await import("open");
    return await awaitExit(await open(once));
  } catch {
    return "printed";
  }
}

/**
 * Whether a window of this machine is likely to be seen by the person. Over SSH only a forwarded
 * display is; on Linux, and so in containers, there is none without a display. WSL has Windows'.
 */
export function hasScreen(environment: Environment, platform: NodeJS.Platform): boolean {
  const has = (...names: string[]) => names.some((name) => Boolean(environment[name]));
  if (has("DISPLAY", "WAYLAND_DISPLAY")) return true;
  if (has("SSH_CONNECTION", "SSH_TTY")) return false;
  return platform !== "linux" || has("WSL_DISTRO_NAME", "WSL_INTEROP");
}

function runBrowser(command: string, url: string, environment: Environment): ChildProcess {
  const child = spawn(command, [url], {
    detached: true,
    stdio: "ignore",
    windowsHide: true,
    env: environment,
  });
  child.unref();
  return child;
}

function awaitExit(child: ChildProcess): Promise<"opened" | "printed"> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, quickMs, "opened");
    const finish = (code: number | null) => {
      clearTimeout(timer);
      resolve(code === 0 ? "opened" : "printed");
    };
    if (child.exitCode !== null) finish(child.exitCode);
    child.once("error", () => {
      finish(null);
    });
    child.once("exit", finish);
  });
}
