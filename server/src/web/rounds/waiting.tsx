import type { VNode } from "preact";
import type { Caller } from "../../domain/access/caller.js";
import { staticUrls } from "../static-files.js";
import { t } from "../../language/translate.js";

/**
 * What waits on this device to be sent; filled in by the script, whose words stand here. Without scripts
 * nothing waits.
 */
export function Waiting({
  person: { userId, userName },
  round = "",
}: {
  person: Caller;
  /** The one that the page is about. */
  round?: string;
}): VNode {
  return (
    <section
      class="notice warning waiting no-print"
      hidden
      aria-label={t("Scans that wait on this device")}
      data-person={userId}
      data-round={round}
      data-keeps={JSON.stringify([staticUrls.codeReader, staticUrls.codeTables])}
      data-one={t("1 scan waits on this device.")}
      data-many={t("{n} scans wait on this device.", { n: "{n}" })}
      data-sending={t("Sending.")}
      data-offline={t("There is no network. What waits is kept, and sent as soon as there is one.")}
      data-busy={t("The server does not answer. What waits is kept, and sent again in a moment.")}
      data-signed-out={t(
        "You are signed out. What waits is kept, and sent when {name} signs in again and opens this page.",
        { name: userName },
      )}
      data-other={t(
        "Somebody else is signed in in this browser. What waits is kept, and sent when {name} signs in again and opens this page.",
        { name: userName },
      )}
      data-refused={t("Not stored:")}
      data-noted={t("Noted: {code}.", { code: "{code}" })}
      data-mark={t("Noted on this device")}
    >
      <script type="module" src={staticUrls.rounds} />
      <p role="status" data-waiting="state" />
      <p data-waiting="sign-in" hidden>
        {/* Leads over the sign-in and back, which a page kept on the device cannot ask for. */}
        <a href={round === "" ? "/rounds" : `/rounds/${round}`}>{t("Sign in")}</a>
      </p>
      <ul data-waiting="codes" />
      <button type="button" class="quiet" data-waiting="drop" hidden>
        {t("Remove what cannot be stored from this device")}
      </button>
    </section>
  );
}
