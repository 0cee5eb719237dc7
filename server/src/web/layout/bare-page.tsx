import type { ComponentChildren, VNode } from "preact";
import { Page } from "./layout.js";

/** A page without navigation: one topic and the next step. */
export function BarePage({
  title,
  heading = title,
  children,
}: {
  title: string;
  heading?: string;
  children: ComponentChildren;
}): VNode {
  return (
    <Page title={title} width="narrow" bare>
      <h1>{heading}</h1>
      {children}
    </Page>
  );
}

export function NextStep({ href, children }: { href: string; children: ComponentChildren }): VNode {
  return (
    <p>
      <a class="button" href={href}>
        {children}
      </a>
    </p>
  );
}
