import { hkdfSync } from "node:crypto";
import { encrypt, decrypt } from "../values/encryption.js";

/** What an invitation mail says; kept sealed, because the link lets its holder in. */
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

/** What a mail to one person about their own account says; kept sealed as well. */
export type Notice =
  | { kind: "password_reset"; link: string }
  | { kind: "sign_up"; link: string }
  | { kind: "account_exists"; signIn: string; forgot: string }
  | { kind: "connection_ended"; app: string; organization: string; apps: string };

/** Seals mails for the outbox, and tells the sender that there are new ones. */
export interface MailCipher {
  /** Whether a mail server is set; without one mails are kept for admins to read. */
  readonly delivers: boolean;
  seal: (letter: InvitationLetter | Notice) => Buffer;
  /** An invitation; undefined when it was sealed with a key that is not among the present ones. */
  open: (sealed: Buffer) => InvitationLetter | undefined;
  /** The same for every other kind of mail. */
  openNotice: (sealed: Buffer) => Notice | undefined;
  /** Called after the transaction that wrote a mail. */
  announce: () => void;
  onAnnounced: (listener: () => void) => void;
}

/** Seals with the newest key and opens what any of the keys sealed. */
export function createMailCipher(secretKeys: readonly string[], delivers: boolean): MailCipher {
  const keys = secretKeys.map((key) => Buffer.from(hkdfSync("sha256", key, "", "fettle mail", 32)));
  const newest = keys[0];
  if (newest === undefined) throw new Error("Mails need at least one secret key.");
  let tell = () => {};
  const open = (sealed: Buffer): unknown => {
    for (const key of keys) {
      try {
        return JSON.parse(decrypt(key, sealed));
      } catch {
        // Sealed with another key.
      }
    }
    return undefined;
  };
  return {
    delivers,
    seal: (letter) => encrypt(newest, JSON.stringify(letter)),
    open: (sealed) => open(sealed) as InvitationLetter | undefined,
    openNotice: (sealed) => open(sealed) as Notice | undefined,
    announce: () => {
      tell();
    },
    onAnnounced(listener) {
      tell = listener;
    },
  };
}
