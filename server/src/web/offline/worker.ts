import { inLocale, languages, toLocale } from "../../language/locale.js";
import { t } from "../../language/translate.js";
import { staticUrls, workerScript } from "../static-files.js";

/**
 * A browser stores the script for the next person too, so it contains the page in every language.
 */
const offlineTexts = Object.fromEntries(
  languages.map((language) => [
    language,
    inLocale(toLocale(language), () => ({
      title: t("Offline"),
      heading: t("You're offline"),
      text: t(
        "This page isn't saved on this device. Changes that wait are sent once you're online.",
      ),
      noRoom: t(
        "There's no room on this device to save your input. Go back: the form still has it. Free up space, or send it once you're online.",
      ),
      home: t("My work"),
      waiting: t("Waiting changes"),
      again: t("Try again"),
      page: toPageTexts(),
    })),
  ]),
);

/** For the script of pages. */
function toPageTexts() {
  return {
    saved: t("You're offline. This page was saved at {time}.", { time: "{time}" }),
    one: t("1 change waits to be sent."),
    many: t("{n} changes wait to be sent.", { n: "{n}" }),
    oneStuck: t("1 change needs your decision."),
    manyStuck: t("{n} changes need your decision.", { n: "{n}" }),
    offline: t("You're offline."),
    busy: t("The server isn't responding. They're sent again shortly."),
    signedOut: t("You're signed out. Sign in to send them."),
    other: t("Someone else is signed in to this browser."),
    view: t("View changes"),
    signIn: t("Sign in"),
    reload: t("Reload the page"),
    sent: t("Sent."),
    noRoom: t("There isn't enough room on this device for all your tasks."),
    mark: t("Saved on this device. Waits to be sent."),
    behind: t("Waits for your decision on an earlier change."),
    stale: t("Changed on the server since you opened it."),
    refused: t("The server didn't accept it."),
    open: t("Open form with your input"),
    again: t("Send again"),
    discard: t("Discard"),
    discardQuestion: t("Discard this change? Your input is deleted from this device."),
    filled: t("Your input is filled in again. Compare it with the current values, then send it."),
    now: t("Now: {value}", { value: "{value}" }),
    empty: t("nothing"),
    actions: {
      checklist: t("Checklist"),
      complete: t("Complete"),
      state: t("State"),
      hold: t("Put on hold"),
      comments: t("Comment"),
      files: t("Photos and files"),
      report: t("Report a problem"),
    },
  };
}

export const worker = `const offlineTexts = ${JSON.stringify(offlineTexts)};
const icon = "${staticUrls.icon192}";
${workerScript}`;
