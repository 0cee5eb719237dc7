import type { NotificationKind } from "../../db/entities/messaging.js";
import type { Locale } from "../../language/locale.js";
import { createJsonCipher } from "../shared/encryption.js";

/** Language of the person who caused the email, for readers without an account. */
interface Caused {
  locale?: Locale;
}

/** Contents of an invitation email. Stored encrypted, because the link grants access. */
export interface InvitationLetter {
  link: string;
  organization: string;
  /** Absent if the invitation is to the organization only. */
  workspace?: string;
  inviter: string;
  message?: string;
  /** ISO 8601. */
  expiresAt: string;
  /** IANA name of the organization's time zone. */
  timeZone: string;
}

/** Contents of an email to one person about their own account. Also stored encrypted. */
export type Notice =
  | { kind: "password_reset"; link: string }
  | { kind: "sign_up"; link: string }
  | { kind: "account_exists"; signIn: string; forgot: string }
  /** `side` is the address that gets the email, and `email` the new address. */
  | { kind: "email_change"; side: "old" | "new"; email: string; link: string }
  | { kind: "connection_ended"; app: string; organization: string; apps: string }
  | { kind: "sso_required_ended"; organization: string; by: string; settings: string }
  | { kind: "second_factor_changed"; change: SecondFactorChange; name?: string; security: string }
  | { kind: "second_factor_guessed"; security: string }
  | TaskLinkNotice
  | TaskSentBack
  | ReportClosed;

/** The subject of an email to a member about work. The text is generated when the email is sent. */
export interface MailedNotification extends Subscription {
  /** Ids of tasks, comments, reports or contractor links, or the day. */
  subjects: readonly string[];
}

/** Emails of one kind to a member. Each contains an unsubscribe link. */
export interface Subscription {
  organizationId: string;
  userId: string;
  kind: NotificationKind;
}

/** A link with which a contractor works on a task. */
export interface TaskLinkNotice {
  kind: "task_link";
  organization: string;
  /** The person who shared the task or sent it back. */
  by: string;
  task: string;
  link: string;
  /** ISO 8601. */
  expiresAt: string;
  timeZone: string;
}

export interface TaskSentBack extends Omit<TaskLinkNotice, "kind"> {
  kind: "task_sent_back";
  reason: string;
}

export interface ReportClosed {
  kind: "report_closed";
  asset: string;
  organization: string;
  outcome: "accepted" | "merged" | "answered" | "refused";
  answer: string | null;
  link: string;
}

export type SecondFactorChange =
  | "authenticator_added"
  | "authenticator_removed"
  | "passkey_added"
  | "passkey_removed"
  | "passkey_copied"
  | "recovery_codes_made"
  | "recovery_code_used"
  | "second_factors_reset";

export interface MailCipher {
  /** True if a mail server is configured. Otherwise emails are stored for admins to read. */
  readonly delivers: boolean;
  encrypt: (letter: (InvitationLetter | Notice | MailedNotification) & Caused) => Buffer;
  /** Decrypts an invitation. Undefined if its key is no longer configured. */
  decryptInvitation: (encrypted: Buffer) => (InvitationLetter & Caused) | undefined;
  decryptNotification: (encrypted: Buffer) => MailedNotification | undefined;
  decryptNotice: (encrypted: Buffer) => (Notice & Caused) | undefined;
  /** Returns the secret of an unsubscribe link, which works without signing in. */
  writeUnsubscribeToken: (subscription: Subscription) => string;
  /** Undefined for invalid tokens, or if the key is no longer configured. */
  readUnsubscribeToken: (token: string) => Subscription | undefined;
  /** Call it after the transaction that queued an email. */
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
