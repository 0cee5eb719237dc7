import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { hasCode } from "../common/errors.js";
import { isOurs } from "../common/ownership.js";
import type { Environment } from "../common/settings.js";

const execute = promisify(execFile);
const isWithoutBus = (platform: NodeJS.Platform) => platform === "win32" || platform === "darwin";

/**
 * Whether every session bus that the variable names is a socket of this user. When a bus has ended, as
 * one below /tmp does with its session, anybody can listen in its place, and be handed the secrets;
 * an abstract name has no owner at all. Without the variable the libraries look at the owner.
 */
export async function isBusOfUser(
  environment: Environment,
  platform = process.platform,
): Promise<boolean> {
  if (isWithoutBus(platform)) return true;
  const addresses = (environment["DBUS_SESSION_BUS_ADDRESS"] ?? "").split(";");
  for (const address of addresses.filter((one) => one !== "")) {
    const path = decode(/^unix:(?:.*?,)?path=([^,]+)/.exec(address)?.[1]);
    if (path === undefined || !(await isOurs(path, "socket"))) return false;
  }
  return true;
}

/** Undefined where it is not written as addresses are. */
function decode(path = "%"): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

const answerMs = 1_000;
const keychain = "org.freedesktop.secrets";
const path = "/org/freedesktop/secrets/aliases/default";
const collection = "org.freedesktop.Secret.Collection";
const getProperty = "org.freedesktop.DBus.Properties.Get";
/** Which of these commands is installed differs between distributions. */
const questions = {
  busctl: ["--user", "get-property", keychain, path, collection, "Locked"],
  "dbus-send": [
    ...["--session", "--print-reply", `--dest=${keychain}`],
    ...[path, getProperty, `string:${collection}`, "string:Locked"],
  ],
};

/**
 * Whether the keychain of a Linux session is locked, asked of the Secret Service: the libraries can
 * only find out by asking the person to unlock it. Undefined where nothing can tell.
 */
export async function isSecretServiceLocked(
  environment: Environment,
): Promise<boolean | undefined> {
  const hasBus = environment["DBUS_SESSION_BUS_ADDRESS"] ?? environment["XDG_RUNTIME_DIR"];
  if (isWithoutBus(process.platform) || hasBus === undefined) return undefined;
  for (const [command, args] of Object.entries(questions)) {
    try {
      const { stdout } = await execute(command, args, { env: environment, timeout: answerMs });
      return /\btrue\b/.test(stdout);
    } catch (error) {
      if (!hasCode(error, "ENOENT")) return undefined;
    }
  }
  return undefined;
}
