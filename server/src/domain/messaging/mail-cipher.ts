import type { NotificationKind } from "../../db/entities/messaging.js";
import type { Locale } from "../../language/locale.js";
import { createJsonCipher } from "../shared/encryption.js";

/** The language of who caused a mail, for a reader without an account. */
interface Caused {
  locale?: Locale;
}

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

/** A mail to a member about work: what it is about. What it says is read when it is sent. */
export interface MailedNotification extends Subscription {
  /** The ids of tasks or reports, or the day. */
  subjects: readonly string[];
}

/** Mails of a kind to a member, which end by a link in each of them. */
export interface Subscription {
  organizationId: string;
  userId: string;
  kind: NotificationKind;
}

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
  encrypt: (letter: (InvitationLetter | Notice | MailedNotification) & Caused) => Buffer;
  /** An invitation; undefined when it was encrypted with a key that is not among the present ones. */
  decryptInvitation: (encrypted: Buffer) => (InvitationLetter & Caused) | undefined;
  /** The same for mails to members about work. */
  decryptNotification: (encrypted: Buffer) => MailedNotification | undefined;
  /** The same for every other kind of mail. */
  decryptNotice: (encrypted: Buffer) => (Notice & Caused) | undefined;
  /** The secret of a link that ends mails without a sign-in. */
  writeUnsubscribeToken: (subscription: Subscription) => string;
  /** Undefined for every text that is none, or was made with a key that is not among the present ones. */
  readUnsubscribeToken: (token: string) => Subscription | undefined;
  /** Called after the transaction that wrote a mail. */
  announce: () => void;
  onAnnounced: (listener: () => void) => void;
}

export function createMailCipher(secretKeys: readonly string[], delivers: boolean): MailCipher {
  const { encrypt, decrypt } = createJsonCipher(secretKeys, "fettle mail");
  const links = createJsonCipher(secretKeys, "fettle unsubscribe");
  let tell = () => {};
  return {
    delivers,
    encrypt,
    decryptInvitation: (encrypted) => decrypt(encrypted) as (InvitationLetter & Caused) | undefined,
    decryptNotice: (encrypted) => decrypt(encrypted) as (Notice & Caused) | undefined,
    decryptNotification: (encrypted) => decrypt(encrypted) as MailedNotification | undefined,
    writeUnsubscribeToken: ({ organizationId, userId, kind }) =>
      links.encrypt({ organizationId, userId, kind }).toString("base64url"),
    readUnsubscribeToken: (token) =>
      /^[\w-]{60,300}$/.test(token)
        ? (links.decrypt(Buffer.from(token, "base64url")) as Subscription | undefined)
        : undefined,
    announce: () => {
      tell();
    },
    onAnnounced(listener) {
      tell = listener;
    },
  };
}
