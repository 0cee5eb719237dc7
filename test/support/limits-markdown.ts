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

A refused request gets status 429 with \`Retry-After\`, a refused tool call the error \`rate_limited\`.
\`fettle_limit_refusals_total\` counts both. You can't change these limits. \`RATE_LIMIT=off\` turns off the first three
tables, for load tests only. This page is generated from \`server/src/traffic/bounds.ts\`.`;

const busy = `Each node counts separately. While other organizations are active, people with more than ${fewOfPerson} active requests
are served one at a time. After a call that changes several records, the next such call waits as long as the first one
took, at most 2 s.`;

const end = `A message to \`/mcp\` has at most 1 MiB and 25,000 values, a form 64 KiB and 1,000 fields. Once the responses to a batch
reach 1 MiB, its other messages are refused. Clients must read a response within 2 minutes plus 1 s per 16 KiB, without
pauses of 30 s. Socket buffers use additional memory.

## Several nodes

\`\`\`sh
REDIS_URL=rediss://user:password@redis.example.com:6379/0
\`\`\`

Without Redis, each node counts separately, so two nodes allow twice as many requests. Use Redis 6 or newer with a
dedicated database number, \`maxmemory-policy volatile-ttl\` and no persistence. Keys begin with \`fettle:\`, expire within
a week, and contain ids, addresses and hashes. While Redis is down, nodes count in memory. They reconnect automatically.

An IPv6 address counts together with its /56. After too many bad tokens, an address may only use tokens that the node
knows. A sample organization shares the limits of the organization that created it.`;

/** The text of docs/operate/limits.md, made from the bounds of the server. */
export function limitsMarkdown(): string {
  const sections = [
    introduction,
    "## Rates",
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
    "Each row is counted separately.",
    table(
      ["for each", "per second", "burst"],
      Object.entries(buckets).map(([of, { perSecond, burst }]) => [
        of,
        number(perSecond),
        number(burst),
      ]),
    ),
    "## Concurrency",
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
    "Sizes are in MiB. Above the limit for a person, requests are refused. Above the other limits, the oldest data of the\nlargest user is dropped.",
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
