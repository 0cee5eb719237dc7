import { buckets, fewOfPerson, memory, slots, windows } from "../../server/src/traffic/bounds.js";

/** The text of server/LIMITS.md, made from the bounds of the server. */
export function limitsMarkdown(): string {
  const rows = [
    "# Limits",
    "",
    "Made from `server/src/traffic/bounds.ts`; [OPERATING.md](OPERATING.md#limits) says how they work.",
    "`RATE_LIMIT=off` switches the first three tables off. `fettle_limit_refusals_total{limit}` counts refusals.",
    "",
    "## How often",
    "",
    "Counted in a window of time that begins with the first. Routes count each address apart.",
    "",
    ...table(
      ["limit", "of each", "most", "in", "what"],
      Object.entries(windows).map(([name, { of, most, seconds, what, ...node }]) => [
        `\`${name}\``,
        of,
        number(most),
        duration(seconds) + ("ofNode" in node ? ", each node alone" : ""),
        what,
      ]),
    ),
    "",
    "## Calls and pages",
    "",
    "Counted in token buckets. Calls and pages have buckets of their own.",
    "",
    ...table(
      ["of each", "a second", "at once after a pause"],
      Object.entries(buckets).map(([of, { perSecond, burst }]) => [
        of,
        number(perSecond),
        number(burst),
      ]),
    ),
    "",
    "## At the same time",
    "",
    "Counted by each node, because it guards that node's connections and processor. While other organizations are",
    `there, people with more than ${fewOfPerson} requests under way are served one request at a time.`,
    "",
    ...table(
      ["most", "one more waits for", "what"],
      Object.values(slots).map(({ most, waitMs, what }) => [
        number(most),
        waitMs === Infinity ? "its turn" : duration(waitMs / 1000),
        what,
      ]),
    ),
    "",
    "## Memory",
    "",
    "In MiB. A person over their bound is refused; past the others the oldest part of who holds most is given up.",
    "",
    ...table(
      ["of a person", "of an organization", "of the node", "what"],
      Object.values(memory).map(({ person, organization, process, what }) => [
        ...[person, organization, process].map(mebibytes),
        what,
      ]),
    ),
    "",
  ];
  return rows.join("\n");
}

const number = (value: number) => value.toLocaleString("en");

const mebibytes = (bytes: number) => (bytes === Infinity ? "" : number(bytes / 1_048_576));

function duration(seconds: number): string {
  if (seconds === 0) return "no time";
  if (seconds % 3600 === 0) return `${seconds / 3600} h`;
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}

function table(head: string[], rows: string[][]): string[] {
  const line = (cells: string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)];
}
