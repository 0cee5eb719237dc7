import type { VNode } from "preact";
import type { Caller } from "../../domain/access/caller.js";
import { staticUrls } from "../static-files.js";

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
      aria-label="Scans that wait on this device"
      data-person={userId}
      data-round={round}
      data-keeps={JSON.stringify([staticUrls.codeReader, staticUrls.codeTables])}
      data-one="1 scan waits on this device."
      data-many="{n} scans wait on this device."
      data-sending="Sending."
      data-offline="There is no network. What waits is kept, and sent as soon as there is one."
      data-busy="The server does not answer. What waits is kept, and sent again in a moment."
      data-signed-out={`You are signed out. What waits is kept, and sent when ${userName} signs in again and opens this page.`}
      data-other={`Somebody else is signed in in this browser. What waits is kept, and sent when ${userName} signs in again and opens this page.`}
      data-refused="Not stored:"
      data-noted="Noted: {code}."
      data-mark="Noted on this device"
    >
      <script type="module" src={staticUrls.rounds} />
      <p role="status" data-waiting="state" />
      <p data-waiting="sign-in" hidden>
        <a href="/signin">Sign in</a>
      </p>
      <ul data-waiting="codes" />
      <button type="button" class="quiet" data-waiting="drop" hidden>
        Remove what cannot be stored from this device
      </button>
    </section>
  );
}
