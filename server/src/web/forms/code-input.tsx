import type { VNode } from "preact";
import { TextInput } from "./controls.js";
import { required, textField } from "./form-fields.js";

export const codeField = required(textField("Code"), "Enter a code.");

export const wrongCode = {
  field: "code",
  message: "This code is not right, or was used already.",
};

/** A code of an authenticator app, or a recovery code in its place. */
export function CodeInput({ hasAuthenticator }: { hasAuthenticator: boolean }): VNode {
  return (
    <TextInput
      name="code"
      label={hasAuthenticator ? "Code" : "Recovery code"}
      help={
        hasAuthenticator
          ? "The six digits that your authenticator app shows, or one of your recovery codes."
          : "One of the codes that you kept when you set up your second factor. Each works once."
      }
      autocomplete="one-time-code"
      maxLength={40}
      required
    />
  );
}
