import type * as oauthLibrary from "./oauth-library.js";

/** The official client's OAuth parts: large, so loaded when a sign-in begins and not before. */
export type OauthLibrary = typeof oauthLibrary;

export function loadOauthLibrary(): Promise<OauthLibrary> {
  return import("./oauth-library.js");
}
