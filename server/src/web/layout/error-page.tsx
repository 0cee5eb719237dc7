import type { VNode } from "preact";
import { BarePage, NextStep } from "./bare-page.js";

export interface ErrorPageProps {
  title: string;
  /** One or two sentences: what happened, what to do. */
  text: string;
  /** Named to whoever looks into the log; only for what is our fault. */
  requestId?: string | undefined;
  /** Where to go on. */
  action?: { href: string; label: string };
}

export function ErrorPage({ title, text, requestId, action }: ErrorPageProps): VNode {
  const { href, label } = action ?? { href: "/", label: "Go to the start page" };
  return (
    <BarePage title={title}>
      <p>{text}</p>
      {requestId !== undefined && (
        <p class="soft">
          When you report this, give this number: <code>{requestId}</code>
        </p>
      )}
      <NextStep href={href}>{label}</NextStep>
    </BarePage>
  );
}
