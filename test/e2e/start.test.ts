import { createServer } from "node:http";
import { spawn } from "node:child_process";
import { cpSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, inject, test, vi } from "vitest";
import { prepareDataDir } from "../support/database.js";
import { makeDataDir, runFettle, startServer } from "../support/server-process.js";

const keys = "k".repeat(40);

describe("server start and shutdown", () => {
  const after: (() => unknown)[] = [];
  afterEach(async () => {
    for (const step of after.splice(0).reverse()) await step();
  });

  function dataDir(folder = prepareDataDir()): string {
    after.push(folder.remove);
    return folder.path;
  }

  test("EMB-01: the ready line has the addresses and set-up link; the data directory is private", async () => {
    const path = dataDir(makeDataDir());
    const server = await startServer({ DATA_DIR: path, DATABSE_URL: "postgres://database/fettle" });
    after.push(() => server.stop("SIGKILL"));

    expect(server.output().split("\n").slice(0, 2)).toEqual([
      "DATABSE_URL is no variable of Fettle and has no effect: did you mean DATABASE_URL?",
      "Preparing the database…",
    ]);
    expect(server.mcp).toBe(`${server.url}/mcp`);
    expect(server.setup).toMatch(/^http:\/\/localhost:\d+\/setup\?token=[\w-]{43}$/);
    expect(statSync(path).mode & 0o777).toBe(0o700);
    expect(statSync(join(path, "secret-keys")).mode & 0o777).toBe(0o600);
    await expect(fetch(`${server.url}/readyz`).then((r) => r.status)).resolves.toBe(200);
    await expect(fetch(`${server.url}/healthz`).then((r) => r.status)).resolves.toBe(200);
    // No file of the embedded database is readable by others, even after it is copied elsewhere.
    const open = readdirSync(path, { recursive: true })
      .map((name) => join(path, String(name)))
      .filter((file) => !statSync(file).isSocket() && (statSync(file).mode & 0o077) !== 0);
    expect(open).toEqual([]);
  });

  test("SIGINT stops the server with exit code 0", async () => {
    const server = await startServer({ DATA_DIR: dataDir() });

    await expect(server.stop("SIGINT")).resolves.toBe(0);
  });

  test("after SIGTERM, it is first unready, then exits with code 0", async () => {
    const server = await startServer({ DATA_DIR: dataDir(), DRAIN_SECONDS: "5" });
    const stopped = server.stop("SIGTERM");

    await expect
      .poll(() => fetch(`${server.url}/readyz`).then((answer) => answer.status))
      .toBe(503);
    await expect(stopped).resolves.toBe(0);
  });

  test("keeps serving when its log is no longer read, and exits with code 0", async () => {
    const server = await startServer({ DATA_DIR: dataDir() });
    server.child.stderr?.destroy();

    for (let round = 0; round < 5; round += 1) {
      await expect(fetch(`${server.url}/signin`).then(({ status }) => status)).resolves.toBe(200);
    }
    await expect(server.stop()).resolves.toBe(0);
  });

  test("npm start ends with npm and leaves no server running", async () => {
    const path = dataDir();
    const npm = spawn("npm", ["start"], {
      cwd: fileURLToPath(new URL("../..", import.meta.url)),
      env: { PATH: process.env["PATH"], HOME: process.env["HOME"], PORT: "0", DATA_DIR: path },
    });
    let output = "";
    npm.stdout.on("data", (chunk) => (output += String(chunk)));
    await vi.waitFor(
      () => {
        expect(output).toContain('"msg":"ready"');
      },
      { timeout: 200_000 },
    );
    npm.kill("SIGTERM");

    await vi.waitFor(
      () => {
        expect(readdirSync(path)).not.toContain("lock");
      },
      { timeout: 60_000 },
    );
  });

  test("invalid variables: one list, exit code 1", async () => {
    const result = await runFettle(["serve"], { PORT: "x", SIGNUP: "y" });

    expect(result.code).toBe(1);
    expect(result.stderr).toMatch(/^Fettle cannot start, these variables are wrong:\n {2}- PORT/);
    expect(result.stderr).not.toContain("    at ");
  });

  test("PostgreSQL without SECRET_KEYS: names the missing setting, exit code 1", async () => {
    const result = await runFettle(["serve"], {
      DATABASE_URL: "postgres://nobody@127.0.0.1:1/none",
    });

    expect(result).toMatchObject({ code: 1 });
    expect(result.stderr).toContain("SECRET_KEYS must be set together with DATABASE_URL");
  });

  test("an occupied port: one sentence, exit code 1", async () => {
    const other = createServer();
    await new Promise<void>((ready) => other.listen(0, "127.0.0.1", ready));
    after.push(() => other.close());
    const { port } = other.address() as { port: number };

    const result = await runFettle(["serve"], { PORT: String(port), DATA_DIR: dataDir() });

    expect(result.code).toBe(1);
    expect(result.stderr.trim()).toBe(
      `Port ${port} on 127.0.0.1 is already in use. Stop the other program, or set PORT to another port.`,
    );
  });

  describe.runIf(
    Object.values(networkInterfaces())
      .flat()
      .some((it) => it?.address === "::1"),
  )("second address of localhost", () => {
    test("also belongs to the server, so no other program can take it", async () => {
      const server = await startServer({ DATA_DIR: dataDir() });
      const { port } = new URL(server.url);

      const answer = await fetch(`http://[::1]:${port}/readyz`);
      const other = createServer().listen(Number(port), "::1");
      const [error] = (await once(other, "error")) as [Error];

      expect(answer.status).toBe(200);
      expect(error.message).toContain("EADDRINUSE");
      await expect(server.stop()).resolves.toBe(0);
    });

    test("occupied: one sentence, exit code 1", async () => {
      const other = createServer().listen(0, "::1");
      after.push(() => other.close());
      await once(other, "listening");
      const { port } = other.address() as { port: number };

      const result = await runFettle(["serve"], { PORT: String(port), DATA_DIR: dataDir() });

      expect(result.code).toBe(1);
      // Earlier lines say that the first address was available.
      expect(result.stderr.trim().split("\n").at(-1)).toBe(
        `Port ${port} on ::1 is not available (EADDRINUSE), and browsers look for localhost there first: they would come to another program. Stop that, set PORT to another port, or BASE_URL to http://127.0.0.1:${port}.`,
      );
    });

    test("stays free when the server's address is a different one", async () => {
      const other = createServer().listen(0, "::1");
      after.push(() => other.close());
      await once(other, "listening");
      const { port } = other.address() as { port: number };

      const server = await startServer({
        ...{ DATA_DIR: dataDir(), PORT: String(port) },
        BASE_URL: `http://127.0.0.1:${port}`,
      });

      await expect(server.stop()).resolves.toBe(0);
    });
  });

  test("a data directory in use: one sentence, exit code 1; admin commands still work", async () => {
    const path = dataDir();
    const server = await startServer({ DATA_DIR: path });
    after.push(() => server.stop("SIGKILL"));

    const second = await runFettle(["serve"], { PORT: "0", DATA_DIR: path });
    const created = await runFettle(
      "account create --email ana@example.com --name Ana --organization Northgate --workspace Plant --password-stdin".split(
        " ",
      ),
      { DATA_DIR: path },
      "correct horse battery\n",
    );

    expect(second.code).toBe(1);
    expect(second.stderr.trim()).toMatch(
      /^The data directory .+ is in use by another Fettle process \(pid \d+\)\. .+\.$/,
    );
    expect(created).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(created.stdout)).toEqual({
      user_id: expect.stringMatching(/^usr_/) as string,
      organization_id: expect.stringMatching(/^org_/) as string,
      workspace_id: expect.stringMatching(/^wsp_/) as string,
    });
  });

  test("an unusable data directory: one sentence, exit code 1", async () => {
    const path = join(dataDir(makeDataDir()), "file");
    writeFileSync(path, "");

    const result = await runFettle(["serve"], { PORT: "0", DATA_DIR: join(path, "data") });

    expect(result.code).toBe(1);
    expect(result.stderr.trim().split("\n")).toHaveLength(1);
  });

  test("works with a socket path that is too long for the system", async () => {
    const path = join(dataDir(makeDataDir()), "d".repeat(60), "e".repeat(60));
    cpSync(inject("dataDirTemplate"), path, { recursive: true });
    const server = await startServer({ DATA_DIR: path });

    await expect(fetch(`${server.url}/readyz`).then((r) => r.status)).resolves.toBe(200);
    await expect(server.stop()).resolves.toBe(0);
  });

  test("an unreachable database: one sentence without the password, exit code 1", async () => {
    const result = await runFettle(["serve"], {
      DATABASE_URL: "postgres://fettle:hidden-word@127.0.0.1:1/fettle",
      DATABASE_WAIT_SECONDS: "0",
      SECRET_KEYS: keys,
    });

    expect(result.code).toBe(1);
    expect(result.stderr.trim().split("\n")).toHaveLength(1);
    expect(result.stderr).toContain("The database fettle at 127.0.0.1:1 cannot be reached.");
    expect(result.stderr).not.toContain("hidden-word");
  });

  test("a command whose output is not read ends silently", async () => {
    const DATA_DIR = dataDir();
    const args = "account create --email ana@example.com --name Ana --organization N";
    await runFettle([...args.split(" "), "--password-stdin"], { DATA_DIR }, "correct horse\n");

    const result = await runFettle(["audit", "export"], { DATA_DIR }, "", { isRead: false });

    expect(result).toEqual({ code: 1, stdout: "", stderr: "" });
  });
});
