import { createJsonCipher } from "../values/encryption.js";

/** What an invitation mail says; kept encrypted, because the link lets its holder in. */
export interface InvitationLetter {
  link: string;
  organization: string;
  /** Absent for an invitation to the organization only. */
  workspace?: string;
  inviter: string;
  /** The personal line. */
  message?: string;
  /** ISO 8601. */
  expiresAt: string;
  /** IANA name, of the organization. */
  timeZone: string;
}

/** What a mail to one person about their own account says; kept encrypted as well. */
export type Notice =
  | { kind: "password_reset"; link: string }
  | { kind: "sign_up"; link: string }
  | { kind: "account_exists"; signIn: string; forgot: string }
  | { kind: "connection_ended"; app: string; organization: string; apps: string }
  | { kind: "only_way_ended"; organization: string; by: string; settings: string }
  | { kind: "second_factor_changed"; change: SecondFactorChange; name?: string; security: string }
  | { kind: "second_factor_guessed"; security: string }
  | ReportClosed;

/** What became of a problem that somebody without an account reported. */
export interface ReportClosed {
  kind: "report_closed";
  asset: string;
  organization: string;
  outcome: "accepted" | "merged" | "answered" | "refused";
  answer: string | null;
  link: string;
}

/** What happened to the second factors of a person. */
export type SecondFactorChange =
  | "authenticator_added"
  | "authenticator_removed"
  | "passkey_added"
  | "passkey_removed"
  | "passkey_copied"
  | "recovery_codes_made"
  | "recovery_code_used"
  | "second_factors_reset";

/** Encrypts mails for the outbox, and tells the sender that there are new ones. */
export interface MailCipher {
  /** Whether a mail server is set; without one mails are kept for admins to read. */
  readonly delivers: boolean;
  encrypt: (letter: InvitationLetter | Notice) => Buffer;
  /** An invitation; undefined when it was encrypted with a key that is not among the present ones. */
  decryptInvitation: (encrypted: Buffer) => InvitationLetter | undefined;
  /** The same for every other kind of mail. */
  decryptNotice: (encrypted: Buffer) => Notice | undefined;
  /** Called after the transaction that wrote a mail. */
  announce: () => void;
  onAnnounced: (listener: () => void) => void;
}

export function createMailCipher(secretKeys: readonly string[], delivers: boolean): MailCipher {
  const { encrypt, decrypt } = createJsonCipher(secretKeys, "fettle mail");
  let tell = () => {};
  return {
    delivers,
    encrypt,
    decryptInvitation: (encrypted) => decrypt(encrypted) as InvitationLetter | undefined,
    decryptNotice: (encrypted) => decrypt(encrypted) as Notice | undefined,
    announce: () => {
      tell();
    },
    onAnnounced(listener) {
      tell = listener;
    },
  };
}
