import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { InvalidArgumentError, Option, type Command } from "commander";
import { mcpUrl, parseConfig, type Config } from "../config.js";
import { connectDemoCommandLine, createDemoToken } from "../domain/sample/demo-token.js";
import { sampleSizes, seedSample, type SampleSize } from "../domain/sample/seed.js";
import { createSecret } from "../domain/secrets.js";
import { withDatabase } from "./database.js";
import type { Io } from "./io.js";
import { runServe } from "./serve.js";

interface SeedOptions {
  organization: string;
  size: SampleSize;
  asOf?: string;
}

/** What a person needs to sign in to the demo; kept beside its database for the next start. */
interface DemoSignIn {
  organizationId: string;
  userId: string;
  email: string;
  password: string;
  /** Of the printed command line, and the address it was made for. */
  connection?: { id: string; resource: string };
}

const demoOrganization = "Northgate Facilities";

export function addDemoCommands(program: Command, io: Io): void {
  const demo = program.command("demo").description("Sample data to look around in.");
  demo
    .command("seed")
    .description("Fill a new organization with sample data; prints the sign-in of its owner.")
    .requiredOption("--organization <name>", "name of the organization, created by this")
    .addOption(new Option("--size <size>", "how much").choices(sampleSizes).default("demo"))
    .option("--as-of <day>", "YYYY-MM-DD that all dates lie around (default: today)", toDay)
    .action((options: SeedOptions) => runSeed(io, options));
  demo
    .command("run")
    .description("Serve a sample organization on an embedded database of its own.")
    .action(() => runDemo(io));
}

async function runSeed(io: Io, { organization, size, asOf }: SeedOptions): Promise<void> {
  const password = createSecret();
  await withDatabase(io, async ({ dataSource }, { baseUrl }) => {
    const sample = await dataSource.transaction((tx) =>
      seedSample(tx, { organization, size, asOf, password, baseUrl }),
    );
    io.write(
      JSON.stringify({
        organization_id: sample.organizationId,
        user_id: sample.owner.userId,
        email: sample.owner.email,
        password,
        assets: sample.assets,
        workspaces: sample.workspaces,
      }),
    );
  });
}

async function runDemo(given: Io): Promise<void> {
  const { dataDir } = parseConfig(given.variables);
  const variables = {
    ...given.variables,
    // Never on a database that holds something else.
    DATABASE_URL: undefined,
    DATA_DIR: given.variables["DATA_DIR"] ?? join(dataDir, "demo"),
  };
  const io: Io = { ...given, variables };
  const file = join(parseConfig(variables).dataDir, "demo-sign-in.json");
  await withDatabase(io, async ({ dataSource }, { baseUrl }) => {
    if (existsSync(file)) return;
    const password = createSecret().slice(0, 16);
    await dataSource.transaction(async (tx) => {
      const sample = await seedSample(tx, {
        organization: demoOrganization,
        size: "demo",
        asOf: undefined,
        password,
        baseUrl,
      });
      const { organizationId, owner } = sample;
      saveSignIn(file, { organizationId, ...owner, password });
    });
  });
  await runServe(io, async ({ app, config }) => {
    const signIn = JSON.parse(readFileSync(file, "utf8")) as DemoSignIn;
    const resource = mcpUrl(config);
    const token = await app.db.transaction(async (tx) => {
      const connection =
        signIn.connection?.resource === resource
          ? signIn.connection
          : { id: await connectDemoCommandLine(tx, { ...signIn, resource }), resource };
      saveSignIn(file, { ...signIn, connection });
      return createDemoToken(tx, connection.id);
    });
    io.write(describe(config, signIn, token));
  });
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
    throw new InvalidArgumentError("Give a day as YYYY-MM-DD.");
  }
  return value;
}
