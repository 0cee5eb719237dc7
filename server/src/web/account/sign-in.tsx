import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import type { VNode } from "preact";
import { verifySignIn } from "../../domain/accounts/accounts.js";
import { hasAccounts } from "../../domain/accounts/setup-links.js";
import { AppError } from "../../errors.js";
import { readFields } from "../forms/forms.js";
import { PostForm, TextInput } from "../forms/controls.js";
import { Page } from "../layout/layout.js";
import type { FormError } from "../layout/parts.js";
import { layoutProps, refuse, sendPage, type LayoutProps } from "../layout/reply.js";
import { waitingAddress } from "./kept-invitation.js";
import { returnAddress, startSession } from "./sessions.js";
import { NotSetUpPage } from "./setup.js";

interface SignInView {
  frame: LayoutProps;
  /** Which of the kept addresses to go on to; empty for none. */
  next: string;
  /** What the person wants to do, when that is more than look at a page. */
  purpose: string | undefined;
  signUpOffered: boolean;
  email?: string;
  errors?: readonly FormError[];
}

/** `/signin`: where every page sends a person it does not know, and the way back. */
export const signInPages: FastifyPluginAsync = async (app) => {
  app.get("/signin", async (request, reply) => {
    const { next } = readFields(request.query, ["next"]);
    if (request.person !== null) return reply.redirect(returnAddress(request, next), 303);
    if (!(await hasAccounts(app.db.manager))) return sendPage(reply, <NotSetUpPage />);
    return showForm(request, reply, { next });
  });

  app.post("/signin", async (request, reply) => {
    const { email, password, next } = readFields(request.body, ["email", "password", "next"]);
    try {
      await app.signInThrottle.begin(request.ip, email);
    } catch (error) {
      return showRefusal(request, reply, error, { email, next });
    }
    const origin = request.activityOrigin();
    const person = await verifySignIn(app.db.manager, { email, password, origin });
    if (person === undefined) {
      const errors = [{ field: "email", message: "Email or password is not right." }];
      void reply.code(400);
      return showForm(request, reply, { email, next, errors });
    }
    await app.signInThrottle.succeed(request.ip, email);
    const address = returnAddress(request, next);
    await startSession(request, person.id);
    return reply.redirect(address, 303);
  });

  function showForm(
    request: FastifyRequest,
    reply: FastifyReply,
    view: Pick<SignInView, "next" | "email" | "errors">,
  ): FastifyReply {
    return sendPage(
      reply,
      <SignInPage
        frame={layoutProps(request, reply)}
        purpose={purposeOf(returnAddress(request, view.next))}
        signUpOffered={app.config.signup === "open" && app.mails.delivers}
        {...view}
      />,
    );
  }

  function showRefusal(
    request: FastifyRequest,
    reply: FastifyReply,
    error: unknown,
    view: Pick<SignInView, "next" | "email">,
  ): FastifyReply {
    if (!(error instanceof AppError) || error.code !== "rate_limited") throw error;
    return showForm(request, refuse(reply, error), {
      ...view,
      errors: [{ message: error.message }],
    });
  }
};

function purposeOf(address: string): string | undefined {
  if (address.startsWith("/oauth/authorize")) {
    return "An app wants to connect. Sign in first, then you decide what it may do.";
  }
  return address === waitingAddress ? "Sign in to accept the invitation." : undefined;
}

function SignInPage(view: SignInView): VNode {
  const { frame, next, purpose, signUpOffered, email = "", errors = [] } = view;
  return (
    <Page title="Sign in" width="narrow" bare message={frame.message}>
      <h1>Sign in</h1>
      {purpose !== undefined && <p>{purpose}</p>}
      <PostForm frame={frame} action="/signin" errors={errors}>
        <input type="hidden" name="next" value={next} />
        <TextInput
          name="email"
          label="Email"
          type="email"
          values={{ email }}
          errors={errors}
          autocomplete="username"
          required
        />
        <TextInput
          name="password"
          label="Password"
          type="password"
          autocomplete="current-password"
          required
        />
        <button type="submit">Sign in</button>
      </PostForm>
      <p class="soft">
        <a href="/password/forgot">Forgot your password?</a>
      </p>
      {signUpOffered && (
        <p class="soft">
          No account yet? <a href="/signup">Create an account</a>
        </p>
      )}
    </Page>
  );
}
