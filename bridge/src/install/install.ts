import { rm } from "node:fs/promises";
import { BridgeError, exitCodes } from "../common/errors.js";
import { toMcpUrl } from "../common/server-address.js";
import { findTargets } from "../context/context.js";
import { findHome, type Io } from "../context/io.js";
import { type CliOptions, readOptions, toArguments } from "../context/options.js";
import {
  type Change,
  type EntryMeaning,
  findEntries,
  findSettingsFiles,
  isOwnName,
  planInstall,
  planUninstall,
  removeBackup,
  replaceSettings,
  type SettingsFile,
  type Wanted,
} from "./changes.js";
import { clients } from "./clients.js";
import { loadSettingsLibraries, type SettingsLibraries, SettingsProblem } from "./formats.js";
import { findProgramPlace, removeCopies, type Started } from "./program-place.js";

function describeChange(
  { client, file, before, after, entries }: Change,
  { command, dryRun, libraries }: Run,
): string {
  const head = `${client.name} (${client.id}): ${file}\n`;
  const names = entries.map(describeEntry).join(", ");
  if (after === before) {
    return command === "uninstall"
      ? `${head}  holds nothing of the bridge\n`
      : `${head}  has it already: ${names}\n`;
  }
  if (dryRun) return head + createDiff(libraries, file, before, after);
  if (command === "uninstall") {
    const rest = after === undefined ? ", and the file, which held nothing else" : "";
    return `${head}  removed ${names}${rest}\n`;
  }
  const next = entries.map(
    ({ name, meaning }) =>
      (meaning.kind === "address" ? client.nextForAddress?.(name) : undefined) ??
      client.next ??
      `Start ${client.name} again.`,
  );
  return `${head}  wrote ${names}\n  ${next.join(" ")}\n`;
}

function describeProblem({ client, file }: SettingsFile, { message }: SettingsProblem): string {
  return `${client.name} (${client.id}): ${file} was left as it is: ${message}.\n`;
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

export interface InstallRequest {
  command: "install" | "uninstall";
  words: readonly string[];
  dryRun: boolean;
  list: boolean;
  given: CliOptions;
}

/** Retries for a client that keeps writing its settings. */
const attempts = 5;

interface Run extends InstallRequest {
  io: Io;
  home: string;
  profile: string;
  address: string | undefined;
  libraries: SettingsLibraries;
  program: Awaited<ReturnType<typeof findProgramPlace>>;
  wanted: Wanted | undefined;
}

/** Writes or removes clients' settings. Returns exit code 1 if a file couldn't be used. */
export async function runInstall(
  request: InstallRequest,
  io: Io,
  started: Started = { node: process.execPath, script: process.argv[1] ?? "" },
): Promise<number> {
  const { command, given } = request;
  const { profile } = readOptions(given, io);
  const home = findHome(io);
  const { names, address } = sortWords(request.words);
  const libraries = await loadSettingsLibraries();
  const chosen = chooseFiles(names, libraries, request, io);
  if (request.list) return list(chosen, io);
  const program = await findProgramPlace(home, io.environment, started);
  const run = { ...request, io, home, profile, address, libraries, program };
  return apply(chosen, {
    ...run,
    wanted: command === "install" ? await findWanted(run) : undefined,
  });
}

function sortWords(words: readonly string[]): { names: string[]; address: string | undefined } {
  const isAddress = (word: string) => /[:./]/.test(word);
  const [address, ...more] = words.filter(isAddress);
  if (more.length > 0) throw wrongUsage("Name one server's address only.");
  return {
    names: words.filter((word) => !isAddress(word)),
    address: address === undefined ? undefined : toMcpUrl(address),
  };
}

function chooseFiles(
  names: string[],
  libraries: SettingsLibraries,
  { list: isList }: InstallRequest,
  io: Io,
): SettingsFile[] {
  const known = clients.map(({ id }) => id);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw wrongUsage(`There is no client "${unknown}". These can be named: ${known.join(", ")}.`);
  }
  const chosen = findSettingsFiles(io, libraries, names.length > 0 ? names : undefined);
  if (chosen.length > 0 || isList) return chosen;
  throw wrongUsage(`None of the clients was found. Name the one you use: ${known.join(", ")}.`);
}

async function list(chosen: readonly SettingsFile[], { writeOut }: Io): Promise<number> {
  if (chosen.length === 0) writeOut("No client was found.\n");
  let code: number = exitCodes.ended;
  for (const one of chosen) {
    try {
      const lines = (await findEntries(one)).map((entry) => `  ${describeEntry(entry)}\n`);
      const head = `${one.client.name} (${one.client.id}): ${one.file}\n`;
      writeOut(head + (lines.join("") || "  no server by address or bridge\n"));
    } catch (error) {
      if (!(error instanceof SettingsProblem)) throw error;
      writeOut(describeProblem(one, error));
      code = exitCodes.unexpected;
    }
  }
  return code;
}

async function findWanted(run: Omit<Run, "wanted">): Promise<Wanted> {
  const { address, home, profile, given, program } = run;
  const [target] = await findTargets(address, { withoutServer: "the only one", home, profile });
  if (target === undefined) throw wrongUsage("Name the server's address.");
  // Without an address, the profile of the only used server.
  const own = target.profile === "" ? {} : { profile: target.profile };
  return { ...target, program, options: toArguments({ ...given, ...own }) };
}

function plan(one: SettingsFile, run: Run): Promise<Change> {
  const { address, profile, program, wanted } = run;
  if (wanted !== undefined) return planInstall(one, wanted);
  const isOurs = (name: string, meaning: EntryMeaning, isNew: boolean) => {
    if (address !== undefined && meaning.server !== address) return false;
    if (profile !== "" && meaning.profile !== profile) return false;
    // The person may have added an address entry.
    return meaning.kind === "program" || (isOwnName(name) && (isNew || address !== undefined));
  };
  return planUninstall(one, program, isOurs);
}

async function apply(chosen: readonly SettingsFile[], run: Run): Promise<number> {
  const { command, dryRun, home, io } = run;
  let code: number = exitCodes.ended;
  for (const one of chosen) {
    try {
      io.writeOut(describeChange(await applyOne(one, run), run));
    } catch (error) {
      if (!(error instanceof SettingsProblem)) throw error;
      io.writeErr(`fettle-bridge: ${describeProblem(one, error)}`);
      code = exitCodes.unexpected;
    }
  }
  if (dryRun) io.writeOut("Nothing was written.\n");
  else if (command === "uninstall" && !(await isCopyUsed(run))) await removeCopies(home);
  return code;
}

async function isCopyUsed({ io, home, libraries }: Run): Promise<boolean> {
  for (const one of findSettingsFiles(io, libraries)) {
    const found = await findEntries(one).catch(() => []);
    if (found.some(({ words }) => words.some((word) => word.startsWith(home)))) return true;
  }
  return false;
}

async function applyOne(one: SettingsFile, run: Run): Promise<Change> {
  const { command, dryRun, program } = run;
  const planned = await plan(one, run);
  if (dryRun) return planned;
  const usesProgram = planned.entries.some(({ meaning }) => meaning.kind === "program");
  if (command === "install" && usesProgram) await program.prepare();
  const change = await write(planned, () => plan(one, run));
  if (command === "uninstall") await removeBackup(change.file, change.after);
  return change;
}

async function write(change: Change, planAgain: () => Promise<Change>): Promise<Change> {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const { file, before, after } = change;
    if (after === before) return change;
    if (after === undefined) {
      await rm(file, { force: true });
      return change;
    }
    if (await replaceSettings(file, before, after)) return change;
    change = await planAgain();
  }
  throw new SettingsProblem("its client keeps writing it; end the client and try again");
}

function wrongUsage(message: string): BridgeError {
  return new BridgeError("wrong_usage", message);
}
