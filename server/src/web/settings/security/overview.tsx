import type { FastifyPluginAsync } from "fastify";
import type { ComponentChildren, VNode } from "preact";
import { findSecondFactors, type SecondFactors } from "../../../domain/accounts/second-factors.js";
import { isOwnFactorLeftOut } from "../../../domain/shared/sign-in-proof.js";
import { t, translated, tRich } from "../../../language/translate.js";
import { withNext } from "../../accounts/sign-in-addresses.js";
import { Facts } from "../../layout/facts.js";
import { Moment } from "../../layout/moment.js";
import { Notice } from "../../layout/notices.js";
import { ActionLink } from "../../layout/page-head.js";
import { personOf, sendPage } from "../../layout/reply.js";
import { keepReturn } from "../../layout/return-addresses.js";
import { securityAddress, type SecondFactorLead } from "../../layout/mfa-redirect.js";
import { SettingsPage } from "../settings-layout.js";
import { authenticatorAddress, removeAuthenticatorAddress } from "./authenticator.js";
import { confirmAddress } from "./confirm.js";
import { noPasskeysReason } from "./no-passkeys.js";
import { newPasskeyAddress, removePasskeyAddress } from "./passkeys.js";
import { recoveryCodesAddress } from "./recovery-codes.js";

/** `/settings/security`: the person's sign-in methods and second factors. */
export const overviewPages: FastifyPluginAsync = async (app) => {
  app.get(securityAddress, async (request, reply) => {
    const factors = await findSecondFactors(request.db, personOf(request).id);
    const hasFactor = factors.authenticator !== null || factors.passkeys.length > 0;
    const lead = request.session.secondFactorFor;
    if (hasFactor) delete request.session.secondFactorFor;
    const { signedInBy } = request.session;
    const isLeftOut = lead && hasFactor && signedInBy && isOwnFactorLeftOut(signedInBy);
    const show = isLeftOut && withNext(confirmAddress, keepReturn(request, lead.returnTo));
    return sendPage(
      reply,
      <SecurityPage
        factors={factors}
        hasFactor={hasFactor}
        lead={lead}
        show={show || undefined}
        passkeysWork={app.services.relyingParty !== undefined}
      />,
    );
  });
};

interface SecurityView {
  factors: SecondFactors;
  hasFactor: boolean;
  lead: SecondFactorLead | undefined;
  /** The page to confirm a second factor that the sign-in skipped. */
  show: string | undefined;
  passkeysWork: boolean;
}

function SecurityPage(view: SecurityView): VNode {
  const { hasFactor, lead, show } = view;
  return (
    <SettingsPage title={t("Sign-in and security")} current={securityAddress}>
      {lead !== undefined && <LeadNotice {...{ lead, hasFactor, show }} />}
      <section class="panel" aria-labelledby="password">
        <h2 id="password">{t("Password")}</h2>
        <ActionLink href="/settings/password" quiet>
          {t("Change password")}
        </ActionLink>
      </section>
      <Passkeys {...view} />
      <AuthenticatorApp {...view} />
      {hasFactor && <RecoveryCodes left={view.factors.recoveryCodesLeft} />}
    </SettingsPage>
  );
}

const reasons = translated({
  admin:
    "Your organization requires a second factor for owners and admins, and you don't have one yet. Set up a passkey or authenticator app here, then continue.",
  destructive:
    "Letting an app delete permanently requires a second factor, and you don't have one yet. Set up a passkey or authenticator app here, then continue.",
});

type LeadView = Pick<SecurityView, "hasFactor" | "show"> & { lead: SecondFactorLead };

function LeadNotice({ lead, hasFactor, show }: LeadView): VNode {
  if (show !== undefined) {
    const text = tRich(
      "The organization requires your second factor, and you signed in without it. <a>Use your second factor</a>",
      { a: (words: ComponentChildren) => <a href={show}>{words}</a> },
    );
    return (
      <Notice kind="warning">
        <p>{text}</p>
      </Notice>
    );
  }
  return (
    <Notice kind={hasFactor ? "info" : "warning"}>
      {hasFactor ? (
        <p>
          {tRich("You now have a second factor. <a>Continue</a>", {
            a: (words: ComponentChildren) => <a href={lead.returnTo}>{words}</a>,
          })}
        </p>
      ) : (
        <p>{reasons[lead.why]}</p>
      )}
    </Notice>
  );
}

function Passkeys({ factors: { passkeys }, passkeysWork }: SecurityView): VNode {
  return (
    <section class="panel" aria-labelledby="passkeys">
      <h2 id="passkeys">{t("Passkeys")}</h2>
      <p class="help">
        {t(
          "A passkey signs you in with your fingerprint, face or PIN. Once you add a passkey, your password is no longer enough.",
        )}
      </p>
      {passkeys.length > 0 && (
        <ul class="rows factors">
          {passkeys.map((passkey) => (
            <li class="row" key={passkey.id}>
              <div>
                <h3 dir="auto">{passkey.name}</h3>
                <Facts
                  facts={[
                    [t("Added"), <Moment at={passkey.created_at} />],
                    [t("Last used"), toLastUse(passkey.last_used_at)],
                  ]}
                />
              </div>
              <ActionLink
                href={removePasskeyAddress(passkey.id)}
                quiet
                label={t("Remove the passkey {name}", { name: passkey.name })}
              >
                {t("Remove")}
              </ActionLink>
            </li>
          ))}
        </ul>
      )}
      {passkeysWork ? (
        <ActionLink href={newPasskeyAddress} quiet>
          {t("Add a passkey")}
        </ActionLink>
      ) : (
        <p class="soft">{t(noPasskeysReason)}</p>
      )}
    </section>
  );
}

function AuthenticatorApp({ factors: { authenticator } }: SecurityView): VNode {
  return (
    <section class="panel" aria-labelledby="authenticator">
      <h2 id="authenticator">{t("Authenticator app")}</h2>
      {authenticator === null ? (
        <>
          <p class="help">{t("Enter a code from your phone after your password.")}</p>
          <ActionLink href={authenticatorAddress} quiet>
            {t("Set up an authenticator app")}
          </ActionLink>
        </>
      ) : (
        <>
          <Facts
            facts={[
              [t("Set up||when"), <Moment at={authenticator.created_at} />],
              [t("Last used"), toLastUse(authenticator.last_used_at)],
            ]}
          />
          <div class="actions">
            <ActionLink href={authenticatorAddress} quiet>
              {t("Replace")}
            </ActionLink>
            <ActionLink
              href={removeAuthenticatorAddress}
              quiet
              label={t("Remove the authenticator app")}
            >
              {t("Remove")}
            </ActionLink>
          </div>
        </>
      )}
    </section>
  );
}

function toLastUse(at: Date | null): VNode | string {
  return at === null ? t("Not yet") : <Moment at={at} />;
}

function RecoveryCodes({ left }: { left: number }): VNode {
  return (
    <section class="panel" aria-labelledby="recovery-codes">
      <h2 id="recovery-codes">{t("Recovery codes")}</h2>
      <p>
        {t("{left} of 10 left. Each works once if you lose your second factor.", {
          left,
        })}
        {left < 4 && ` ${t("Generate new ones before you run out.")}`}
      </p>
      <ActionLink href={recoveryCodesAddress} quiet>
        {t("Generate new codes")}
      </ActionLink>
    </section>
  );
}
