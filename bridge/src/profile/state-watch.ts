import { statSync } from "node:fs";
import type { Profile } from "./profile.js";
import { statePath } from "./state.js";

/**
 * Asked again and again, says whether `state.json` is another file than when it said so last. Looks
 * at most once in a while, so that asking costs next to nothing.
 */
export function createStateWatch({ folder }: Profile, everyMs = 1000): () => boolean {
  const path = statePath(folder);
  let lookedAt = -Infinity;
  let seen: string | undefined;
  return () => {
    const now = performance.now();
    if (now - lookedAt < everyMs) return false;
    lookedAt = now;
    const found = identify(path);
    if (found === seen) return false;
    seen = found;
    return true;
  };
}

/** Each change makes a new file. */
function identify(path: string): string {
  try {
    const { ino, mtimeMs } = statSync(path);
    return `${ino} ${mtimeMs}`;
  } catch {
    return "unknown";
  }
}
