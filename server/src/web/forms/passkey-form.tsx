import type { ComponentChildren, VNode } from "preact";
import { t, translated } from "../../language/translate.js";
import { staticUrls } from "../static-files.js";
import { PostForm } from "./controls.js";

/** What the script says, some of it by the name of an error. */
const texts = translated({
  InvalidStateError: "This device or its password manager already has a passkey for your account.",
  NotAllowedError: "Nothing was confirmed, or it took too long. Try again.",
  SecurityError: "Passkeys only work at this server's own address.",
  asking: "Follow your browser's instructions.",
  failed: "That didn't work in this browser. Try again.",
  missing: "This browser doesn't support passkeys.",
});

interface PasskeyFormProps {
  action: string;
  /** What the browser does: makes a passkey, or uses one. */
  passkey: "create" | "get";
  /** What it is asked for. */
  options: object;
  submit: string;
  /** Where the way out leads. */
  cancel?: string;
  children?: ComponentChildren;
}

/** A form whose button works by the one script that there is. It says itself where scripts are off. */
export function PasskeyForm({
  action,
  passkey,
  options,
  submit,
  cancel,
  children,
}: PasskeyFormProps): VNode {
  const button = (
    <button type="submit" disabled>
      {submit}
    </button>
  );
  return (
    <>
      <script src={staticUrls.passkeys} defer />
      <PostForm action={action} isPersonal>
        <input
          type="hidden"
          name="response"
          data-passkey={passkey}
          data-options={JSON.stringify(options)}
          data-texts={JSON.stringify(texts)}
        />
        {children}
        <p id="passkey-state" role="status">
          {t("Passkeys need JavaScript, which is off in this browser.")}
        </p>
        {cancel === undefined ? (
          button
        ) : (
          <div class="actions">
            {button}
            <a class="button quiet" href={cancel}>
              {t("Cancel")}
            </a>
          </div>
        )}
      </PostForm>
    </>
  );
}
