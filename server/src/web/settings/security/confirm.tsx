import type { FastifyInstance, FastifyRequest } from "fastify";
import type { VNode } from "preact";
import { verifyOwnPassword } from "../../../domain/accounts/own-account.js";
import { ageOf } from "../../../domain/shared/age.js";
import type { SecondFactor } from "../../../domain/shared/sign-in-proof.js";
import { commit } from "../../../domain/history/transactions.js";
import type { FactorOwner } from "../../../domain/accounts/factor-changes.js";
import { findSecondFactors, useCode } from "../../../domain/accounts/second-factors.js";
import { AppError } from "../../../errors.js";
import { t } from "../../../language/translate.js";
import { askForPasskey, takePasskeyAnswer } from "../../accounts/passkey-use.js";
import { providerAddress, withNext } from "../../accounts/sign-in-addresses.js";
import { CodeInput, codeField, wrongCode } from "../../forms/code-input.js";
import { FormActions, PostForm, TextInput } from "../../forms/controls.js";
import { hiddenField, readText, required, textField } from "../../forms/form-fields.js";
import { formRoute } from "../../forms/form-route.js";
import { FormRefusal, type FormReply, otherPage, seeOther } from "../../forms/form-reply.js";
import { PasskeyForm } from "../../forms/passkey-form.js";
import { personOf } from "../../layout/reply.js";
import { keepReturn, returnAddress } from "../../layout/return-addresses.js";
import { securityAddress } from "../../layout/mfa-redirect.js";
import { SettingsPage } from "../settings-layout.js";
import { NoPasskeysPage } from "./no-passkeys.js";

export function securityCrumbs() {
  return [{ href: securityAddress, label: t("Sign-in and security") }];
}

export const confirmAddress = `${securityAddress}/confirm`;
const confirmByPasskeyAddress = `${confirmAddress}/passkey`;

/** How long a confirmation permits changes. */
const lifeMs = 10 * 60_000;

/** Redirects a person without a recent confirmation of identity, and back to this page. */
export function askToConfirm(request: FastifyRequest): FormReply | undefined {
  const { confirmedAt = 0 } = request.session;
  if (ageOf(confirmedAt) < lifeMs) return undefined;
  const page = request.url.split("?", 1)[0] ?? securityAddress;
  return seeOther(withNext(confirmAddress, keepReturn(request, page)));
}

export function ownerOf(request: FastifyRequest): FactorOwner {
  const { sessionId } = request.session;
  return { person: personOf(request), sessionId, origin: request.activityOrigin() };
}

/**
 * Limits guesses, because an open session is no place to guess either. `field` is the field of a
 * refused guess.
 */
export async function throttleGuesses<Result>(
  { app, request }: { app: FastifyInstance; request: FastifyRequest },
  field: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const { signInThrottle: throttle } = app.services;
  const guessed = field === "code" ? "factor" : "password";
  const guess = [guessed, request.ip, personOf(request).email] as const;
  const succeed = async () => {
    await throttle.takeBack(...guess);
    await throttle.forget(...guess);
  };
  await throttle.begin(...guess);
  try {
    const result = await work();
    await succeed();
    return result;
  } catch (error) {
    // A refusal of another field means that the guess was right. Other errors reveal nothing about
    // it.
    const isRight =
      error instanceof AppError && error.code === "validation_failed" && error.field !== field;
    if (isRight) await succeed();
    throw error;
  }
}

/**
 * `/settings/security/confirm`: confirms by a second factor if there is one, otherwise by the
 * password.
 */
export const confirmForm = formRoute({
  path: confirmAddress,
  open: async ({ db, request }) => {
    const factors = await findSecondFactors(db, personOf(request).id);
    const hasAuthenticator = factors.authenticator !== null;
    const hasPasskey = factors.passkeys.length > 0;
    return { hasAuthenticator, hasPasskey, hasFactor: hasAuthenticator || hasPasskey };
  },
  fields: ({ subject: { hasFactor } }) => ({
    ...(hasFactor ? { code: codeField } : { password: passwordField }),
    next: hiddenField,
  }),
  begin: ({ query }) => ({ next: query("next") }),
  inTransaction: false,
  change: (_, { app, request, subject: { hasFactor } }) => {
    const person = personOf(request);
    const field = hasFactor ? "code" : "password";
    const typed = readText(request.body, field);
    return throttleGuesses({ app, request }, field, async () => {
      if (!hasFactor) {
        await verifyOwnPassword(request.db, person.id, typed, field);
        return undefined;
      }
      const factor = await commit({ db: request.db, caller: null }, (tx) =>
        useCode(tx, app.services.secondFactors, person, typed, request.activityOrigin()),
      );
      if (factor === undefined) throw new FormRefusal([wrongCode]);
      return factor;
    });
  },
  done: (factor, { request, values: { next = "" } }) => shouldContinue(request, next, factor),
  page: ({ app, request, subject: { hasFactor, hasAuthenticator, hasPasskey }, values }) => {
    const offersPasskey = hasPasskey && app.services.relyingParty !== undefined;
    const isOfProvider = request.session.signedInBy?.method === "provider";
    return (
      <ConfirmPage
        {...{ hasFactor, hasAuthenticator, offersPasskey, next: values.next ?? "" }}
        providerFor={isOfProvider ? personOf(request).email : undefined}
      />
    );
  },
});

const passwordField = required(textField("Current password"), "Enter your current password.");

/** `/settings/security/confirm/passkey`: confirms by a passkey. */
export const confirmByPasskeyForm = formRoute({
  path: confirmByPasskeyAddress,
  script: true,
  open: async ({ app }) => app.services.relyingParty ?? otherPage(404, <NoPasskeysPage />),
  fields: { response: hiddenField, next: hiddenField },
  begin: ({ query }) => ({ next: query("next") }),
  inTransaction: false,
  change: async (_, { app, request, subject: relyingParty, values: { response } }) => {
    const person = await takePasskeyAnswer({ app, request }, relyingParty, "confirm", response);
    if (person?.id !== personOf(request).id) throw refused();
  },
  done: (_, { request, values: { next = "" } }) => shouldContinue(request, next, "passkey"),
  page: async ({ request, subject: relyingParty, values: { next = "" } }) => {
    const options = await askForPasskey(request, relyingParty, "confirm");
    return <ConfirmByPasskeyPage options={options} next={next} />;
  },
});

function refused(): AppError {
  return new AppError("validation_failed", "passkey_refused");
}

function shouldContinue(
  request: FastifyRequest,
  next: string,
  factor: SecondFactor | undefined,
): FormReply {
  const { session } = request;
  session.confirmedAt = Date.now();
  // From now on, this session has a confirmed second factor too.
  if (factor !== undefined && session.signedInBy !== undefined) {
    session.signedInBy = { ...session.signedInBy, factor };
  }
  const address = returnAddress(request, next);
  return seeOther(address === "/" ? securityAddress : address);
}

interface ConfirmView {
  hasFactor: boolean;
  hasAuthenticator: boolean;
  offersPasskey: boolean;
  /** The email for the identity provider. Only for people who signed in there. */
  providerFor: string | undefined;
  next: string;
}

function ConfirmPage(view: ConfirmView): VNode {
  const { hasFactor, hasAuthenticator, offersPasskey, providerFor, next } = view;
  return (
    <SettingsPage title={t("Confirm it's you")} current={confirmAddress} crumbs={securityCrumbs()}>
      <p class="soft">{t("We won't ask again for 10 minutes in this browser.")}</p>
      <section class="panel" aria-label={t("Confirm")}>
        {offersPasskey && (
          <p>
            <a class="button quiet" href={withNext(confirmByPasskeyAddress, next)}>
              {t("Use a passkey")}
            </a>
          </p>
        )}
        {providerFor !== undefined && !hasFactor && (
          <PostForm action={providerAddress} isPersonal>
            <input type="hidden" name="email" value={providerFor} />
            <input type="hidden" name="next" value={next} />
            <input type="hidden" name="again" value="yes" />
            <button type="submit">{t("Sign in again with your organization")}</button>
          </PostForm>
        )}
        <PostForm action={confirmAddress} isPersonal>
          <input type="hidden" name="next" value={next} />
          {hasFactor ? (
            <CodeInput hasAuthenticator={hasAuthenticator} />
          ) : (
            <TextInput name="password" type="password" autocomplete="current-password" />
          )}
          <FormActions submit={t("Confirm")} cancel={securityAddress} />
        </PostForm>
      </section>
    </SettingsPage>
  );
}

function ConfirmByPasskeyPage({ options, next }: { options: object; next: string }): VNode {
  return (
    <SettingsPage
      title={t("Confirm with a passkey")}
      current={confirmByPasskeyAddress}
      crumbs={securityCrumbs()}
    >
      <section class="panel" aria-label={t("Confirm")}>
        <PasskeyForm
          action={confirmByPasskeyAddress}
          passkey="get"
          options={options}
          submit={t("Use a passkey")}
          cancel={securityAddress}
        >
          <input type="hidden" name="next" value={next} />
        </PasskeyForm>
      </section>
      <p class="soft">
        <a href={withNext(confirmAddress, next)}>{t("Confirm with a code")}</a>
      </p>
    </SettingsPage>
  );
}
