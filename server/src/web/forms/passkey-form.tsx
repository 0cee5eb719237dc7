import type { ComponentChildren, VNode } from "preact";
import { t } from "../../language/translate.js";
import { staticUrls } from "../static-files.js";
import { PostForm } from "./controls.js";

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
        />
        {children}
        <p id="passkey-state" role="status">
          {t("Passkeys need scripts, and they are off in this browser.")}
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
