import { t } from "../../language/translate.js";

/** The texts of `common-texts.ts` about rate limits and overload. */
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
  invitation: "an invitation can be resent at most {max} times a day",
  address: "an address can get at most {max} invitation emails a day",
  organization: "an organization can send at most {max} invitation emails a day",
} as const;

const crowds = {
  network: "Too many requests from your network.",
  sign_ins: "Too many failed sign-ins.",
  passwords: "Too many passwords are being checked right now.",
  signed_in: "Too many sign-ins.",
  openings: "Opened too often.",
  organization: "Your organization sent too many requests at once.",
  several: "Other people in your organization are making bulk changes.",
  pages: "You opened too many pages in a short time.",
  written: "You've reached the limit of changes per person in a day.",
  messages: "You sent too many requests in a short time.",
  bodies: "You sent too many requests at once.",
  unread: "The app hasn't read its earlier responses.",
} as const;
