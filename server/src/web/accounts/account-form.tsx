import type { VNode } from "preact";
import type { FastifyRequest } from "fastify";
import { checkPassword } from "../../domain/accounts/passwords.js";
import { cleanNewOrganization } from "../../domain/organizations/organizations.js";
import { cleanEmail } from "../../domain/shared/emails.js";
import { cleanText } from "../../domain/shared/text.js";
import { t } from "../../language/translate.js";
import { PostForm, Select, TextInput } from "../forms/controls.js";
import { useForm } from "../forms/form-context.js";
import { required, textField } from "../forms/form-fields.js";
import { toFormErrors } from "../forms/form-errors.js";
import type { FormError } from "../layout/error-summary.js";
import { currentLocale } from "../../language/locale.js";
import {
  currencies,
  languageField,
  languageHelp,
  languages,
  toLanguageValue,
  zones,
} from "../forms/place-choices.js";
import { toFieldLabel } from "../text/field-labels.js";
import { staticUrls } from "../static-files.js";
import { findCurrencies, guessPlace } from "./guess-place.js";

/** The fields for a person and their organization, for `/setup` and `/signup`. */
export const accountFields = {
  name: required(textField("Your name"), "Enter your name."),
  email: required(textField("Email"), "Enter your email."),
  password: required(textField("Password"), "Choose a password."),
  organization: required(textField("Organization name"), "Enter a name for your organization."),
  time_zone: textField(() => toFieldLabel("time_zone")),
  currency: textField(() => toFieldLabel("currency")),
  language: languageField,
};

type AccountValues = Partial<Record<keyof typeof accountFields, string>>;

/** Passes values as typed. The domain reports missing or invalid ones. */
export function toAccount({
  name = "",
  email = "",
  password = "",
  organization = "",
  time_zone = "",
  currency = "",
}: AccountValues) {
  const place = {
    ...(time_zone !== "" && { timeZone: time_zone }),
    ...(currency !== "" && { currency }),
  };
  return { name, email, password, organization: { name: organization, ...place } };
}

/** Returns all errors at once. The domain stops at the first. */
export function checkAccountForm({
  values: { name = "", email = "", password = "", organization = "" },
  errors,
}: {
  values: AccountValues;
  errors: readonly FormError[];
}): FormError[] {
  const isKnown = (field: string) => errors.some((error) => error.field === field);
  const checks: [string, () => unknown][] = [
    ["name", () => cleanText(name, { field: "name", max: 120 })],
    ["email", () => cleanEmail(email)],
    [
      "password",
      () => {
        checkPassword(password, email);
      },
    ],
    ["organization", () => cleanNewOrganization({ name: organization })],
  ];
  return checks.flatMap(([field, check]) => {
    if (isKnown(field)) return [];
    try {
      check();
      return [];
    } catch (error) {
      return toFormErrors(error).map(({ message }) => ({ field, message }));
    }
  });
}

/** The initial time zone, currency and language, from the browser's headers. */
export function beginAccount({ headers }: FastifyRequest): AccountValues {
  return {
    ...guessPlace(headers["accept-language"]),
    language: toLanguageValue(currentLocale()),
  };
}

const currencyByZone = findCurrencies();
/** For the script, which preselects the browser's time zone and the currency there. */
const zonesWithCurrency = zones.map(({ value, label }) => ({
  ...{ value, label, "data-currency": currencyByZone.get(value) },
}));

/** `token` is the set-up link's token. */
export function AccountForm({ action, token }: { action: string; token?: string }): VNode {
  const { errors } = useForm();
  return (
    <PostForm action={action}>
      {/* A refused form keeps the person's choice. */}
      {errors.length === 0 && <script src={staticUrls.place} defer />}
      {token !== undefined && <input type="hidden" name="token" value={token} />}
      <NameField />
      <TextInput
        name="email"
        type="email"
        help={t("You sign in with this email.")}
        autocomplete="username"
        maxLength={254}
        required
      />
      <NewPasswordField />
      <TextInput
        name="organization"
        help={t("The company, site or team you manage assets for. You become its owner.")}
        autocomplete="organization"
        maxLength={120}
        required
      />
      <Select
        name="time_zone"
        help={t("Used for all dates and times. You can change it and the currency later.")}
        options={zonesWithCurrency}
        required
      />
      <Select name="currency" options={currencies} required />
      <Select name="language" help={languageHelp()} options={languages} required />
      <button type="submit">{t("Create account")}</button>
    </PostForm>
  );
}

export function NameField(): VNode {
  return <TextInput name="name" autocomplete="name" maxLength={120} required />;
}

export function NewPasswordField(): VNode {
  return (
    <TextInput
      name="password"
      type="password"
      help={t("At least 10 characters. A few unrelated words work well.")}
      autocomplete="new-password"
      required
    />
  );
}
