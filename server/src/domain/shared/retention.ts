/** How long rows stay where an operator decides, in days. */
export interface Retention {
  toolCalls: number;
  /** From when a mail was sent. */
  mails: number;
  /** From when a refresh token was used: as long as it is there, a second use is noticed. */
  usedTokens: number;
  /** Registered apps that nobody ever approved, and what they may take together. */
  unusedClients: number;
  unusedClientBytes: number;
  /** The activity log, connections that ended, and invitations that are not open; 0 is for ever. */
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
