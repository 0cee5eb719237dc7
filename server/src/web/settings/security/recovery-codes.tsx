import type { FastifyRequest } from "fastify";
import type { ComponentChildren, VNode } from "preact";
import { renewRecoveryCodes } from "../../../domain/accounts/second-factors.js";
import { t, tRich } from "../../../language/translate.js";
import { FormActions, PostForm } from "../../forms/controls.js";
import { formRoute } from "../../forms/form-route.js";
import { otherPage } from "../../forms/form-reply.js";
import { securityAddress } from "../../layout/mfa-redirect.js";
import { SettingsPage } from "../settings-layout.js";
import { askToConfirm, ownerOf, securityCrumbs } from "./confirm.js";

export const recoveryCodesAddress = `${securityAddress}/recovery-codes`;

/** `/settings/security/recovery-codes`: creates ten codes that replace the earlier ones. */
export const recoveryCodesForm = formRoute({
  path: recoveryCodesAddress,
  isPersonal: true,
  open: async ({ request }) => askToConfirm(request),
  change: (tx, { app, request }) =>
    renewRecoveryCodes(tx, app.services.secondFactors, ownerOf(request)),
  done: (codes, { app, request }) => {
    app.services.mails.announce();
    return showRecoveryCodes(request, codes, { isFirst: false });
  },
  page: () => <RenewPage />,
});

/** Shows the codes once, because only their hashes are stored. */
export function showRecoveryCodes(
  request: FastifyRequest,
  codes: string[],
  { isFirst }: Pick<CodesView, "isFirst">,
) {
  const { secondFactorFor } = request.session;
  const shouldContinue = secondFactorFor?.returnTo ?? securityAddress;
  return otherPage(
    200,
    <CodesPage codes={codes} isFirst={isFirst} shouldContinue={shouldContinue} />,
  );
}

function RenewPage(): VNode {
  return (
    <SettingsPage
      title={t("New recovery codes")}
      heading={t("Generate new recovery codes?")}
      current={recoveryCodesAddress}
      crumbs={securityCrumbs()}
    >
      <p>{t("You get ten new codes. Your current codes stop working right away.")}</p>
      <PostForm isPersonal>
        <FormActions submit={t("Generate new codes")} cancel={securityAddress} />
      </PostForm>
    </SettingsPage>
  );
}

interface CodesView {
  codes: readonly string[];
  /** True for the codes of the first second factor. False if they replace others. */
  isFirst: boolean;
  shouldContinue: string;
}

function CodesPage({ codes, isFirst, shouldContinue }: CodesView): VNode {
  return (
    <SettingsPage
      title={isFirst ? t("Your recovery codes") : t("Your new recovery codes")}
      current={recoveryCodesAddress}
      crumbs={securityCrumbs()}
    >
      <p>
        {tRich(
          "Keep these codes where you can find them without your devices: on paper or in a password manager. Each works once if you lose your second factor. <strong>They're only shown now.</strong>",
          { strong: (words: ComponentChildren) => <strong>{words}</strong> },
        )}
      </p>
      <section class="panel" aria-label={t("Recovery codes")}>
        <ol class="recovery-codes">
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ol>
      </section>
      {isFirst && (
        <p>
          {t(
            "Second factor set up. You stay signed in here and are signed out of every other browser.",
          )}
        </p>
      )}
      <p class="no-print">
        <a class="button" href={shouldContinue}>
          {t("I've saved them, continue")}
        </a>
      </p>
    </SettingsPage>
  );
}
