import { createHash, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, mkdir, readFile, realpath, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import { BridgeError } from "../common/errors.js";
import { toRecord } from "../common/json.js";
import { findProgramFolder } from "../common/ownership.js";
import { type Environment, version } from "../common/settings.js";
import { readJson, readNames } from "../profile/files.js";
import type { Program } from "./changes.js";

export interface Started {
  node: string;
  script: string;
  temporary?: string;
}

/** Folders that package runners clean up or that exist while a terminal is open. */
const passing = /[\\/](_npx|dlx(-[^\\/]*)?|bunx-[^\\/]*|fnm_multishells)[\\/]/;
const programFolder = "program";

/**
 * Returns stable paths: Node's stable name, and our copy if a package runner stores the script only
 * temporarily.
 */
export async function findProgramPlace(
  home: string,
  environment: Environment,
  started: Started,
): Promise<Program & { prepare: () => Promise<void> }> {
  const temporary = started.temporary ?? (await realpath(tmpdir()));
  const isPassing = (path: string) => passing.test(path) || isBelow(path, temporary);
  const command = await findLastingNode(started.node, environment, isPassing);
  const script = await realpath(started.script);
  if (!isPassing(script)) return { command, script, prepare: () => Promise.resolve() };
  const folder = join(home, programFolder, `${version}-${await hashScripts(dirname(script))}`);
  const copied = join(folder, "node_modules", "fettle-bridge", "dist", "main.js");
  return {
    command,
    script: copied,
    prepare: async () => {
      await mkdir(home, { recursive: true, mode: 0o700 });
      if (findProgramFolder(home, programFolder) === undefined) {
        throw new BridgeError(
          "wrong_usage",
          `Others may write to the folder ${home}, so clients are not told to run what is in it. ` +
            "Close it to them, or name another one in FETTLE_BRIDGE_HOME.",
        );
      }
      if (!existsSync(copied)) await copyPackages(dirname(dirname(script)), folder);
    },
  };
}

/** Distinguishes builds of one version. */
async function hashScripts(folder: string): Promise<string> {
  const hash = createHash("sha256");
  for (const name of (await readNames(folder)).filter((it) => it.endsWith(".js")).sort()) {
    hash.update(name).update(await readFile(join(folder, name)));
  }
  return hash.digest("hex").slice(0, 8);
}

export async function removeCopies(home: string): Promise<void> {
  // Windows keeps files of running programs. The next call can remove them.
  await rm(join(home, programFolder), { recursive: true, force: true }).catch(() => undefined);
}

/**
 * Returns a link on the PATH, such as from a version manager or Homebrew, that survives upgrades.
 */
async function findLastingNode(
  node: string,
  environment: Environment,
  isPassing: (path: string) => boolean,
): Promise<string> {
  const real = await realpath(node);
  const name = process.platform === "win32" ? "node.exe" : "node";
  for (const folder of (environment["PATH"] ?? environment["Path"] ?? "").split(delimiter)) {
    const candidate = join(folder, name);
    if (!isAbsolute(folder) || isPassing(candidate)) continue;
    if ((await realpath(candidate).catch(() => undefined)) === real) return candidate;
  }
  if (!isPassing(real)) return node;
  const message = `Node.js is in a folder for a while only, ${real}. Run install with an installed one.`;
  throw new BridgeError("wrong_usage", message);
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(join(resolve(folder), "/"));
}

/** Copies atomically, in the layout of node_modules. */
async function copyPackages(source: string, folder: string): Promise<void> {
  const temporary = `${folder}.${randomBytes(4).toString("hex")}`;
  await mkdir(temporary, { recursive: true, mode: 0o700 });
  try {
    for (const [name, path] of await findPackages(source)) {
      await cp(path, join(temporary, "node_modules", name), {
        recursive: true,
        dereference: true,
        filter: (file) => !/[\\/]node_modules$/.test(file.slice(path.length)),
      });
    }
    await rename(temporary, folder);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}

async function findPackages(source: string): Promise<Map<string, string>> {
  const found = new Map([["fettle-bridge", source]]);
  const { dependencies, optionalDependencies } = toRecord(
    await readJson(join(source, "package.json")),
  );
  for (const name of Object.keys({
    ...toRecord(dependencies),
    ...toRecord(optionalDependencies),
  })) {
    const path = await findPackage(source, name);
    if (path === undefined) continue;
    found.set(name, path);
    const manifest = toRecord(await readJson(join(path, "package.json")));
    for (const part of Object.keys(toRecord(manifest["optionalDependencies"]))) {
      const partPath = await findPackage(path, part);
      if (partPath !== undefined) found.set(part, partPath);
    }
  }
  return found;
}

async function findPackage(from: string, name: string): Promise<string | undefined> {
  for (let folder = from; ; folder = dirname(folder)) {
    const path = join(folder, "node_modules", name);
    if (existsSync(join(path, "package.json"))) return realpath(path);
    if (dirname(folder) === folder) return undefined;
  }
}
