import type { VNode } from "preact";
import { useLayout } from "./layout-context.js";

/** Every form that posts carries it, with the stamp that says whose page it is. */
export function HiddenToken(): VNode {
  const { csrfToken, personStamp } = useLayout();
  return (
    <>
      <input type="hidden" name="_csrf" value={csrfToken} />
      {personStamp !== "" && <input type="hidden" name="_person" value={personStamp} />}
    </>
  );
}
