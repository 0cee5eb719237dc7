import { BridgeError, exitCodes } from "../common/errors.js";
import { toMcpUrl } from "../common/server-address.js";
import { findHome } from "../context/home.js";
import type { Io } from "../context/io.js";
import { type CliOptions, readOptions, toArguments } from "../context/options.js";
import { findTargets } from "../context/targets.js";
import { type Change, findEntries, planInstall, planUninstall } from "./changes.js";
import { type Client, type ClientPlace, clients, findClientPlaces } from "./clients.js";
import { type EntryMeaning, isOwnName } from "./entries.js";
import { createFormat } from "./formats/format.js";
import { SettingsProblem } from "./formats/problem.js";
import { loadSettingsLibraries, type SettingsLibraries } from "./load-settings-libraries.js";
import { findPlaces } from "./places.js";
import { findProgramPlace, removeCopies, type Started } from "./program-place.js";
import { type InstalledEntry, isEntry, readRecord, writeRecord } from "./record.js";
import { describeChange, describeEntries, describeProblem } from "./report.js";
import { removeBackup, removeSettings, replaceSettings } from "./settings-file.js";

export interface InstallRequest {
  command: "install" | "uninstall";
  /** Clients, and at most one address. */
  words: readonly string[];
  dryRun: boolean;
  list: boolean;
  given: CliOptions;
}

/** A client with one of its settings files. */
interface Chosen {
  client: Client;
  place: ClientPlace;
}

/** A client that writes its settings all the time is waited for this often. */
const attempts = 5;

/** Writes or removes the settings of clients. The exit code is 1 when a file could not be used. */
export async function runInstall(
  request: InstallRequest,
  io: Io,
  started: Started = { node: process.execPath, script: process.argv[1] ?? "" },
): Promise<number> {
  const { given } = request;
  const { profile } = readOptions(given, io);
  const home = findHome(io);
  const { names, address } = sortWords(request.words);
  const chosen = chooseClients(names, request, io);
  const libraries = await loadSettingsLibraries();
  if (request.list) return list(chosen, libraries, io);
  const program = await findProgramPlace(home, io.environment, started);
  const record = await readRecord(home);
  const plan =
    request.command === "install"
      ? await createInstallPlan({ ...program, given, address, home, profile })
      : createUninstallPlan({ record, program, address, profile });
  return apply(chosen, plan, {
    ...request,
    home,
    io,
    libraries,
    record,
    prepare: program.prepare,
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

/** Those that are named, else those that are found. */
function chooseClients(names: string[], { list: isList }: InstallRequest, io: Io): Chosen[] {
  const unknown = names.find((name) => !clients.some(({ id }) => id === name));
  if (unknown !== undefined) {
    const known = clients.map(({ id }) => id).join(", ");
    throw wrongUsage(`There is no client "${unknown}". These can be named: ${known}.`);
  }
  const at = findPlaces(io);
  const chosen = clients.flatMap((client) => {
    if (names.length > 0 && !names.includes(client.id)) return [];
    const found = findClientPlaces(client, at);
    const used = names.length > 0 && found.length === 0 ? client.places(at).slice(0, 1) : found;
    return used.map((place) => ({ client, place }));
  });
  if (chosen.length > 0 || isList) return chosen;
  throw wrongUsage(
    `None of the clients was found. Name the one you use: ${clients.map(({ id }) => id).join(", ")}.`,
  );
}

async function list(
  chosen: readonly Chosen[],
  libraries: SettingsLibraries,
  { writeOut }: Io,
): Promise<number> {
  if (chosen.length === 0) writeOut("No client was found.\n");
  let code: number = exitCodes.ended;
  for (const { client, place } of chosen) {
    try {
      const format = createFormat(client.format, libraries);
      writeOut(describeEntries(client, place, await findEntries(client, place, format)));
    } catch (error) {
      if (!(error instanceof SettingsProblem)) throw error;
      writeOut(describeProblem(client, place, error));
      code = exitCodes.unexpected;
    }
  }
  return code;
}

type Plan = (chosen: Chosen, libraries: SettingsLibraries) => Promise<Change>;

async function createInstallPlan(options: {
  command: string;
  script: string;
  given: CliOptions;
  address: string | undefined;
  home: string;
  profile: string;
}): Promise<Plan> {
  const { given, address, home, profile, command, script } = options;
  const [target] = await findTargets(address, { withoutServer: "the only one", home, profile });
  if (target === undefined) throw wrongUsage("Name the server's address.");
  const program = { command, script };
  const wanted = { ...target, program, options: toArguments({ ...given, ...profileOf(target) }) };
  return ({ client, place }, libraries) =>
    planInstall(client, place, createFormat(client.format, libraries), wanted);
}

/** That of the only server that was used, where none was given. */
function profileOf({ profile }: { profile: string }): CliOptions {
  return profile === "" ? {} : { profile };
}

function createUninstallPlan({
  record,
  program,
  address,
  profile,
}: {
  record: readonly InstalledEntry[];
  program: { command: string; script: string };
  address: string | undefined;
  profile: string;
}): Plan {
  return ({ client, place: { file, signs } }, libraries) => {
    const recorded = record.filter((entry) => entry.file === file);
    const isOurs = (name: string, meaning: EntryMeaning) => {
      if (address !== undefined && meaning.server !== address) return false;
      if (profile !== "" && meaning.profile !== profile) return false;
      // An address may be the person's own.
      if (meaning.kind === "program" || (address !== undefined && isOwnName(name))) return true;
      return recorded.some((entry) => entry.name === name && entry.server === meaning.server);
    };
    const isCreated = recorded.some(({ created }) => created);
    const format = createFormat(client.format, libraries);
    return planUninstall(client, { file, signs }, format, { program, isCreated, isOurs });
  };
}

interface Run extends InstallRequest {
  home: string;
  io: Io;
  libraries: SettingsLibraries;
  /** As it is after each change. */
  record: InstalledEntry[];
  prepare: () => Promise<void>;
}

async function apply(chosen: readonly Chosen[], plan: Plan, run: Run): Promise<number> {
  const { command, dryRun, home, io } = run;
  let code: number = exitCodes.ended;
  for (const one of chosen) {
    try {
      const change = await applyOne(one, plan, run);
      io.writeOut(describeChange(change, run));
    } catch (error) {
      if (!(error instanceof SettingsProblem)) throw error;
      io.writeErr(`fettle-bridge: ${describeProblem(one.client, one.place, error)}`);
      code = exitCodes.unexpected;
    }
  }
  if (dryRun) io.writeOut("Nothing was written.\n");
  else if (command === "uninstall" && run.record.length === 0) await removeCopies(home);
  return code;
}

async function applyOne(one: Chosen, plan: Plan, run: Run): Promise<Change> {
  const { command, dryRun, home, libraries, prepare, record } = run;
  const planned = await plan(one, libraries);
  if (dryRun) return planned;
  const usesProgram = planned.entries.some(({ meaning }) => meaning.kind === "program");
  if (command === "install" && usesProgram) await prepare();
  const change = await write(planned, () => plan(one, libraries));
  run.record = updateRecord(record, change, command);
  if (run.record !== record) await writeRecord(home, run.record);
  if (command === "uninstall") await removeBackup(change.file, change.after);
  return change;
}

async function write(change: Change, planAgain: () => Promise<Change>): Promise<Change> {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const { file, before, after } = change;
    if (after === before) return change;
    if (after === undefined) {
      await removeSettings(file);
      return change;
    }
    if (await replaceSettings(file, before, after)) return change;
    change = await planAgain();
  }
  throw new SettingsProblem("its client keeps writing it; end the client and try again");
}

function updateRecord(
  record: InstalledEntry[],
  { file, before, after, entries }: Change,
  command: InstallRequest["command"],
): InstalledEntry[] {
  const changed = entries.map(({ name, meaning }): InstalledEntry => {
    const created = before === undefined || record.some((it) => it.file === file && it.created);
    return { file, name, server: meaning.server, created };
  });
  const others = record.filter((entry) => !changed.some((it) => isEntry(entry, it)));
  if (command === "uninstall") return others.length === record.length ? record : others;
  // What was there as it should be may be the person's own.
  return after === before ? record : [...others, ...changed];
}

function wrongUsage(message: string): BridgeError {
  return new BridgeError("wrong_usage", message);
}
