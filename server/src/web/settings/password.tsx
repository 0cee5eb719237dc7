import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import type { VNode } from "preact";
import { changePassword } from "../../domain/accounts/own-account.js";
import { commit } from "../../domain/sql/transactions.js";
import { AppError } from "../../errors.js";
import { startSession } from "../account/sessions.js";
import { FormActions, PostForm, TextInput } from "../forms/controls.js";
import { readForm, required, textField } from "../forms/form-fields.js";
import { toFormErrors } from "../forms/forms.js";
import { PageHead } from "../layout/page-parts.js";
import type { FormError } from "../layout/parts.js";
import { layoutProps, refuse, sendPage, flash, type LayoutProps } from "../layout/reply.js";
import { countOf } from "../text/format.js";
import { ofPerson, personOf } from "./person.js";
import { SettingsPage } from "./settings-frame.js";

const address = "/settings/password";

const fields = {
  current_password: required(textField("Current password"), "Enter your current password."),
  password: required(textField("New password"), "Enter the new password."),
};

/** `/settings/password`: another password, for whoever knows the current one. */
export const passwordPages: FastifyPluginAsync = async (app) => {
  app.addHook("preHandler", app.readMember);

  app.get(address, async (request, reply) => show(request, reply, []));

  app.post(address, async (request, reply) => {
    const { given, errors } = readForm(request.body, fields);
    if (errors.length > 0) return show(request, reply.code(400), errors);
    const { current_password: currentPassword = "", password = "" } = given;
    const { id: userId, email } = personOf(request);
    const { sessionId, organizationId } = request.session;
    try {
      const ended = await throttled(request, email, () =>
        commit(app.db, (tx) =>
          changePassword(tx, {
            userId,
            sessionId,
            currentPassword,
            password,
            origin: request.activityOrigin(),
          }),
        ),
      );
      await startSession(request, userId);
      if (organizationId !== undefined) request.session.organizationId = organizationId;
      flash(request, describeChange(ended));
      return await reply.redirect("/settings", 303);
    } catch (error) {
      const refusals = toFormErrors(error);
      return show(request, refuse(reply, error), refusals);
    }
  });

  /** A session left open is no place to guess the password either. */
  async function throttled<Result>(
    { ip }: FastifyRequest,
    email: string,
    work: () => Promise<Result>,
  ): Promise<Result> {
    await app.signInThrottle.begin(ip, email);
    try {
      const result = await work();
      await app.signInThrottle.succeed(ip, email);
      return result;
    } catch (error) {
      const isWrong = error instanceof AppError && error.field === "current_password";
      if (!isWrong) await app.signInThrottle.succeed(ip, email);
      throw error;
    }
  }
};

function describeChange(ended: number): string {
  const changed = "Your password is changed.";
  if (ended === 0) return `${changed} You were signed in nowhere else.`;
  return `${changed} You are signed out of ${countOf(ended, "other browser")}.`;
}

function show(
  request: FastifyRequest,
  reply: FastifyReply,
  errors: readonly FormError[],
): FastifyReply {
  return sendPage(reply, <PasswordPage frame={layoutProps(request, reply)} errors={errors} />);
}

function PasswordPage({
  frame,
  errors,
}: {
  frame: LayoutProps;
  errors: readonly FormError[];
}): VNode {
  const crumbs = [{ href: "/settings", label: "Your account" }];
  return (
    <SettingsPage title="Change password" current={address} frame={frame}>
      <PageHead title="Change password" crumbs={crumbs} />
      <p class="soft">
        You stay signed in here and are signed out of every other browser. Apps you have connected
        stay connected.
      </p>
      <section class="panel" aria-label="Change password">
        <PostForm frame={ofPerson(frame)} errors={errors}>
          {/* Tells a password manager whose password this is. */}
          <input
            type="email"
            value={frame.person?.email}
            autocomplete="username"
            aria-label="Email"
            readOnly
            hidden
          />
          <TextInput
            name="current_password"
            label="Current password"
            type="password"
            autocomplete="current-password"
            required
            errors={errors}
          />
          <TextInput
            name="password"
            label="New password"
            type="password"
            help="At least 10 characters. A few unrelated words are a good choice."
            autocomplete="new-password"
            required
            errors={errors}
          />
          <FormActions submit="Change password" cancel="/settings" />
        </PostForm>
      </section>
      <p class="soft">
        <a href="/password/forgot">What to do when you have forgotten the current one</a>
      </p>
    </SettingsPage>
  );
}
