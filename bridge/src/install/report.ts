import type { Change } from "./changes.js";
import type { Client, ClientPlace } from "./clients.js";
import type { EntryMeaning } from "./entries.js";
import type { SettingsProblem } from "./formats/problem.js";
import type { SettingsLibraries } from "./load-settings-libraries.js";

/** What was done to one settings file, or would be. */
export function describeChange(
  { client, file, before, after, entries }: Change,
  {
    command,
    dryRun,
    libraries,
  }: { command: "install" | "uninstall"; dryRun: boolean; libraries: SettingsLibraries },
): string {
  const head = `${client.name} (${client.id}): ${file}\n`;
  if (after === before) {
    if (command === "uninstall") return `${head}  holds nothing of the bridge\n`;
    return `${head}  has it already: ${entries.map(describeEntry).join(", ")}\n`;
  }
  if (dryRun) return head + createDiff(libraries, file, before, after);
  const names = entries.map(describeEntry).join(", ");
  if (command === "uninstall") {
    const rest = after === undefined ? ", and the file, which held nothing else" : "";
    return `${head}  removed ${names}${rest}\n`;
  }
  const next = entries.map(({ name, meaning }) =>
    meaning.kind === "address" ? (client.nextForAddress?.(name) ?? client.next) : client.next,
  );
  return `${head}  wrote ${names}\n  ${next.join(" ")}\n`;
}

/** What one settings file has for `--list`. */
export function describeEntries(
  { name, id }: Client,
  { file }: ClientPlace,
  entries: Change["entries"],
): string {
  const lines = entries.map((entry) => `  ${describeEntry(entry)}\n`);
  return `${name} (${id}): ${file}\n${lines.join("") || "  no server by address or bridge\n"}`;
}

export function describeProblem(
  { name, id }: Client,
  { file }: ClientPlace,
  { message }: SettingsProblem,
): string {
  return `${name} (${id}): ${file} was left as it is: ${message}.\n`;
}

function describeEntry({ name, meaning }: { name: string; meaning: EntryMeaning }): string {
  const { kind, server, profile } = meaning;
  const by = kind === "program" ? "by the bridge" : "by address";
  return `"${name}" for ${server}${profile === "" ? "" : `, profile ${profile}`} (${by})`;
}

function createDiff(
  { createTwoFilesPatch }: SettingsLibraries,
  file: string,
  before: string | undefined,
  after: string | undefined,
): string {
  const from = before === undefined ? "/dev/null" : file;
  const to = after === undefined ? "/dev/null" : file;
  const patch = createTwoFilesPatch(from, to, before ?? "", after ?? "", "", "", { context: 2 });
  return patch.replace(/^Index: .*\n=+\n|^=+\n/, "").replaceAll("\t\n", "\n");
}
