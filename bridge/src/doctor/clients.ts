import { existsSync } from "node:fs";
import { posix, win32 } from "node:path";
import type { Context } from "../context/context.js";
import type { Io } from "../context/io.js";
import { type FoundEntry, findEntries } from "../install/changes.js";
import { type Client, clients, findClientPlaces } from "../install/clients.js";
import { createFormat } from "../install/formats/format.js";
import { SettingsProblem } from "../install/formats/problem.js";
import { loadSettingsLibraries } from "../install/load-settings-libraries.js";
import { findPlaces } from "../install/places.js";
import { type Finding, ok, warning } from "./finding.js";

const check = "Clients";

/** What the clients on this computer were told of the server: whether they can start the bridge. */
export async function* checkClients({ settings }: Context, io: Io): AsyncGenerator<Finding> {
  const libraries = await loadSettingsLibraries();
  const { host } = new URL(settings.server);
  const found = new Set<string>();
  for (const client of clients) {
    for (const place of findClientPlaces(client, findPlaces(io))) {
      try {
        const entries = await findEntries(client, place, createFormat(client.format, libraries));
        for (const entry of entries.filter((it) => new URL(it.meaning.server).host === host)) {
          found.add(client.name);
          yield* checkEntry(client, entry, settings.server, io.platform);
        }
      } catch (error) {
        if (!(error instanceof SettingsProblem)) throw error;
        const advice = `Mend ${place.file}, or look into it with ${client.name}.`;
        yield warning(check, `the settings of ${client.name} are no use: ${error.message}`, advice);
      }
    }
  }
  if (found.size > 0) yield ok(check, `${[...found].join(", ")} know ${host}`);
}

/** What keeps the client from the server by this entry. */
export function* checkEntry(
  client: Client,
  { name, meaning, words }: FoundEntry,
  server: string,
  platform: NodeJS.Platform,
): Generator<Finding> {
  const [command = ""] = words;
  const paths = platform === "win32" ? win32 : posix;
  const advice = `fettle-bridge install ${client.id} ${server}`;
  const lost = words.filter((word) => paths.isAbsolute(word) && !existsSync(word));
  for (const path of lost) {
    yield warning(check, `"${name}" of ${client.name} names ${path}, which is not there`, advice);
  }
  // What npm installs there is a file for the command line.
  if (platform === "win32" && /^(fettle-bridge|npx)$/.test(command)) {
    yield warning(check, `"${name}" of ${client.name}: Windows cannot start ${command}`, advice);
  }
  if (meaning.server !== server) {
    const detail = `"${name}" of ${client.name} leads to ${meaning.server}, which is another address`;
    yield warning(check, detail, `If ${server} is the right one: ${advice}`);
  }
}
