// Runs a Windows program as if it were a local one, with its standard streams and exit code. The
// arguments are the program and its arguments. wine accepts only files as streams, so a relay is
// needed.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const endOfInput = Buffer.from([4]);
const relay = fileURLToPath(new URL("./relay.mjs", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "fettle-relay-"));
const file = (name) => join(folder, name);
const read = (name) => {
  try {
    return readFileSync(file(name), "utf8");
  } catch {
    return "";
  }
};

const server = createServer({ allowHalfOpen: true }, (program) => {
  server.close();
  program.on("error", () => undefined);
  process.stdin.pipe(program, { end: false });
  process.stdin.on("end", () => program.write(endOfInput));
  program.pipe(process.stdout);
  program.on("end", () => program.end());
});
server.listen(0, "127.0.0.1", () => {
  const environment = {
    ...process.env,
    RELAY: String(server.address().port),
    RELAY_EXIT: file("exit"),
    RELAY_ERRORS: file("errors"),
  };
  const wine = spawn("wine", [process.env.WINDOWS_NODE, relay, ...process.argv.slice(2)], {
    cwd: "/",
    env: environment,
    stdio: "ignore",
  });
  wine.on("close", () => {
    process.stderr.write(read("errors"));
    const code = Number(read("exit") || 1);
    rmSync(folder, { recursive: true, force: true });
    process.stdout.write("", () => process.exit(code));
  });
});
