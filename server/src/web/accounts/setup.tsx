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
import { startSession } from "./sessions.js";

/** `/setup`: the very first account, through the link that the start of the server prints. */
export const setupForm = formRoute({
  path: "/setup",
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
      seeOther("/", t("Your account and your organization are ready.")),
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
      <p>{t("This creates the first account of this server, and the organization it owns.")}</p>
      <AccountForm action="/setup" token={token} />
    </BarePage>
  );
}

/** For whoever comes before the first account exists. */
export function NotSetUpPage(): VNode {
  return (
    <BarePage title={t("Not set up yet")} heading={t("This server is not set up yet")}>
      <p>
        {t(
          "Nobody has an account here so far. When the server started, it printed a one-time set-up link; open that link to create the first account.",
        )}
      </p>
      <p class="soft">
        {tRich(
          'It is the value of <code>setup</code> in the line that contains <code>"msg":"ready"</code>. Starting the server again prints a new link.',
          { code: (words: ComponentChildren) => <code>{words}</code> },
        )}
      </p>
    </BarePage>
  );
}
