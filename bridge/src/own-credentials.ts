import type { Settings } from "./settings.js";

/** An Authorization header given by hand, an API key say, stands in for any sign-in. */
export function bringsOwnCredentials({ headers }: Pick<Settings, "headers">): boolean {
  return headers.some(([name]) => name.toLowerCase() === "authorization");
}
