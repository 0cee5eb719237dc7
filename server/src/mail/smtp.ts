import { createTransport } from "nodemailer";
import type { MailContent } from "./email.js";

export interface Envelope extends MailContent {
  to: string;
  /** Stays the same across retries, so that mailboxes recognize duplicates. */
  messageId: string;
}

const automatic = { "Auto-Submitted": "auto-generated" };

/** Hands one email to the mail server. Rejects with the error of nodemailer. */
export type SendMail = (mail: Envelope, signal: AbortSignal) => Promise<void>;

/** Far below the time that an email stays claimed. */
const connectMs = 15_000;
const answerMs = 60_000;

function createTransportTo(smtpUrl: string) {
  return createTransport({
    url: smtpUrl,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    dnsTimeout: connectMs,
    socketTimeout: answerMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** Signs in at the mail server and sends nothing. Rejects like `SendMail`. */
export async function trySmtp(smtpUrl: string): Promise<void> {
  await createTransportTo(smtpUrl).verify();
}

export function createSmtp({ smtpUrl, mailFrom }: { smtpUrl: string; mailFrom: string }): SendMail {
  const transport = createTransportTo(smtpUrl);
  return async ({ to, text, headers = {}, ...content }, signal) => {
    await transport.sendMail({
      ...content,
      // Only at CRLF does nodemailer's quoted-printable begin a line: links stay in one piece.
      text: text.replaceAll("\n", "\r\n"),
      from: mailFrom,
      // nodemailer would split a string into several addresses.
      to: { name: "", address: to },
      headers: { ...automatic, ...headers },
      signal,
    });
  };
}

export interface SmtpProblem {
  /** Whether retries are pointless. */
  permanent: boolean;
  /** In our words, without addresses, links or the response of the server. */
  reason: string;
}

/** The problem behind an error of `SendMail`. */
export function toSmtpProblem(error: unknown): SmtpProblem {
  const { code, responseCode } = (error instanceof Error ? error : {}) as {
    code?: unknown;
    responseCode?: unknown;
  };
  const name = typeof code === "string" && /^[A-Z][A-Z_\d]{1,30}$/.test(code) ? code : "unknown";
  if (typeof responseCode !== "number") {
    return {
      permanent: false,
      reason: `The mail server couldn't be reached or didn't respond (${name}).`,
    };
  }
  // The administrator can fix a refused sign-in. A refused recipient or email stays refused.
  const ofThisMail = name === "EENVELOPE" || name === "EMESSAGE";
  return {
    permanent: ofThisMail && responseCode >= 500,
    reason: `The mail server rejected it (${name}, ${responseCode}).`,
  };
}
