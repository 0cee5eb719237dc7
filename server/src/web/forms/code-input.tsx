import type { VNode } from "preact";
import { t } from "../../language/translate.js";
import { TextInput } from "./controls.js";
import { required, textField } from "./form-fields.js";

export const codeField = required(textField("Code"), "Enter a code.");

export const wrongCode = {
  field: "code",
  get message() {
    return t("This code is not right, or was used already.");
  },
};

/** A code of an authenticator app, or a recovery code in its place. */
export function CodeInput({ hasAuthenticator }: { hasAuthenticator: boolean }): VNode {
  return (
    <TextInput
      name="code"
      label={hasAuthenticator ? t("Code") : t("Recovery code")}
      help={
        hasAuthenticator
          ? t("The six digits that your authenticator app shows, or one of your recovery codes.")
          : t("One of the codes that you kept when you set up your second factor. Each works once.")
      }
      autocomplete="one-time-code"
      maxLength={40}
      required
    />
  );
}
