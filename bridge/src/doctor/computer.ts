import { existsSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join, posix, win32 } from "node:path";
import { exitCodes } from "../common/errors.js";
import { isOpenToOthers } from "../common/ownership.js";
import type { Context } from "../context/context.js";
import type { Io } from "../context/io.js";
import { findEntries, findSettingsFiles, type FoundEntry } from "../install/changes.js";
import type { Client } from "../install/clients.js";
import { loadSettingsLibraries, SettingsProblem } from "../install/formats.js";
import { readState } from "../profile/profile.js";
import { type KeychainLibrary, type LibraryProbe, probeKeychain } from "../storage/keychain.js";
import { keepsInFile } from "../storage/open-store.js";
import { type Finding, ok, problem, warning } from "./finding.js";

const oldest = { major: 20, minor: 19 };

export async function* checkEnvironment({ settings, profile }: Context): AsyncGenerator<Finding> {
  yield ok("Server", settings.server + (profile.name === "" ? "" : `, profile ${profile.name}`));
  yield checkNode();
  yield checkStart(settings.environment);
  yield await checkFolder(settings.home, profile.folder);
}

function checkNode(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const found = `${process.versions.node} on ${process.platform} ${process.arch}`;
  const isNew = major > oldest.major || (major === oldest.major && minor >= oldest.minor);
  return isNew
    ? ok("Node.js", found)
    : problem("Node.js", found, `Install Node.js ${oldest.major}.${oldest.minor} or newer.`);
}

function checkStart(environment: Context["settings"]["environment"]): Finding {
  const npm = /^npm\/\S+/.exec(environment["npm_config_user_agent"] ?? "")?.[0];
  if (npm === undefined) return ok("Started by", "node");
  return {
    ...ok("Started by", npm.replace("/", " ")),
    advice:
      "fettle-bridge install writes the bridge into the settings of clients without npm: they " +
      "start faster, also while the server is away.",
  };
}

async function checkFolder(home: string, folder: string): Promise<Finding> {
  const check = "Folder";
  const paths = [home, folder, ...(await readdir(folder)).map((name) => join(folder, name))];
  const open = [];
  for (const path of paths) {
    // Some were removed since they were listed.
    const found = await stat(path).catch(() => undefined);
    if (found !== undefined && isOpenToOthers(found)) open.push(path);
  }
  if (open.length === 0) return ok(check, home);
  const detail = `others on this computer can read ${open.join(", ")}`;
  return warning(check, detail, `chmod -R go-rwx ${home}`);
}

const clientsCheck = "Clients";

export async function* checkClients({ settings }: Context, io: Io): AsyncGenerator<Finding> {
  const libraries = await loadSettingsLibraries();
  const { host } = new URL(settings.server);
  const found = new Set<string>();
  for (const one of findSettingsFiles(io, libraries)) {
    const { client, file } = one;
    try {
      for (const entry of await findEntries(one)) {
        if (new URL(entry.meaning.server).host !== host) continue;
        found.add(client.name);
        yield* checkEntry(client, entry, settings.server, io.platform);
      }
    } catch (error) {
      if (!(error instanceof SettingsProblem)) throw error;
      const detail = `the settings of ${client.name} are no use: ${error.message}`;
      yield warning(clientsCheck, detail, `Mend ${file}, or look into it with ${client.name}.`);
    }
  }
  if (found.size > 0) yield ok(clientsCheck, `${[...found].join(", ")} know ${host}`);
}

export function* checkEntry(
  client: Client,
  { name, meaning, words }: FoundEntry,
  server: string,
  platform: NodeJS.Platform,
): Generator<Finding> {
  const [command = ""] = words;
  const paths = platform === "win32" ? win32 : posix;
  const advice = `fettle-bridge install ${client.id} ${server}`;
  const entry = `"${name}" of ${client.name}`;
  for (const path of words.filter((word) => paths.isAbsolute(word) && !existsSync(word))) {
    yield warning(clientsCheck, `${entry} names ${path}, which is not there`, advice);
  }
  // On Windows npm installs a script that only a command line can start.
  if (platform === "win32" && /^(fettle-bridge|npx)$/.test(command)) {
    yield warning(clientsCheck, `${entry}: Windows cannot start ${command}`, advice);
  }
  if (meaning.server !== server) {
    const detail = `${entry} leads to ${meaning.server}, which is another address`;
    yield warning(clientsCheck, detail, `If ${server} is the right one: ${advice}`);
  }
}

const check = "Keychain";
const waysOut =
  "Start a keychain (GNOME Keyring, KWallet or KeePassXC on Linux), or use --storage file.";

export async function* checkKeychain({ settings, profile }: Context): AsyncGenerator<Finding> {
  const { backend, signedIn } = await readState(profile);
  if (keepsInFile(settings.storage, backend)) {
    yield ok(check, "not used, tokens are kept in a file");
    return;
  }
  const probes = await probeKeychain(settings.environment);
  const recorded = signedIn && backend !== undefined && backend in probes ? backend : undefined;
  yield evaluate(probes, recorded as KeychainLibrary | undefined, settings.storage === "keychain");
}

function evaluate(
  probes: Record<KeychainLibrary, LibraryProbe>,
  recorded: KeychainLibrary | undefined,
  isRequired: boolean,
): Finding {
  // If the recorded library is gone, the other one may find its items.
  const isThere = recorded !== undefined && probes[recorded].outcome !== "missing";
  const libraries = isThere ? [recorded] : (["keytar", "keyring"] as const);
  const detail = libraries.map((library) => describe(library, probes[library])).join("; ");
  const outcomes = libraries.map((library) => probes[library].outcome);
  if (outcomes.includes("works")) return ok(check, detail);
  if (outcomes.includes("locked")) {
    return problem(check, detail, "Unlock it, then try again.", exitCodes.signInNeeded);
  }
  if (recorded !== undefined || isRequired) {
    return problem(check, detail, waysOut, exitCodes.signInNeeded);
  }
  return warning(check, detail, `Each start will need a new sign-in. ${waysOut}`);
}

const packages: Record<KeychainLibrary, string> = {
  keytar: "keytar",
  keyring: "@napi-rs/keyring",
};

function describe(library: KeychainLibrary, probe: LibraryProbe): string {
  const name = packages[library];
  if (probe.outcome === "works") return `it works by way of ${probe.keychain.by ?? name}`;
  return {
    locked: `it is locked, says ${name}`,
    absent: `there is none, says ${name}`,
    missing: `${name} is not installed or not built`,
    failed: `it does not work by way of ${name}: ${probe.detail}`,
  }[probe.outcome];
}
