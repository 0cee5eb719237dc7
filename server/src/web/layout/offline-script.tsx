import type { VNode } from "preact";
import { t } from "../../language/translate.js";
import { staticUrls } from "../static-files.js";
import { useLayout } from "./layout-context.js";

/** Keeps the person's work on a phone and shows the changes that wait. With its texts. */
export function OfflineScript(): VNode | null {
  const { person, organization } = useLayout();
  if (person === null || organization === undefined) return null;
  const words = {
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
    none: t("No changes wait."),
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
  const text = JSON.stringify(words);
  return <script src={staticUrls.offline} defer data-person={person.id} data-words={text} />;
}
