import type { VNode } from "preact";
import { t } from "../../language/translate.js";
import { NextStep } from "./bare-page.js";
import { Page } from "./layout.js";

/** The route of unknown addresses. Signed-in people get the navigation there too. */
export const unknownAddress = "/*";

export interface ErrorPageProps {
  title: string;
  /** One or two sentences: the cause and the next step. */
  text: string;
  /** Identifies the error in the log. Only for server errors. */
  requestId?: string | undefined;
  action?: { href: string; label: string };
}

/** Includes the navigation if the person is known to be signed in. */
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
