import { readFileSync } from "node:fs";
import { editDistance } from "./domain/shared/edit-distance.js";

export type Variables = Record<string, string | undefined>;

/** Also read from the file in `<NAME>_FILE`, as containers receive secrets. */
const secrets = [
  "DATABASE_REPLICA_URLS",
  "DATABASE_URL",
  "FILES_S3_SECRET_ACCESS_KEY",
  "METRICS_TOKEN",
  "MOVE_DATABASE_URL",
  "REDIS_URL",
  "SECRET_KEYS",
  "SMTP_URL",
];

/** Returns the non-empty variables, including those from files, and the unreadable files. */
export function readVariables(variables: Variables): { given: Variables; problems: string[] } {
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ""));
  const problems: string[] = [];
  for (const name of secrets) {
    const path = given[`${name}_FILE`];
    if (path === undefined) continue;
    if (given[name] !== undefined) problems.push(`${name} and ${name}_FILE are both set: keep one`);
    try {
      given[name] = readFileSync(path, "utf8").trim();
      if (given[name] === "") problems.push(`${name}_FILE names a file that is empty: ${path}`);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      problems.push(`${name}_FILE names a file that cannot be read: ${reason}`);
    }
  }
  return { given, problems };
}

/** Returns a warning for each unknown variable whose name is close to an unset one in `names`. */
export function warnAboutTypos(variables: Variables, names: readonly string[]): string[] {
  const known = [...names, ...secrets.map((name) => `${name}_FILE`)];
  const missing = known.filter((name) => (variables[name] ?? "") === "");
  return Object.keys(variables)
    .filter((name) => !known.includes(name))
    .flatMap((name) => {
      const meant = missing.find((other) => isTypo(name, other));
      return meant === undefined
        ? []
        : [`${name} is no variable of Fettle and has no effect: did you mean ${meant}?`];
    });
}

/** Short names resemble many others, and few people mistype the first letter. */
function isTypo(name: string, meant: string): boolean {
  const most = meant.length < 6 ? 0 : meant.length < 8 ? 1 : 2;
  return (
    name[0] === meant[0] &&
    Math.abs(name.length - meant.length) <= most &&
    editDistance(name, meant) <= most
  );
}
