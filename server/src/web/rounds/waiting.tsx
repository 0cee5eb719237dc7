import type { VNode } from "preact";
import type { Caller } from "../../domain/access/caller.js";
import { staticUrls } from "../static-files.js";
import { t } from "../../language/translate.js";

/**
 * The scans on this device that wait to be sent. The script fills it in with the texts here.
 * Without scripts, nothing waits.
 */
export function Waiting({
  person: { userId, userName },
  round = "",
}: {
  person: Caller;
  round?: string;
}): VNode {
  return (
    <section
      class="notice warning waiting no-print"
      hidden
      aria-label={t("Scans saved on this device")}
      data-person={userId}
      data-round={round}
      data-keeps={JSON.stringify([staticUrls.codeReader, staticUrls.codeTables])}
      data-one={t("1 scan is saved on this device.")}
      data-many={t("{n} scans are saved on this device.", { n: "{n}" })}
      data-sending={t("Sending…")}
      data-offline={t("You're offline. They sync when you're back online.")}
      data-busy={t("The server isn't responding. They're sent again shortly.")}
      data-signed-out={t("You're signed out. They sync when {name} signs in and opens this page.", {
        name: userName,
      })}
      data-other={t(
        "Someone else is signed in to this browser. They sync when {name} signs in and opens this page.",
        { name: userName },
      )}
      data-refused={t("Not saved:")}
      data-noted={t("Added {code}.", { code: "{code}" })}
      data-mark={t("Saved on this device")}
    >
      <script type="module" src={staticUrls.rounds} />
      <p role="status" data-waiting="state" />
      <p data-waiting="sign-in" hidden>
        {/* Leads through the sign-in and back, which a page stored on the device can't request. */}
        <a href={round === "" ? "/rounds" : `/rounds/${round}`}>{t("Sign in")}</a>
      </p>
      <ul data-waiting="codes" />
      <button type="button" class="quiet" data-waiting="drop" hidden>
        {t("Remove scans that can't be saved")}
      </button>
    </section>
  );
}
