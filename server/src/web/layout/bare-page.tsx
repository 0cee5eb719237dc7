import type { ComponentChildren, VNode } from "preact";
import { Page } from "./layout.js";

/** A page without navigation: one matter, and the way on. */
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

/** The way on from a page that has come to its end. */
export function NextStep({ href, children }: { href: string; children: ComponentChildren }): VNode {
  return (
    <p>
      <a class="button" href={href}>
        {children}
      </a>
    </p>
  );
}
