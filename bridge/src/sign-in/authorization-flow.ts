import type {
  OAuthClientProvider,
  OAuthServerInfo,
  StoredOAuthClientInformation,
} from "@modelcontextprotocol/client";
import { randomBytes } from "node:crypto";
import type { ProfileState } from "../profile/state.js";
import { type ChosenClient, describeClient } from "./client-choice.js";

export interface AuthorizationRequest {
  /** As recorded before this sign-in. */
  recorded: ProfileState;
  redirectUri: string;
  callbackPort: number;
  /** Scopes a refused call needs, on top of what was granted. */
  additionalScope: string | undefined;
}

/** What one authorization request needs to remember until the browser is back. */
export interface FlowMemory {
  state: string;
  found: OAuthServerInfo;
  client: StoredOAuthClientInformation | undefined;
  registered: boolean;
  url: URL | undefined;
  verifier: string;
  resource: string | undefined;
}

export interface Flow {
  provider: OAuthClientProvider;
  memory: FlowMemory;
}

export function createFlow(
  redirectUri: string,
  found: OAuthServerInfo,
  chosen: ChosenClient | undefined,
): Flow {
  const memory: FlowMemory = {
    state: randomBytes(32).toString("base64url"),
    found,
    client: chosen?.client,
    registered: chosen?.registered ?? true,
    url: undefined,
    verifier: "",
    resource: undefined,
  };
  const provider: OAuthClientProvider = {
    redirectUrl: redirectUri,
    clientMetadata: describeClient(redirectUri, found.authorizationServerMetadata),
    state: () => memory.state,
    discoveryState: () => memory.found,
    saveDiscoveryState: (state) => {
      memory.found = state;
    },
    clientInformation: () => memory.client,
    saveClientInformation: (information) => {
      memory.client = information;
    },
    tokens: () => undefined,
    saveTokens: () => undefined,
    saveResourceUrl: (resource) => {
      memory.resource = resource;
    },
    saveCodeVerifier: (verifier) => {
      memory.verifier = verifier;
    },
    codeVerifier: () => memory.verifier,
    redirectToAuthorization: (url) => {
      memory.url = url;
    },
  };
  return { provider, memory };
}
