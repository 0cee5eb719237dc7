import type { VNode } from "preact";
import { ErrorSummary, Field, HiddenToken, type FormError } from "./parts.js";

export const accountFields = ["name", "email", "password", "organization"] as const;

export interface AccountFormProps {
  action: string;
  csrfToken: string;
  values?: Partial<Record<(typeof accountFields)[number], string>>;
  errors?: readonly FormError[];
  /** The set-up link's token. */
  token?: string;
}

/** A person and their organization, for `/setup` and `/signup`. */
export function AccountForm({
  action,
  csrfToken,
  values = {},
  errors = [],
  token,
}: AccountFormProps): VNode {
  return (
    <>
      <ErrorSummary errors={errors} />
      <form method="post" action={action}>
        <HiddenToken token={csrfToken} />
        {token !== undefined && <input type="hidden" name="token" value={token} />}
        <Field
          name="name"
          label="Your name"
          value={values.name}
          errors={errors}
          autocomplete="name"
          maxLength={120}
        />
        <Field
          name="email"
          label="Email"
          type="email"
          help="You sign in with it."
          value={values.email}
          errors={errors}
          autocomplete="username"
          maxLength={254}
        />
        <Field
          name="password"
          label="Password"
          type="password"
          help="At least 10 characters. A few unrelated words are a good choice."
          errors={errors}
          autocomplete="new-password"
        />
        <Field
          name="organization"
          label="Organization name"
          help="The company, site or team whose assets you look after. You become its owner."
          value={values.organization}
          errors={errors}
          autocomplete="organization"
          maxLength={120}
        />
        <button type="submit">Create account</button>
      </form>
    </>
  );
}
