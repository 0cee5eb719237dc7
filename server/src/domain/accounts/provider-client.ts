export interface ProviderAccess {
  organizationId: string;
  issuer: string;
  clientId: string;
  clientSecret: string;
}

/** Ties a provider's response to the request, in the browser that was sent there. */
export interface ProviderChecks {
  state: string;
  nonce: string;
  /** The PKCE verifier (RFC 7636). */
  verifier: string;
  /** True if the person had to sign in again at the provider. */
  again: boolean;
}

/** A provider's claims about a person, from a verified ID token. */
export interface ProviderClaims {
  issuer: string;
  subject: string;
  email: string | undefined;
  /** Undefined if the provider doesn't say. */
  emailVerified: boolean | undefined;
  name: string | undefined;
  /** True if the provider asked for more than one factor ("mfa" in `amr`, RFC 8176). */
  multiFactor: boolean;
}

/** Talks to identity providers and name servers. Throws `ProviderFailure`. */
export interface ProviderClient {
  /** Checks that a provider responds and supports everything a sign-in needs. */
  check: (issuer: string) => Promise<void>;
  /** Returns the URL to send the browser to. `again` requires a new sign-in at the provider. */
  begin: (
    access: ProviderAccess,
    who: { email: string; again: boolean },
  ) => Promise<{ url: string; checks: ProviderChecks }>;
  /** Exchanges the code in `answer`, the query of the callback. */
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

/** The reason that a provider failed. The details are for the log. */
export class ProviderFailure extends Error {
  readonly reason: ProviderFailureReason;
  /** The host whose address this server may not connect to. */
  readonly privateHost: string | undefined;

  constructor(reason: ProviderFailureReason, cause?: unknown, privateHost?: string) {
    super(`The identity provider failed: ${reason}.`, { cause });
    this.name = "ProviderFailure";
    this.reason = reason;
    this.privateHost = privateHost;
  }
}
