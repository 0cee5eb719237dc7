import type { Outcome } from "./outcome.js";
import { runInspector } from "./runner.js";
import type { ServerUnderTest } from "./server.js";

/** The Inspector's names for revisions with and without a handshake. */
const eras = ["legacy", "modern"] as const;

/** The requests, and the text in each response that proves success. */
const requests = [
  { name: "tools/list", args: ["--method", "tools/list", "--strict"], shows: '"list_assets"' },
  { name: "resources/list", args: ["--method", "resources/list"], shows: '"fettle://attention"' },
  {
    name: "resources/templates/list",
    args: ["--method", "resources/templates/list"],
    shows: '"fettle://assets/{asset}"',
  },
  { name: "prompts/list", args: ["--method", "prompts/list"], shows: '"daily_briefing"' },
  {
    name: "tools/call",
    args: [
      ...["--method", "tools/call", "--tool-name", "list_workspaces"],
      ...["--tool-args-json", '{"query":"Plant"}'],
    ],
    shows: "Plant",
  },
] as const;

export async function* runInspectorRequests(server: ServerUnderTest): AsyncGenerator<Outcome> {
  for (const era of eras) {
    for (const { name, args, shows } of requests) {
      const { passed, output } = await runInspector([
        ...[server.mcpUrl, "--transport", "http", "--protocol-era", era, "--format", "json"],
        ...["--header", `Authorization: Bearer ${server.token}`, ...args],
      ]);
      yield { name: `Inspector ${era} ${name}`, passed: passed && output.includes(shows), output };
    }
  }
}
