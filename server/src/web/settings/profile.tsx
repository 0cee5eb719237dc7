import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import type { VNode } from "preact";
import { changeName } from "../../domain/accounts/own-account.js";
import { commit } from "../../domain/sql/transactions.js";
import { FormActions, PostForm, TextInput } from "../forms/controls.js";
import { readForm, required, textField } from "../forms/form-fields.js";
import { toFormErrors } from "../forms/forms.js";
import { ActionLink, Facts, PageHead } from "../layout/page-parts.js";
import type { FormError } from "../layout/parts.js";
import { layoutProps, sendPage, flash, type LayoutProps } from "../layout/reply.js";
import { organizationRoleLabels } from "../text/value-labels.js";
import { ofPerson, personOf } from "./person.js";
import { SettingsPage } from "./settings-frame.js";

const fields = { name: required(textField("Name"), "Enter your name.") };

type Memberships = FastifyRequest["memberships"];

/** `/settings`: the person's own account. */
export const profilePages: FastifyPluginAsync = async (app) => {
  app.addHook("preHandler", app.readMember);

  app.get("/settings", async (request, reply) =>
    show(request, reply, { name: personOf(request).name }, []),
  );

  app.post("/settings", async (request, reply) => {
    const { values, given, errors } = readForm(request.body, fields);
    if (errors.length > 0) return show(request, reply.code(400), values, errors);
    const { name = "" } = given;
    const { id: userId } = personOf(request);
    try {
      await commit(app.db, (tx) =>
        changeName(tx, { userId, name, origin: request.activityOrigin() }),
      );
    } catch (error) {
      return show(request, reply.code(400), values, toFormErrors(error));
    }
    flash(request, "Your name is saved.");
    return reply.redirect("/settings", 303);
  });
};

function show(
  request: FastifyRequest,
  reply: FastifyReply,
  values: { name: string },
  errors: readonly FormError[],
): FastifyReply {
  return sendPage(
    reply,
    <ProfilePage
      frame={layoutProps(request, reply)}
      memberships={request.memberships}
      values={values}
      errors={errors}
    />,
  );
}

interface ProfileView {
  frame: LayoutProps;
  memberships: Memberships;
  values: { name: string };
  errors: readonly FormError[];
}

function ProfilePage({ frame, memberships, values, errors }: ProfileView): VNode {
  return (
    <SettingsPage title="Your account" current="/settings" frame={frame}>
      <PageHead title="Your account" />
      <section class="panel" aria-label="Profile">
        <PostForm frame={ofPerson(frame)} errors={errors}>
          <TextInput
            name="name"
            label="Name"
            help="Colleagues see it on assets and tasks. What happened before keeps your earlier name."
            required
            maxLength={120}
            autocomplete="name"
            values={values}
            errors={errors}
          />
          <FormActions submit="Save" />
        </PostForm>
      </section>
      <section class="panel" aria-labelledby="sign-in">
        <h2 id="sign-in">Sign-in</h2>
        <Facts facts={[["Email", frame.person?.email]]} />
        <p class="help">
          An email cannot be changed. If you have a new address, ask an admin to invite it, and
          connect your apps again with the new account.
        </p>
        <ActionLink href="/settings/password" quiet>
          Change password
        </ActionLink>
      </section>
      <Organizations memberships={memberships} />
    </SettingsPage>
  );
}

function Organizations({ memberships }: { memberships: Memberships }): VNode {
  return (
    <section class="panel" aria-labelledby="organizations">
      <h2 id="organizations">{memberships.length === 1 ? "Organization" : "Organizations"}</h2>
      {memberships.length === 0 ? (
        <p>
          You are in no organization. Ask an admin of yours for an invitation to{" "}
          <strong>your email</strong>.
        </p>
      ) : (
        <ul class="plain">
          {memberships.map(({ id, name, role }) => (
            <li key={id}>
              {name} <span class="soft">{organizationRoleLabels[role]}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
