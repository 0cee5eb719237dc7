import type { ComponentChildren, VNode } from "preact";
import { staticUrls } from "../static-files.js";
import { PostForm } from "./controls.js";

interface PasskeyFormProps {
  action: string;
  /** What the browser does: makes a passkey, or uses one. */
  passkey: "create" | "get";
  /** What it is asked for. */
  options: object;
  submit: string;
  children?: ComponentChildren;
}

/** A form whose button works by the one script that there is. It says itself where scripts are off. */
export function PasskeyForm({
  action,
  passkey,
  options,
  submit,
  children,
}: PasskeyFormProps): VNode {
  return (
    <PostForm action={action} isPersonal>
      <input
        type="hidden"
        name="response"
        data-passkey={passkey}
        data-options={JSON.stringify(options)}
      />
      {children}
      <button type="submit" disabled>
        {submit}
      </button>
      <p class="help" id="passkey-state" role="status">
        Passkeys need scripts, and they are off in this browser.
      </p>
      <script src={staticUrls.passkeys} defer />
    </PostForm>
  );
}
