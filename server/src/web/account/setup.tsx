import type { FastifyPluginAsync } from "fastify";
import type { VNode } from "preact";
import {
  createFirstAccount,
  hasAccounts,
  invalidSetupLink,
  isSetupLinkValid,
} from "../../domain/accounts/setup-links.js";
import { AccountForm, accountFields, type AccountFormProps } from "./account-form.js";
import { readFields, toFormErrors } from "../forms/forms.js";
import { Page } from "../layout/layout.js";
import { layoutProps, sendPage } from "../layout/reply.js";
import { startSession } from "./sessions.js";
import { commit } from "../../domain/sql/transactions.js";

/** `/setup`: the very first account, through the link that the start of the server prints. */
export const setupPages: FastifyPluginAsync = async (app) => {
  app.get("/setup", async (request, reply) => {
    const { token } = readFields(request.query, ["token"]);
    if (await isSetupLinkValid(app.db.manager, token)) {
      return sendPage(reply, <SetupPage frame={layoutProps(request, reply)} token={token} />);
    }
    if (token !== "" || (await hasAccounts(app.db.manager))) throw invalidSetupLink();
    return sendPage(reply, <NotSetUpPage />);
  });

  app.post("/setup", { config: { rateLimit: fewPerAddress } }, async (request, reply) => {
    const { token } = readFields(request.body, ["token"]);
    const values = readFields(request.body, accountFields);
    try {
      const person = await commit(app.db, (tx) =>
        createFirstAccount(tx, token, { ...values, origin: request.activityOrigin() }),
      );
      await startSession(request, person.id, "Your account and your organization are ready.");
      return await reply.redirect("/", 303);
    } catch (error) {
      const errors = toFormErrors(error);
      void reply.code(400);
      const frame = layoutProps(request, reply);
      return sendPage(
        reply,
        <SetupPage frame={frame} token={token} values={values} errors={errors} />,
      );
    }
  });
};

/** Making an account costs the server some work and a person a minute. */
export const fewPerAddress = { max: 20, timeWindow: 300_000 };

function SetupPage(props: AccountFormProps): VNode {
  return (
    <Page title="Set up Fettle" width="narrow" bare>
      <h1>Set up Fettle</h1>
      <p>This creates the first account of this server, and the organization it owns.</p>
      <AccountForm action="/setup" {...props} />
    </Page>
  );
}

/** For whoever comes before the first account exists. */
export function NotSetUpPage(): VNode {
  return (
    <Page title="Not set up yet" width="narrow" bare>
      <h1>This server is not set up yet</h1>
      <p>
        Nobody has an account here so far. When the server started, it printed a one-time set-up
        link; open that link to create the first account.
      </p>
      <p class="soft">
        It is the value of <code>setup</code> in the line that contains <code>"msg":"ready"</code>.
        Starting the server again prints a new link.
      </p>
    </Page>
  );
}
