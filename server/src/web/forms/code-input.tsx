import type { VNode } from "preact";
import { t } from "../../language/translate.js";
import { TextInput } from "./controls.js";
import { required, textField } from "./form-fields.js";

export const codeField = required(textField("Code"), "Enter a code.");

export const wrongCode = {
  field: "code",
  get message() {
    return t("This code is wrong or was already used.");
  },
};

/** A code of an authenticator app, or a recovery code instead. */
export function CodeInput({ hasAuthenticator }: { hasAuthenticator: boolean }): VNode {
  return (
    <TextInput
      name="code"
      label={hasAuthenticator ? t("Code") : t("Recovery code")}
      help={
        hasAuthenticator
          ? t("The six digits from your authenticator app, or a recovery code.")
          : t("One of the codes you saved when you set up your second factor. Each works once.")
      }
      autocomplete="one-time-code"
      maxLength={40}
      required
    />
  );
}
