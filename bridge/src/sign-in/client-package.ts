import type * as oauthClient from "./oauth-client.js";

/** The official client's OAuth parts: large, so loaded when a sign-in begins and not before. */
export type ClientPackage = typeof oauthClient;

export function loadClientPackage(): Promise<ClientPackage> {
  return import("./oauth-client.js");
}
