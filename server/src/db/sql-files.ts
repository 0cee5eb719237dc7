import { readdirSync, readFileSync } from "node:fs";

export interface SqlFile {
  /** Without its ending. */
  name: string;
  text: string;
}

/** The SQL files of a folder of `db/`, by name. The build has no copies: it reads the sources. */
export function readSqlFiles(folder: "functions" | "migrations"): SqlFile[] {
  const url = new URL(`../../src/db/${folder}/`, import.meta.url);
  const names = readdirSync(url).filter((file) => file.endsWith(".sql"));
  return names.sort().map((file) => ({
    name: file.slice(0, -".sql".length),
    // A checkout on Windows may have changed the line breaks.
    text: readFileSync(new URL(file, url), "utf8").replaceAll("\r\n", "\n"),
  }));
}
