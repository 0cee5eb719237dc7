import { t } from "../../language/translate.js";

/** Those of `common-texts.ts` that are about too much at once. */
export const busyTexts = {
  too_many_mails: ({ limit, retry_after_seconds: seconds }: TooManyMails) =>
    [
      ...(limit === undefined ? [] : [t(mailLimits[limit.of], { max: limit.max })]),
      t("try again in {seconds} seconds.", { seconds }),
    ].join("; "),
  too_many_requests: ({ what, retry_after_seconds: seconds }: TooManyRequests) =>
    [
      t(crowds[what]),
      seconds < 90
        ? t("Wait {seconds, plural, one {# second} other {# seconds}}, then try again.", {
            seconds,
          })
        : t("Wait {minutes} minutes, then try again.", { minutes: Math.ceil(seconds / 60) }),
    ].join(" "),
};

export interface Waiting {
  /** How long to wait before trying again. */
  retry_after_seconds: number;
}

export interface TooManyMails extends Waiting {
  limit?: MailLimit | undefined;
}

export interface MailLimit {
  of: keyof typeof mailLimits;
  max: number;
}

export interface TooManyRequests extends Waiting {
  what: keyof typeof crowds;
}

const mailLimits = {
  invitation: "an invitation is sent again at most {max} times a day",
  address: "an address gets at most {max} invitation mails a day",
  organization: "an organization sends at most {max} invitation mails a day",
} as const;

const crowds = {
  network: "Too many requests from your network.",
  sign_ins: "Too many sign-ins have failed.",
  passwords: "Too many passwords are being checked at this moment.",
  signed_in: "You signed in too often.",
  openings: "This was opened too often.",
  organization: "Your organization does too much at the same time.",
  several: "Others of your organization change several records at once, one after the other.",
  pages: "You opened too many pages in a short time.",
  written: "You changed more within a day than can be kept of one person.",
  messages: "You sent too much in a short time.",
  bodies: "You send too much at the same time.",
  unread: "Answers to you wait to be read, and no more are kept: read them.",
} as const;
