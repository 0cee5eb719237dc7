import type { VNode } from "preact";

export function StepHeading({
  id,
  number,
  title,
}: {
  id?: string;
  number: number;
  title: string;
}): VNode {
  return (
    <h2 id={id}>
      <span class="step-number">{number}</span> {title}
    </h2>
  );
}
