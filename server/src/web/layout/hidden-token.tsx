import type { VNode } from "preact";
import { useLayout } from "./layout-context.js";

/** The CSRF token and the person stamp. Every form that posts contains both. */
export function HiddenToken(): VNode {
  const { csrfToken, personStamp } = useLayout();
  return (
    <>
      <input type="hidden" name="_csrf" value={csrfToken} />
      {personStamp !== "" && <input type="hidden" name="_person" value={personStamp} />}
    </>
  );
}
