import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import type { VNode } from "preact";
import { confirmSignUp, findSignUp, type WaitingSignUp } from "../../domain/accounts/sign-ups.js";
import { commit } from "../../domain/sql/transactions.js";
import { AppError } from "../../errors.js";
import { PostForm, TextInput } from "../forms/controls.js";
import { readFields, toFormErrors } from "../forms/forms.js";
import { Page } from "../layout/layout.js";
import { Facts } from "../layout/page-parts.js";
import type { FormError } from "../layout/parts.js";
import { layoutProps, sendPage, type LayoutProps } from "../layout/reply.js";
import { startSession } from "./sessions.js";
import { fewPerAddress } from "./setup.js";

/** `/signup/confirm/:token`: the mailed link. Opening it changes nothing; its button does. */
export const signUpConfirmationPages: FastifyPluginAsync = async (app) => {
  const path = "/signup/confirm/:token";

  app.get<Link>(path, async (request, reply) => {
    const waiting = await findSignUp(app.db.manager, request.params.token);
    return show(request, reply, waiting);
  });

  app.post<Link>(path, { config: { rateLimit: fewPerAddress } }, async (request, reply) => {
    const { token } = request.params;
    const waiting = await findSignUp(app.db.manager, token);
    if (waiting === undefined || waiting.is_used) return show(request, reply, waiting);
    const { password } = readFields(request.body, ["password"]);
    const isOwn = isOfThisBrowser(request, waiting);
    const origin = request.activityOrigin();
    try {
      const { person, organizationId } = await commit(app.db, (tx) =>
        confirmSignUp(tx, { token, password: isOwn ? undefined : password, origin }),
      );
      await startSession(request, person.id, "Your account and your organization are ready.");
      request.session.organizationId = organizationId;
      return await reply.redirect("/", 303);
    } catch (error) {
      const code = error instanceof AppError ? error.code : undefined;
      // Somebody was quicker: the same link in another tab, or an invitation to this address.
      if (code === "expired" || code === "duplicate") {
        return show(request, reply, { ...waiting, is_used: true });
      }
      return show(request, reply.code(400), waiting, toFormErrors(error));
    }
  });
};

interface Link {
  Params: { token: string };
}

function show(
  request: FastifyRequest,
  reply: FastifyReply,
  waiting: WaitingSignUp | undefined,
  errors: readonly FormError[] = [],
): FastifyReply {
  if (waiting === undefined) return sendPage(reply.code(410), <DeadLinkPage />);
  if (waiting.is_used) return sendPage(reply.code(410), <UsedLinkPage email={waiting.email} />);
  return sendPage(
    reply,
    <ConfirmPage
      frame={layoutProps(request, reply)}
      waiting={waiting}
      needsPassword={!isOfThisBrowser(request, waiting)}
      errors={errors}
    />,
  );
}

function isOfThisBrowser({ session }: FastifyRequest, { link }: WaitingSignUp): boolean {
  return session.signUp === link;
}

interface ConfirmView {
  frame: LayoutProps;
  waiting: WaitingSignUp;
  needsPassword: boolean;
  errors: readonly FormError[];
}

function ConfirmPage({ frame, waiting, needsPassword, errors }: ConfirmView): VNode {
  const { name, email, organization_name: organization } = waiting;
  return (
    <Page title="Confirm your address" width="narrow" bare message={frame.message}>
      <h1>Confirm your address</h1>
      <PostForm frame={frame} errors={errors}>
        <Facts
          facts={[
            ["Your name", name],
            ["Email", email],
            ["Organization", organization],
          ]}
        />
        {needsPassword && (
          <TextInput
            name="password"
            label="Password"
            type="password"
            help="The one you chose for this account. It is asked because the form was sent from another browser."
            errors={errors}
            autocomplete="current-password"
            required
          />
        )}
        <button type="submit">Confirm and continue</button>
      </PostForm>
      <p class="soft">
        If it was not you who asked for this account, close this page and nothing happens.
      </p>
    </Page>
  );
}

function DeadLinkPage(): VNode {
  return (
    <Page title="This link no longer works" width="narrow" bare>
      <h1>This link no longer works</h1>
      <p>
        A link that confirms an address works once, within 24 hours. Fill in the form again to get
        another one.
      </p>
      <p>
        <a class="button" href="/signup">
          Create an account
        </a>
      </p>
      <p class="soft">
        You have an account? <a href="/signin">Sign in</a>
      </p>
    </Page>
  );
}

function UsedLinkPage({ email }: { email: string }): VNode {
  return (
    <Page title="Your account is there already" width="narrow" bare>
      <h1>Your account is there already</h1>
      <p>
        There is an account for <strong class="address">{email}</strong>. Sign in with its password.
      </p>
      <p>
        <a class="button" href="/signin">
          Sign in
        </a>
      </p>
    </Page>
  );
}
