import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { InvalidArgumentError, Option, type Command } from "commander";
import { mcpUrl, parseConfig, type Config } from "../config.js";
import type { OpenDatabase } from "../db/open-database.js";
import { connectDemoCommandLine, createDemoToken } from "../demo/token.js";
import { createSample, sampleSizes, type SampleSize } from "../demo/seed.js";
import type { OnProgress } from "../demo/ledger.js";
import type { Tour } from "../demo/tour.js";
import type { DemoPeople } from "../web/accounts/demo-sign-in.js";
import { createSecret } from "../domain/shared/secrets.js";
import { StartError } from "../errors.js";
import { withDatabase } from "./database.js";
import { commit } from "../domain/history/transactions.js";
import { withExamples } from "./help.js";
import type { Io } from "./io.js";
import { count, json, printResult, type ResultOptions } from "./results.js";
import { runServe, type ServeOptions } from "./serve.js";

interface SeedOptions extends ResultOptions {
  organization: string;
  size: SampleSize;
  asOf?: string;
  edgeCases?: boolean;
}

/** A person's sign-in for the demo. Stored beside its database for the next start. */
interface DemoSignIn {
  organizationId: string;
  userId: string;
  email: string;
  password: string;
  /** People whom visitors can view the demo as. */
  people?: DemoPeople;
  /** For the printed command line, with its address. */
  connection?: { id: string; resource: string };
}

const demoOrganization = "Northgate Facilities";

export function addDemoCommands(program: Command, io: Io): void {
  const demo = program.command("demo").description("Create sample data.");
  const seed = demo
    .command("seed")
    .description("Fill a new organization with sample data and print its owner's sign-in.")
    .summary("Fill a new organization with sample data.")
    .requiredOption("--organization <name>", "name of the new organization")
    .addOption(new Option("--size <size>", "amount of data").choices(sampleSizes).default("demo"))
    .option("--as-of <YYYY-MM-DD>", "reference date of the data (default: today)", toDay)
    .option("--edge-cases", "add assets with unusual values, for tests")
    .option(...json)
    .action((options: SeedOptions) => runSeed(io, options));
  withExamples(
    seed,
    'fettle demo seed --organization "Northgate Facilities"',
    "fettle demo seed --organization Test --size tiny --as-of 2027-01-31 --json",
  );
  const run = demo
    .command("run")
    .description("Serve a sample organization on its own embedded database.")
    .option("--tour", "run a short simulated working day through a client, print it and exit")
    .action(({ tour = false }: { tour?: boolean }) => runDemo(io, tour));
  withExamples(run, "fettle demo run", "fettle demo run --tour");
}

async function runSeed(io: Io, options: SeedOptions): Promise<void> {
  const { organization, size, asOf, edgeCases = false } = options;
  const password = createSecret();
  await withDatabase(io, async ({ db }, { baseUrl }) => {
    const request = { organization, size, asOf, edgeCases, password, baseUrl };
    const sample = await createSample(db, request, { onProgress: reportTo(io) });
    const { organizationId: organization_id, owner, assets, tasks, workspaces } = sample;
    const { userId: user_id, email } = owner;
    printResult(
      io,
      options,
      { organization_id, user_id, email, password, assets, tasks, workspaces },
      `Sample organization: ${organization} (${organization_id})`,
      `${count(assets, "asset")}, ${count(tasks, "task")}, ${count(workspaces, "workspace")}`,
      "",
      `  Email     ${email}`,
      `  Password  ${password}`,
    );
  });
}

/** In percent. The last value ends the line. */
function reportTo(io: Io): OnProgress {
  return (done, all) => {
    const end = done === all ? "\n" : "";
    io.report(`Making the sample organization: ${Math.floor((100 * done) / all)} %${end}`);
  };
}

async function runDemo(given: Io, tour: boolean): Promise<void> {
  const play = tour ? await loadTour() : undefined;
  const { dataDir } = parseConfig(given.variables);
  const own = given.variables["DATA_DIR"] ?? "";
  const variables = {
    ...given.variables,
    // Never use a database with other data.
    DATABASE_URL: undefined,
    DATABASE_URL_FILE: undefined,
    // Request logs would appear between the calls.
    LOG_LEVEL: given.variables["LOG_LEVEL"] ?? (tour ? "warn" : undefined),
    DATA_DIR: own === "" ? join(dataDir, "demo") : own,
  };
  let stop: (signal: NodeJS.Signals) => void = () => {};
  const onStopSignal: Io["onStopSignal"] = (stopServer) => {
    stop = stopServer;
    given.onStopSignal(stopServer);
  };
  const io: Io = { ...given, variables, onStopSignal };
  const file = join(parseConfig(variables).dataDir, "demo-sign-in.json");
  await withDatabase(io, (database, config) => makeDemo(io, file, database, config));
  const readSignIn = () => JSON.parse(readFileSync(file, "utf8")) as DemoSignIn;
  const onReady: ServeOptions["onReady"] = async ({ app, config }) => {
    const signIn = readSignIn();
    const resource = mcpUrl(config);
    const token = await commit({ db: app.services.systemDb, caller: null }, async (tx) => {
      const connection =
        signIn.connection?.resource === resource
          ? signIn.connection
          : { id: await connectDemoCommandLine(tx, { ...signIn, resource }), resource };
      saveSignIn(file, { ...signIn, connection });
      const { organizationId } = signIn;
      return createDemoToken(tx, { organizationId, connectionId: connection.id });
    });
    if (play === undefined) {
      io.write(describe(config, signIn, token));
      return;
    }
    await play({ mcp: resource, token, write: io.write });
    stop("SIGINT");
  };
  await runServe(io, { onReady, findDemoPeople: () => readSignIn().people });
}

/** The tour's client is a dev dependency, so a production install doesn't have it. */
async function loadTour(): Promise<(tour: Tour) => Promise<void>> {
  try {
    const { playTour } = await import("../demo/tour.js");
    return playTour;
  } catch (cause) {
    throw new StartError(
      "The tour needs the package @modelcontextprotocol/client, which is installed with the others for development: npm ci, without --omit=dev.",
      cause,
    );
  }
}

/** Creates the sample organization on the first start. */
async function makeDemo(
  io: Io,
  file: string,
  { db }: OpenDatabase,
  { baseUrl }: Config,
): Promise<void> {
  if (existsSync(file)) return;
  io.writeError("Creating the sample organization (first run only, about 20 seconds) …");
  const password = createSecret().slice(0, 16);
  // The operator's system language, which Node.js takes from LANG where that is set.
  const system = Intl.DateTimeFormat().resolvedOptions().locale;
  const language = system.startsWith("de") ? "de" : "en";
  await createSample(
    db,
    { organization: demoOrganization, size: "demo", asOf: undefined, password, baseUrl, language },
    {
      onProgress: reportTo(io),
      beforeCommit: ({ people, ...owner }) => {
        saveSignIn(file, { ...owner, password, people });
      },
    },
  );
}

function saveSignIn(file: string, signIn: DemoSignIn): void {
  writeFileSync(file, JSON.stringify(signIn, null, 2), { mode: 0o600 });
}

function describe(config: Config, signIn: DemoSignIn, token: string): string {
  const url = mcpUrl(config);
  const call = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "list_assets", arguments: { limit: 3 } },
  });
  return `
Sample organization: ${demoOrganization}

  Pages     ${config.baseUrl}
  Email     ${signIn.email}
  Password  ${signIn.password}
  MCP       ${url}

Connect a client:

  Claude Code   claude mcp add --transport http fettle ${url}
  Cursor        { "mcpServers": { "fettle": { "url": "${url}" } } }
  VS Code       { "servers": { "fettle": { "type": "http", "url": "${url}" } } }

Call a tool at once (the token lasts two hours):

  curl -s ${url} -H 'Authorization: Bearer ${token}' -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream' -d '${call}'

Stop with Ctrl+C.
`;
}

function toDay(value: string): string {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(value) ? new Date(`${value}T00:00:00Z`) : new Date(NaN);
  if (Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== value) {
    throw new InvalidArgumentError("Use a date like 2027-01-31.");
  }
  return value;
}
