import type { ComponentChildren, VNode } from "preact";
import {
  createFirstAccount,
  hasAccounts,
  invalidSetupLink,
  isSetupLinkValid,
} from "../../domain/accounts/setup-links.js";
import { t, tRich } from "../../language/translate.js";
import { inChosenLanguage } from "../forms/place-choices.js";
import { hiddenField } from "../forms/form-fields.js";
import { formRoute } from "../forms/form-route.js";
import { seeOther } from "../forms/form-reply.js";
import {
  AccountForm,
  accountFields,
  beginAccount,
  checkAccountForm,
  toAccount,
} from "./account-form.js";
import { BarePage } from "../layout/bare-page.js";
import { startAddress } from "../organizations/start.js";
import { startSession } from "./sessions.js";

/** `/setup`: creates the first account, through the link that the server prints at start. */
export const setupForm = formRoute({
  path: "/setup",
  script: true,
  limit: "account-form",
  fields: { token: hiddenField, ...accountFields },
  check: checkAccountForm,
  begin: ({ query, request }) => ({ token: query("token"), ...beginAccount(request) }),
  change: (tx, { request, values }) =>
    inChosenLanguage(values, () =>
      createFirstAccount(tx, values.token ?? "", {
        ...toAccount(values),
        origin: request.activityOrigin(),
      }),
    ),
  done: async ({ id }, { request, values }) => {
    await startSession(request, id);
    return inChosenLanguage(values, () =>
      seeOther(startAddress, t("Your account and organization are ready.")),
    );
  },
  page: async ({ db, values: { token = "" } }) => {
    if (await isSetupLinkValid(db, token)) return <SetupPage token={token} />;
    if (token !== "" || (await hasAccounts(db))) throw invalidSetupLink();
    return <NotSetUpPage />;
  },
});

function SetupPage({ token }: { token: string }): VNode {
  return (
    <BarePage title={t("Set up Fettle")}>
      <p>{t("This creates the server's first account and its organization.")}</p>
      <AccountForm action="/setup" token={token} />
    </BarePage>
  );
}

export function NotSetUpPage(): VNode {
  return (
    <BarePage title={t("Not set up yet")} heading={t("This server isn't set up yet")}>
      <p>
        {t(
          "There are no accounts yet. When the server started, it printed a one-time setup link. Open it to create the first account.",
        )}
      </p>
      <p class="soft">
        {tRich(
          'It\'s the value of <code>setup</code> in the log line with <code>"msg":"ready"</code>. Restart the server to get a new link.',
          { code: (words: ComponentChildren) => <code>{words}</code> },
        )}
      </p>
    </BarePage>
  );
}
