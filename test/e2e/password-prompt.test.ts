import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { createDatabase, prepareDataDir, type TestDatabase } from "../support/database.js";
import { runFettle } from "../support/server-process.js";

const main = fileURLToPath(new URL("../../server/dist/main.js", import.meta.url));

/**
 * Runs a command in a pseudo-terminal, types the answer to its prompt and returns its exit code.
 */
const terminal = `
import os, pty, sys
typed, command = sys.argv[1], sys.argv[2:]
pid, fd = pty.fork()
if pid == 0:
    os.execvp(command[0], command)
seen = b""
while True:
    try:
        piece = os.read(fd, 1024)
    except OSError:
        break
    if not piece:
        break
    if b"Password: " in seen + piece and b"Password: " not in seen:
        os.write(fd, typed.encode())
    seen += piece
sys.stdout.buffer.write(seen)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;

const folder = prepareDataDir();
let database: TestDatabase | undefined;
let place: Record<string, string> = { DATA_DIR: folder.path };

beforeAll(async () => {
  if (inject("databaseUrl") === null) return;
  database = await createDatabase();
  place = { ...place, DATABASE_URL: database.url ?? "" };
});
afterAll(async () => {
  await database?.drop();
  folder.remove();
});

const password = "correct horse battery";
const create = (email: string) =>
  ["account", "create", "--email", email, "--name", "Ana", "--organization", "North"].concat(
    "--password-stdin",
  );

function type(typed: string, args: string[]) {
  const command = ["-c", terminal, typed, process.execPath, main, ...args];
  const env = { PATH: process.env["PATH"], ...place };
  const { status, stdout, error } = spawnSync("python3", command, {
    env,
    encoding: "utf8",
    timeout: 120_000,
  });
  if (error !== undefined) throw error;
  return { status, stdout };
}

test("asks for the password in a terminal without showing it", async () => {
  const { status, stdout } = type(`${password}\r`, create("ana@example.com"));

  expect(status, stdout).toBe(0);
  expect(stdout).toContain("Password: ");
  expect(stdout).not.toContain("horse");
  expect(stdout).toContain('"user_id"');

  const piped = await runFettle(create("ben@example.com"), place, `${password}\n`);
  expect(piped.code).toBe(0);
  expect(piped.stderr).not.toContain("Password");
});

test("shows a list as a table in a terminal, and as JSON with --json", async () => {
  const { stdout: table } = type("", ["account", "list"]);
  const { stdout: lines } = type("", ["account", "list", "--json"]);

  expect(table).toMatch(/^EMAIL +NAME +STATUS +LAST SIGN-IN +ORGANIZATIONS\r\nana@example\.com /);
  expect(JSON.parse(lines.split("\n")[0] ?? "")).toMatchObject({ email: "ana@example.com" });
  const { stdout: piped } = await runFettle(["account", "list"], place);
  expect(piped).toBe(lines.replaceAll("\r", ""));
});

test.each([
  ["Ctrl+C", "corr\x03"],
  ["Ctrl+D", "\x04"],
])("%s at the prompt changes nothing", async (_key, typed) => {
  const { status, stdout } = type(typed, create("cleo@example.com"));

  expect([status, stdout]).toEqual([1, expect.stringContaining("Nothing was changed.")]);
  const { stdout: accounts } = await runFettle(["account", "list"], place);
  expect(accounts).not.toContain("cleo@example.com");
});
