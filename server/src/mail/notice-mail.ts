import type { Notice, SecondFactorChange } from "../domain/messaging/mail-cipher.js";
import { withoutLinks } from "../domain/shared/links.js";
import type { PlainText } from "../language/texts.js";
import { t, tRich } from "../language/translate.js";
import {
  paragraph,
  say,
  toPlainName,
  toText,
  type Email,
  type MailContent,
  type Words,
} from "./email.js";
import { describeEnd } from "./invitation-mail.js";
import { draftOutcome } from "./letter-mail.js";
import { renderEmail } from "./layout.js";

type NoticeOf<Kind extends Notice["kind"]> = Extract<Notice, { kind: Kind }>;

/** Composes the email about a person's own account or report. */
export function composeNotice(notice: Notice): MailContent {
  return renderEmail(draft(notice));
}

function draft(notice: Notice): Email {
  switch (notice.kind) {
    case "password_reset":
      return draftPasswordReset(notice);
    case "sign_up":
      return draftSignUp(notice);
    case "account_exists":
      return draftExistingAccount(notice);
    case "email_change":
      return draftEmailChange(notice);
    case "connection_ended":
      return draftEndOfConnection(notice);
    case "sso_required_ended":
      return draftEndOfRequiredSso(notice);
    case "task_link":
      return draftTaskLink(notice);
    case "task_sent_back":
      return draftSentBack(notice);
    case "report_closed":
      return draftClosedReport(notice);
    case "second_factor_guessed":
      return draftGuesses(notice);
    case "second_factor_changed":
      return draftChange(notice);
  }
}

const ignore: PlainText = "Not you? You can ignore this email.";
const ofAccount: PlainText = "You get this email because your Fettle account uses this address.";

function draftPasswordReset({ link }: NoticeOf<"password_reset">): Email {
  const validity = t("The link works once, for one hour. Don't share it.");
  return {
    subject: t("Reset your Fettle password"),
    preheader: validity,
    news: t("Someone requested a new password for your Fettle account."),
    blocks: [
      { kind: "button", label: t("Choose a new password"), href: link, showAddress: true },
      paragraph(validity),
      paragraph(`${t(ignore)} ${t("Your password won't change.")}`),
    ],
    why: t(ofAccount),
  };
}

function draftSignUp({ link }: NoticeOf<"sign_up">): Email {
  const validity = t("The link works once, for 24 hours. Don't share it.");
  return {
    subject: t("Confirm your email address for Fettle"),
    preheader: validity,
    news: t("Confirm this email address to create your Fettle account."),
    blocks: [
      { kind: "button", label: t("Confirm email address"), href: link, showAddress: true },
      paragraph(validity),
      paragraph(`${t(ignore)} ${t("No account is created unless you open the link.")}`),
    ],
    why: t("You get this email because someone entered this address to create an account."),
  };
}

function draftExistingAccount({ signIn, forgot }: NoticeOf<"account_exists">): Email {
  const unchanged = t("Nothing was changed.");
  return {
    subject: t("You already have a Fettle account"),
    preheader: unchanged,
    news: t(
      "Someone tried to create a Fettle account with this address, but you already have one.",
    ),
    blocks: [
      paragraph(`${unchanged} ${t("If this wasn't you, no action is needed.")}`),
      { kind: "button", label: t("Sign in"), href: signIn },
      { kind: "link", label: t("Forgot your password? Reset it"), href: forgot },
    ],
    why: t(ofAccount),
  };
}

function draftEmailChange({ side, email, link }: NoticeOf<"email_change">): Email {
  const validity = t("The link works for 24 hours. Don't share it.");
  if (side === "new") {
    return {
      subject: t("Confirm your new email address for Fettle"),
      preheader: validity,
      news: t("Confirm this address to use it for your Fettle account."),
      blocks: [
        { kind: "button", label: t("Confirm email address"), href: link, showAddress: true },
        paragraph(t("Also open the link in the email to your current address.")),
        paragraph(validity),
        paragraph(t(ignore)),
      ],
      why: t("You get this email because someone entered this address for their Fettle account."),
    };
  }
  return {
    subject: t("Approve your new email address for Fettle"),
    preheader: validity,
    news: say((name) =>
      tRich("Someone asked to change the email of your Fettle account to {email}.", {
        email: name(email),
      }),
    ),
    blocks: [
      { kind: "button", label: t("Review the change"), href: link, showAddress: true },
      paragraph(validity),
      paragraph(
        t("Not you? Don't approve it, and change your password: someone else may know it."),
      ),
    ],
    why: t(ofAccount),
  };
}

function draftEndOfConnection({ app, organization, apps }: NoticeOf<"connection_ended">): Email {
  const reason = t("An old access token was used a second time, so it may have been copied.");
  return {
    subject: t("App disconnected: {app}", { app: toPlainName(app) }),
    preheader: reason,
    organization,
    news: say((name) =>
      tRich("We disconnected {app} from {organization}.", {
        app: name(app),
        organization: name(organization),
      }),
    ),
    blocks: [
      paragraph(reason),
      paragraph(
        t(
          "If you trust the app, open it and reconnect. If you don't recognize it, leave it disconnected and review its activity.",
        ),
      ),
      { kind: "button", label: t("View connected apps"), href: apps },
    ],
    why: t(ofAccount),
  };
}

function draftEndOfRequiredSso({
  organization,
  by,
  settings,
}: NoticeOf<"sso_required_ended">): Email {
  const what = say((name) =>
    tRich("{who} turned off required single sign-on for {organization}.", {
      who: name(by),
      organization: name(organization),
    }),
  );
  return {
    subject: t("Single sign-on is no longer required in {organization}", {
      organization: toPlainName(organization),
    }),
    preheader: toText(what),
    organization,
    news: say((name) =>
      tRich("People in {organization} can sign in with passwords and passkeys again.", {
        organization: name(organization),
      }),
    ),
    blocks: [
      paragraph(what),
      paragraph(t("If this was a mistake, require single sign-on again.")),
      { kind: "button", label: t("View sign-in settings"), href: settings },
    ],
    why: say((name) =>
      tRich("You get this email because you're an owner of {organization}.", {
        organization: name(organization),
      }),
    ),
  };
}

function draftClosedReport({ outcome, link, ...report }: NoticeOf<"report_closed">): Email {
  const { organization } = report;
  return {
    ...draftOutcome(
      { ...report, status: outcome },
      { kind: "button", label: t("View report"), href: link },
    ),
    organization,
    why: t("You get this email because you entered this address in your problem report."),
  };
}

function draftTaskLink(notice: NoticeOf<"task_link">): Email {
  const { organization, by, task, link } = notice;
  const news = say((name) =>
    tRich("{who} at {organization} asks you to do this job: {task}", {
      ...{ who: name(by), organization: name(organization), task: name(task) },
    }),
  );
  return {
    subject: t("Job for you: {task}", { task: toPlainName(task) }),
    preheader: toText(news),
    organization,
    news,
    blocks: [
      paragraph(
        t("Answer the steps, add photos and notes, and mark it as done. No account needed."),
      ),
      { kind: "button", label: t("View job"), href: link, showAddress: true },
      paragraph(t("The link is valid until {end}. Don't share it.", { end: describeEnd(notice) })),
      paragraph(t("Not expecting this? You can ignore it.")),
    ],
    why: say((name) =>
      tRich("You get this email because {who} sent a job to this address.", { who: name(by) }),
    ),
  };
}

function draftSentBack(notice: NoticeOf<"task_sent_back">): Email {
  const { organization, by, task, reason, link } = notice;
  return {
    subject: t("Not finished yet: {task}", { task: toPlainName(task) }),
    preheader: withoutLinks(reason),
    organization,
    news: say((name) =>
      tRich("{who} at {organization} sent this job back to you: {task}", {
        ...{ who: name(by), organization: name(organization), task: name(task) },
      }),
    ),
    blocks: [
      { kind: "quote", words: withoutLinks(reason) },
      { kind: "button", label: t("View job"), href: link, showAddress: true },
      paragraph(t("The link is valid until {end}. Don't share it.", { end: describeEnd(notice) })),
    ],
    why: say((name) =>
      tRich("You get this email because {organization} sent a job to this address.", {
        organization: name(organization),
      }),
    ),
  };
}

function draftGuesses({ security }: NoticeOf<"second_factor_guessed">): Email {
  const advice = t(
    "If this was you, no action is needed. If not, change your password now and tell your organization's admin.",
  );
  return {
    subject: t("Wrong codes entered for your Fettle account"),
    preheader: advice,
    news: t(
      "Someone entered several wrong second-factor codes for your account. They couldn't sign in.",
    ),
    blocks: [
      paragraph(
        t(
          "They had already passed the first sign-in step: your password or your organization's sign-in.",
        ),
      ),
      paragraph(advice),
      reviewSecurity(security),
    ],
    why: t(ofAccount),
  };
}

function reviewSecurity(href: string) {
  return { kind: "button", label: t("Review security"), href } as const;
}

const ifNotYou: PlainText =
  "If this was you, no action is needed. If not, change your password now, and check your second factors and sessions.";

function draftChange({ change, name, security }: NoticeOf<"second_factor_changed">): Email {
  const { subject, news, effect, advice = ifNotYou } = describeChange(change, name ?? "");
  return {
    subject,
    preheader: effect,
    news,
    blocks: [
      paragraph(effect),
      ...(advice === null ? [] : [paragraph(t(advice))]),
      reviewSecurity(security),
    ],
    why: t(ofAccount),
  };
}

interface DescribedChange {
  subject: string;
  news: Words;
  effect: string;
  /** Default: what to do if it wasn't the reader. Null if `effect` already says what to do. */
  advice?: PlainText | null;
}

function describeChange(change: SecondFactorChange, passkey: string): DescribedChange {
  switch (change) {
    case "authenticator_added":
      return {
        subject: t("Authenticator app added to your Fettle account"),
        news: t("An authenticator app was added to your Fettle account."),
        effect: t("You'll be asked for its code after your password."),
      };
    case "authenticator_removed":
      return {
        subject: t("Authenticator app removed from your Fettle account"),
        news: t("The authenticator app was removed from your Fettle account."),
        effect: t("Its codes no longer work."),
      };
    case "passkey_added":
    case "passkey_removed":
    case "passkey_copied":
      return describePasskey(change, passkey);
    case "recovery_codes_made":
      return {
        subject: t("New recovery codes for your Fettle account"),
        news: t("New recovery codes were generated for your Fettle account."),
        effect: t("The old codes no longer work."),
      };
    case "recovery_code_used":
      return {
        subject: t("Recovery code used for your Fettle account"),
        news: t("Someone signed in to your Fettle account with a recovery code."),
        effect: t("The code was used instead of a second factor and no longer works."),
      };
    case "second_factors_reset":
      return {
        subject: t("Second factors removed from your Fettle account"),
        news: t(
          "The server's administrator removed all passkeys, the authenticator app and the recovery codes from your Fettle account.",
        ),
        effect: t("Until you set up a second factor again, you sign in with your password only."),
        advice:
          "If you asked for this, no action is needed. Otherwise contact the server's administrator.",
      };
  }
}

function describePasskey(
  change: "passkey_added" | "passkey_removed" | "passkey_copied",
  typed: string,
): DescribedChange {
  switch (change) {
    case "passkey_added":
      return {
        subject: t("Passkey added to your Fettle account"),
        news: say((name) =>
          tRich("The passkey {name} was added to your Fettle account.", { name: name(typed) }),
        ),
        effect: t("You can sign in with it without a password."),
      };
    case "passkey_removed":
      return {
        subject: t("Passkey removed from your Fettle account"),
        news: say((name) =>
          tRich("The passkey {name} was removed from your Fettle account.", { name: name(typed) }),
        ),
        effect: t("You can no longer sign in with it."),
      };
    case "passkey_copied":
      return {
        subject: t("A passkey for your Fettle account may have been copied"),
        news: say((name) =>
          tRich("We rejected your passkey {name} because it may have been copied.", {
            name: name(typed),
          }),
        ),
        effect: t("Remove it and add a new one."),
        advice: null,
      };
  }
}
