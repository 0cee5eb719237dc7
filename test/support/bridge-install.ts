import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { CliOptions } from "../../bridge/src/context/options.js";
import { runInstall, type InstallRequest } from "../../bridge/src/install/install.js";
import type { Started } from "../../bridge/src/install/program-place.js";
import { makeHome } from "./bridge-context.js";
import { makeIo, type Ran } from "./bridge-io.js";

/** A person's folder with client settings and an installed bridge. */
export interface Person {
  path: (...parts: string[]) => string;
  read: (...parts: string[]) => string;
  write: (file: string, text: string) => void;
  exists: (...parts: string[]) => boolean;
  script: string;
  node: string;
  environment: Record<string, string>;
  install: (words?: string[], options?: InstallOptions) => Promise<Ran>;
  uninstall: (words?: string[], options?: InstallOptions) => Promise<Ran>;
  remove: () => void;
}

export interface InstallOptions {
  given?: CliOptions;
  dryRun?: boolean;
  list?: boolean;
  started?: Partial<Started>;
}

export function makePerson(): Person {
  const folder = makeHome();
  const userFolder = realpathSync(folder.path);
  const path = (...parts: string[]) => join(userFolder, ...parts);
  const write = (file: string, text: string) => {
    mkdirSync(dirname(path(file)), { recursive: true });
    writeFileSync(path(file), text);
  };
  const package_ = "lib/node_modules/fettle-bridge";
  write(`${package_}/dist/main.js`, "// the bridge\n");
  write(`${package_}/package.json`, '{ "name": "fettle-bridge" }\n');
  mkdirSync(path("bin"));
  symlinkSync(process.execPath, path("bin", "node"));
  const script = path(package_, "dist", "main.js");
  const node = path("bin", "node");
  const environment: Record<string, string> = {
    PATH: path("bin"),
    FETTLE_BRIDGE_HOME: path("bridge-home"),
  };
  const run =
    (command: InstallRequest["command"]) =>
    async (words: string[] = [], options: InstallOptions = {}): Promise<Ran> => {
      const { given = {}, dryRun = false, list = false, started } = options;
      const io = { ...makeIo(environment), userFolder };
      const code = await runInstall({ command, words, dryRun, list, given }, io, {
        node: process.execPath,
        script,
        // The test's folder is temporary but represents a permanent one.
        temporary: path("temporary"),
        ...started,
      });
      return { code, ...io.written };
    };
  return {
    path,
    write,
    read: (...parts) => readFileSync(path(...parts), "utf8"),
    exists: (...parts) => existsSync(path(...parts)),
    script,
    node,
    environment,
    install: run("install"),
    uninstall: run("uninstall"),
    remove: folder.remove,
  };
}
