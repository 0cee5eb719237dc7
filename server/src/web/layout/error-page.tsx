import type { VNode } from "preact";
import { t } from "../../language/translate.js";
import { NextStep } from "./bare-page.js";
import { Page } from "./layout.js";

/** The route of what is no page, so that who is signed in has the navigation there too. */
export const unknownAddress = "/*";

export interface ErrorPageProps {
  title: string;
  /** One or two sentences: what happened, what to do. */
  text: string;
  /** Named to whoever looks into the log; only for what is our fault. */
  requestId?: string | undefined;
  /** Where to go on. */
  action?: { href: string; label: string };
}

/** With the navigation for whoever is known to be signed in. */
export function ErrorPage({ title, text, requestId, action }: ErrorPageProps): VNode {
  const { href, label } = action ?? { href: "/", label: t("Go to Home") };
  return (
    <Page title={title} width="narrow">
      <h1>{title}</h1>
      <p>{text}</p>
      {requestId !== undefined && (
        <p class="soft">
          {t("If you report this, include this number:")} <code>{requestId}</code>
        </p>
      )}
      <NextStep href={href}>{label}</NextStep>
    </Page>
  );
}
