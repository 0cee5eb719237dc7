import type { ComponentChildren, VNode } from "preact";
import { t, tRich } from "../../../language/translate.js";

export const sampleAddress = "/sample";

const toSample = (words: ComponentChildren): VNode => <a href={sampleAddress}>{words}</a>;

/** For who would rather look around first. */
export function SampleOffer(): VNode {
  return (
    <p class="soft">
      {tRich("Want to look around first? <a>Create a sample organization</a>.", {
        a: toSample,
      })}
    </p>
  );
}

/** In one of them. */
export function SampleNote(): VNode {
  return (
    <p class="soft">
      {tRich("A <a>sample organization</a> to try things out in.", { a: toSample })}
    </p>
  );
}

/** Behind the role in it, in the list of organizations. */
export function SampleMark(): VNode {
  return (
    <>
      {" · "}
      <a href={sampleAddress}>{t("Sample, to keep or delete")}</a>
    </>
  );
}
