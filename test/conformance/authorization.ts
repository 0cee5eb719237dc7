import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { aClient, follow, signIn } from "../support/oauth.js";
import type { Outcome } from "./outcome.js";
import type { ServerUnderTest } from "./server.js";
import { runSuite } from "./runner.js";

const scenarios = ["authorization-server-metadata-endpoint", "authorization-code-grant"];
const callbackPort = 4555;

/**
 * The suite acts as an app. It prints the authorization address, and the person signs in and
 * agrees.
 */
export async function runAuthorizationScenarios(server: ServerUnderTest): Promise<Outcome[]> {
  const client = await aClient(server.app, {
    redirect_uris: [`http://127.0.0.1:${callbackPort}/callback`],
  });
  const results = await mkdtemp(join(tmpdir(), "fettle-conformance-"));
  const stop = new AbortController();
  let failure = "";
  let asked = false;
  const { passed, output } = await runSuite(
    [
      "authorization",
      ...["--url", server.app.services.config.baseUrl],
      ...["--client-id", client.id],
      ...["--resource", server.mcpUrl],
      ...["-p", String(callbackPort)],
      ...["--output-dir", results],
    ],
    {
      signal: stop.signal,
      onOutput: (soFar) => {
        const address = /^(https?:\/\/\S+)\s*$/m.exec(soFar)?.[1];
        if (asked || address === undefined) return;
        asked = true;
        agree(server, address).catch((error: unknown) => {
          failure = String(error);
          // The suite would wait for five minutes.
          stop.abort();
        });
      },
    },
  );
  const checks = await readChecks(results);
  await rm(results, { recursive: true });
  return scenarios.map((scenario) => {
    const own = checks.filter(({ folder }) => folder.includes(scenario));
    return {
      name: `authorization ${scenario}`,
      // The exit code counts a skipped scenario as passed and ignores warnings.
      passed: passed && own.length > 0 && own.every(({ status }) => status === "SUCCESS"),
      output: `${output}\n${failure}\n${JSON.stringify(own, null, 2)}`,
    };
  });
}

interface Check {
  folder: string;
  id: string;
  status: string;
  errorMessage?: string;
}

async function readChecks(results: string): Promise<Check[]> {
  const folders = await readdir(results);
  const found = await Promise.all(
    folders.map(async (folder) => {
      const text = await readFile(join(results, folder, "checks.json"), "utf8");
      const checks = JSON.parse(text) as Omit<Check, "folder">[];
      return checks.map(({ id, status, errorMessage = "" }) => ({
        folder,
        id,
        status,
        errorMessage,
      }));
    }),
  );
  return found.flat();
}

/** Signs in, allows the app and follows the redirect to it. */
async function agree(server: ServerUnderTest, address: string): Promise<void> {
  const browser = await signIn(server.app, server.owner);
  const page = await follow(browser, await browser.get(address));
  const answer = await browser.submitForm(page, { scope: ["mcp_read"], decision: "allow" });
  const back = answer.headers.location;
  if (back === undefined) throw new Error(`Not allowed: ${answer.statusCode} ${answer.body}`);
  await fetch(back);
}
