import type { ComponentChildren, VNode } from "preact";
import { t, tRich } from "../../../language/translate.js";

export const sampleAddress = "/sample";

const toSample = (words: ComponentChildren): VNode => <a href={sampleAddress}>{words}</a>;

/** For people who would rather explore first. */
export function SampleOffer(): VNode {
  return (
    <p class="soft">
      {tRich("Want to look around first? <a>Create a sample organization</a>.", {
        a: toSample,
      })}
    </p>
  );
}

/** Shown in a sample organization. */
export function SampleNote(): VNode {
  return (
    <p class="soft">
      {tRich("This is a <a>sample organization</a>. Try anything here.", { a: toSample })}
    </p>
  );
}

/** Shown after the role in the list of organizations. */
export function SampleMark(): VNode {
  return (
    <>
      {" · "}
      <a href={sampleAddress}>{t("Sample, to keep or delete")}</a>
    </>
  );
}
