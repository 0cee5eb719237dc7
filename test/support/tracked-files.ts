import { execFileSync } from "node:child_process";

/** The paths that Git tracks and that match one of the pathspecs, from the root of the repository. */
export function trackedFiles(...patterns: string[]): string[] {
  return execFileSync("git", ["ls-files", ...patterns], { encoding: "utf8" })
    .trim()
    .split("\n");
}
