import type { ComponentChildren, VNode } from "preact";
import { t, translated } from "../../language/translate.js";
import { staticUrls } from "../static-files.js";
import { PostForm } from "./controls.js";

/** The script's texts, some keyed by an error's name. */
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
  /** The browser's action: creates or uses a passkey. */
  passkey: "create" | "get";
  options: object;
  submit: string;
  cancel?: string;
  children?: ComponentChildren;
}

/** A form whose button needs the passkey script. Shows a notice if scripts are off. */
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
