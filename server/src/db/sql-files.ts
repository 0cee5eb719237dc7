import { readdirSync, readFileSync } from "node:fs";

export interface SqlFile {
  /** Without its extension. */
  name: string;
  text: string;
}

/** The SQL files of a `db/` folder, by name. The build reads the sources and has no copies. */
export function readSqlFiles(folder: "functions" | "migrations"): SqlFile[] {
  const url = new URL(`../../src/db/${folder}/`, import.meta.url);
  const names = readdirSync(url).filter((file) => file.endsWith(".sql"));
  return names.sort().map((file) => ({
    name: file.slice(0, -".sql".length),
    // A Windows checkout may have changed the line breaks.
    text: readFileSync(new URL(file, url), "utf8").replaceAll("\r\n", "\n"),
  }));
}
