import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { isOpenToOthers } from "../common/ownership.js";
import type { Context } from "../context/context.js";
import { type Finding, ok, problem, warning } from "./finding.js";

const oldestNode: readonly [major: number, minor: number] = [20, 19];

/** This computer: what runs the bridge, and where it keeps what is no secret. */
export async function* checkEnvironment({ settings, profile }: Context): AsyncGenerator<Finding> {
  yield ok("Server", describeServer(settings.server, profile.name));
  yield checkNode();
  yield checkStart(settings.environment);
  yield await checkFolder(settings.home, profile.folder);
}

function describeServer(server: string, profileName: string): string {
  return profileName === "" ? server : `${server}, profile ${profileName}`;
}

function checkNode(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const [oldestMajor, oldestMinor] = oldestNode;
  const found = `${process.versions.node} on ${process.platform} ${process.arch}`;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) {
    return ok("Node.js", found);
  }
  return problem("Node.js", found, `Install Node.js ${oldestMajor}.${oldestMinor} or newer.`);
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
    // Some are gone since they were listed.
    const found = await stat(path).catch(() => undefined);
    if (found !== undefined && isOpenToOthers(found)) open.push(path);
  }
  if (open.length === 0) return ok(check, home);
  return warning(
    check,
    `others on this computer can read ${open.join(", ")}`,
    `chmod -R go-rwx ${home}`,
  );
}
