import { spawn } from "node:child_process";
import { BridgeError } from "../common/errors.js";
import { keychainService } from "../profile/profile.js";

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

export type RunSecurity = (args: readonly string[], input?: string) => Promise<Ran>;

/** errSecItemNotFound, as the command's exit code. */
const notFound = 44;
/** For one line of standard input. The command truncates longer lines. */
const lineLimit = 4_000;

/**
 * The shared items through macOS' own command, for signed programs (Claude Desktop) that reject the
 * library.
 */
export function createSecurityKeychain(run: RunSecurity = runSecurity) {
  const item = (account: string) => ["-s", keychainService, "-a", account];
  return {
    library: "keyring" as const,
    by: "/usr/bin/security",
    get: async (account: string) => {
      const ran = await run(["find-generic-password", ...item(account), "-w"]);
      if (ran.code === notFound) return undefined;
      return fromOutput(check(ran).stdout.replace(/\n$/, ""));
    },
    // Through standard input, because other programs can read arguments.
    set: async (account: string, value: string) => {
      const hex = Buffer.from(value).toString("hex");
      const line = ["add-generic-password", "-U", ...item(account), "-X", hex].join(" ");
      if (line.length > lineLimit) throw tooLarge(value);
      const ran = check(await run(["-i"], `${line}\n`));
      if (ran.stderr.trim() !== "") throw new Error(ran.stderr.trim());
    },
    delete: async (account: string) => {
      const ran = await run(["delete-generic-password", ...item(account)]);
      if (ran.code !== notFound) check(ran);
      return ran.code === 0;
    },
  };
}

function check(ran: Ran): Ran {
  if (ran.code === 0) return ran;
  throw new Error(ran.stderr.trim() || `security ended with ${String(ran.code)}`);
}

/**
 * Newer systems write values with special characters in hexadecimal. No secret looks like
 * hexadecimal.
 */
function fromOutput(text: string): string {
  const isHex = /^([0-9a-f]{2})+$/.test(text);
  return isHex ? Buffer.from(text, "hex").toString("utf8") : text;
}

function tooLarge(value: string): BridgeError {
  return new BridgeError(
    "keychain_unavailable",
    `The tokens of this server are too large for the keychain command of macOS ` +
      `(${Buffer.byteLength(value)} bytes). Use --storage file.`,
  );
}

function runSecurity(args: readonly string[], input = ""): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn("/usr/bin/security", args, { stdio: "pipe" });
    const written = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const) {
      child[name].setEncoding("utf8").on("data", (text: string) => (written[name] += text));
    }
    child.once("error", reject);
    child.once("close", (code) => {
      resolve({ code, ...written });
    });
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
  });
}
