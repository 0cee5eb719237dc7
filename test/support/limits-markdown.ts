import {
  buckets,
  fewOfPerson,
  memory,
  slots,
  windows,
  type Window,
} from "../../server/src/traffic/bounds.js";

const all: Window[] = Object.values(windows);

const introduction = `# Limits

A refused request gets 429 with \`Retry-After\`, a tool call \`rate_limited\`. \`fettle_limit_refusals_total\` counts both. You
can't change these limits. \`RATE_LIMIT=off\` turns off the first three tables, for load tests only. The page is generated
from \`server/src/traffic/bounds.ts\`.`;

const busy = `Counted by each node. While other organizations are active, people with more than ${fewOfPerson} running requests
are served one at a time. After a call that changes several records, the next one waits equally long, at most 2 s.`;

const end = `A message to \`/mcp\` has at most 1 MiB and 25,000 values, a form 64 KiB and 1,000 fields. Once the answers to a batch
reach 1 MiB, its other messages are refused. Clients must read an answer within 2 minutes plus 1 s per 16 KiB, and may
not pause for 30 s. Socket buffers come on top.

## Several nodes

\`\`\`sh
REDIS_URL=rediss://user:password@redis.example.com:6379/0
\`\`\`

Without Redis each node counts alone, so two nodes allow twice as much. Use Redis 6 or newer, a database number of your
own, and \`maxmemory-policy volatile-ttl\`; no persistence. Keys begin with \`fettle:\`, expire within a week, and hold ids,
addresses and hashes. While Redis is away, nodes count in memory and reconnect automatically.

An IPv6 address counts together with its /56. After too many bad tokens, an address may only use tokens that the node
knows. A sample organization shares the limits of the organization that made it.`;

/** The text of docs/operate/limits.md, made from the bounds of the server. */
export function limitsMarkdown(): string {
  const sections = [
    introduction,
    "## How often",
    table(
      ["what", "at most"],
      [...new Set(all.map(({ what }) => what))].map((what) => [
        what,
        all
          .filter((window) => window.what === what)
          .map(describeWindow)
          .join(", "),
      ]),
    ),
    "## Calls and pages",
    "Counted separately.",
    table(
      ["for each", "per second", "burst"],
      Object.entries(buckets).map(([of, { perSecond, burst }]) => [
        of,
        number(perSecond),
        number(burst),
      ]),
    ),
    "## At the same time",
    busy,
    table(
      ["what", "most", "waits"],
      Object.values(slots).map(({ most, waitMs, what }) => [
        what,
        number(most),
        waitMs === Infinity ? "its turn" : duration(waitMs / 1000),
      ]),
    ),
    "## Memory",
    "In MiB. Above its limit a person is refused. Above the others, the oldest part of the largest user is dropped.",
    table(
      ["what", "person", "organization", "node"],
      Object.values(memory).map(({ person, organization, process, what }) => [
        what,
        ...[person, organization, process].map(mebibytes),
      ]),
    ),
    end,
  ];
  return sections.join("\n\n") + "\n";
}

function describeWindow({ of, most, seconds, ofNode }: Window): string {
  const time = duration(seconds).replace(/^1 /, "");
  return `${number(most)}/${time} per ${of}${ofNode === true ? " on each node" : ""}`;
}

const number = (value: number) => value.toLocaleString("en");

const mebibytes = (bytes: number) => (bytes === Infinity ? "" : number(bytes / 1_048_576));

function duration(seconds: number): string {
  if (seconds === 0) return "no time";
  if (seconds % 3600 === 0) return `${seconds / 3600} h`;
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
