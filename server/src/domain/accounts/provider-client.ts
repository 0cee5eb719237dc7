/** How this server is known to an identity provider. */
export interface ProviderAccess {
  organizationId: string;
  issuer: string;
  clientId: string;
  clientSecret: string;
}

/** What ties the answer of a provider to the question, in the browser that was sent there. */
export interface ProviderChecks {
  state: string;
  nonce: string;
  /** Of PKCE (RFC 7636). */
  verifier: string;
  /** Whether the person had to show anew who they are. */
  again: boolean;
}

/** What a provider says of somebody, in an ID token whose origin is certain. */
export interface ProviderClaims {
  issuer: string;
  subject: string;
  email: string | undefined;
  /** Undefined where the provider says nothing of it. */
  emailVerified: boolean | undefined;
  name: string | undefined;
  /** Whether more than one factor was asked for ("mfa" in `amr`, RFC 8176). */
  multiFactor: boolean;
}

/** Talks to identity providers, and to name servers; throws `ProviderFailure`. */
export interface ProviderClient {
  /** Whether a provider is there, with all that a sign-in needs. */
  check: (issuer: string) => Promise<void>;
  /** The address to send a browser to; `again` asks for the person even where the provider knows them. */
  begin: (
    access: ProviderAccess,
    who: { email: string; again: boolean },
  ) => Promise<{ url: string; checks: ProviderChecks }>;
  /** Exchanges the code that came back with `answer`, the query of the callback. */
  finish: (
    access: ProviderAccess,
    answer: URLSearchParams,
    checks: ProviderChecks,
  ) => Promise<ProviderClaims>;
  findTexts: (name: string) => Promise<string[]>;
}

export type ProviderFailureReason =
  | "unreachable"
  | "too_slow"
  | "no_metadata"
  | "other_issuer"
  | "incapable"
  | "wrong_client"
  | "denied"
  | "wrong_answer";

/** Why a provider was of no use; the details are for the log. */
export class ProviderFailure extends Error {
  readonly reason: ProviderFailureReason;
  /** The host that has an address which this server may not connect to. */
  readonly privateHost: string | undefined;

  constructor(reason: ProviderFailureReason, cause?: unknown, privateHost?: string) {
    super(`The identity provider failed: ${reason}.`, { cause });
    this.name = "ProviderFailure";
    this.reason = reason;
    this.privateHost = privateHost;
  }
}
