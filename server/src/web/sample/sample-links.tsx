import type { VNode } from "preact";

export const sampleAddress = "/sample";

/** For who would rather look around first. */
export function SampleOffer(): VNode {
  return (
    <p class="soft">
      Want to look around first? <a href={sampleAddress}>Make a sample organization</a> to play in.
    </p>
  );
}

/** In one of them. */
export function SampleNote(): VNode {
  return (
    <p class="soft">
      A <a href={sampleAddress}>sample organization</a> to play in.
    </p>
  );
}

/** Behind the role in it, in the list of organizations. */
export function SampleMark(): VNode {
  return (
    <>
      {" · "}
      <a href={sampleAddress}>Sample, to keep or delete</a>
    </>
  );
}
