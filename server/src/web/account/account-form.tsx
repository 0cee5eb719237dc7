import type { VNode } from "preact";
import { PostForm, TextInput } from "../forms/controls.js";
import type { FormError } from "../layout/parts.js";
import type { LayoutProps } from "../layout/reply.js";

export const accountFields = ["name", "email", "password", "organization"] as const;

export interface AccountFormProps {
  frame: LayoutProps;
  values?: Partial<Record<(typeof accountFields)[number], string>>;
  errors?: readonly FormError[];
  /** The set-up link's token. */
  token?: string;
}

interface Answers {
  values?: AccountFormProps["values"];
  errors?: readonly FormError[];
}

/** A person and their organization, for `/setup` and `/signup`. */
export function AccountForm(props: AccountFormProps & { action: string }): VNode {
  const { frame, action, values = {}, errors = [], token } = props;
  return (
    <PostForm frame={frame} action={action} errors={errors}>
      {token !== undefined && <input type="hidden" name="token" value={token} />}
      <NameField values={values} errors={errors} />
      <TextInput
        name="email"
        label="Email"
        type="email"
        help="You sign in with it."
        values={values}
        errors={errors}
        autocomplete="username"
        maxLength={254}
        required
      />
      <NewPasswordField errors={errors} />
      <TextInput
        name="organization"
        label="Organization name"
        help="The company, site or team whose assets you look after. You become its owner."
        values={values}
        errors={errors}
        autocomplete="organization"
        maxLength={120}
        required
      />
      <button type="submit">Create account</button>
    </PostForm>
  );
}

export function NameField({ values = {}, errors = [] }: Answers): VNode {
  return (
    <TextInput
      values={values}
      errors={errors}
      name="name"
      label="Your name"
      autocomplete="name"
      maxLength={120}
      required
    />
  );
}

export function NewPasswordField({
  label = "Password",
  errors = [],
}: {
  label?: string;
  errors?: readonly FormError[];
}): VNode {
  return (
    <TextInput
      name="password"
      label={label}
      type="password"
      help="At least 10 characters. A few unrelated words are a good choice."
      errors={errors}
      autocomplete="new-password"
      required
    />
  );
}
