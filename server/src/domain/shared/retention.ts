/** Retention times in days, as set by the operator. */
export interface Retention {
  toolCalls: number;
  /** From when an email was sent. */
  mails: number;
  /** From when a refresh token was used. While it is stored, a second use is detected. */
  usedTokens: number;
  /** Registered apps that were never approved, and their maximum total size. */
  unusedClients: number;
  unusedClientBytes: number;
  /** The activity log, ended connections and closed invitations. 0 means forever. */
  audit: number;
}

export const defaultRetention: Retention = {
  toolCalls: 90,
  mails: 90,
  usedTokens: 180,
  unusedClients: 14,
  unusedClientBytes: 64 * 1024 * 1024,
  audit: 0,
};
