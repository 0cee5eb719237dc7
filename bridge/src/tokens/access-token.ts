/** An access token, as a request carries it. */
export interface AccessToken {
  value: string;
  /** Generation of the pair it belongs to. */
  generation: number;
  /** Milliseconds since 1970; Infinity when the server did not say. */
  expiresAt: number;
}
