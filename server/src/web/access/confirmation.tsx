import type { FastifyPluginAsync } from "fastify";
import type { VNode } from "preact";
import { confirmPath } from "../../domain/access/urls.js";
import {
  confirmQuestion,
  getQuestion,
  type OpenQuestion,
} from "../../domain/access/confirmations.js";
import { wordQuestion } from "../../domain/access/questions.js";
import { quoteToType } from "../../domain/shared/quote.js";
import { FormActions, PostForm, TextInput } from "../forms/controls.js";
import { textField } from "../forms/form-fields.js";
import { seeOther } from "../forms/form-reply.js";
import { formRoute } from "../forms/form-route.js";
import { BarePage, NextStep } from "../layout/bare-page.js";
import { Claim } from "../settings/app-rows.js";
import { t, tRich } from "../../language/translate.js";
import { requireMember } from "../../plugins/members.js";

/** `/confirm/:id`: confirms an app's deletion. For the person who authorized the app. */
const confirmationForm = formRoute({
  path: `${confirmPath}/:id`,
  open: ({ db, caller, id }) => getQuestion(db, caller, id),
  fields: { typed: textField("Type it to confirm") },
  change: (tx, { caller, id, values: { typed = "" } }) => confirmQuestion(tx, caller, id, typed),
  done: (_question, { id }) => seeOther(`${confirmPath}/${id}`),
  page: ({ subject, caller }) => (
    <ConfirmationPage question={subject} organization={caller.organizationName} />
  ),
});

export const confirmationPages: FastifyPluginAsync = async (app) => {
  app.addHook("preHandler", requireMember);
  await app.register(confirmationForm);
};

interface ConfirmationView {
  question: OpenQuestion;
  organization: string;
}

function ConfirmationPage({ question: asked, organization }: ConfirmationView): VNode {
  const { client_name: client, question, answer } = asked;
  if (asked.is_confirmed) {
    return (
      <BarePage title={t("Confirmed")}>
        <p>
          {tRich(
            "Go back to {app} and let it try again. It can do this once, within five minutes.",
            {
              app: <strong dir="auto">{client}</strong>,
            },
          )}
        </p>
        <NextStep href="/">{t("Go to Home")}</NextStep>
      </BarePage>
    );
  }
  return (
    <BarePage title={t("Confirm a deletion")} heading={t("Delete this?")}>
      <p>
        {tRich("{app} wants to do this in {organization}:", {
          app: <strong dir="auto">{client}</strong>,
          organization: <strong dir="auto">{organization}</strong>,
        })}
      </p>
      <Claim connection={asked} />
      <p dir="auto">{wordQuestion(question)}</p>
      <PostForm>
        <TextInput
          name="typed"
          help={t("Type {text}", { text: quoteToType(answer) })}
          autocomplete="off"
          required
        />
        <FormActions submit={t("Confirm")} danger cancel="/" />
      </PostForm>
      <p class="soft">
        {tRich(
          "If you close this page, nothing is deleted. If you didn't ask for this, check <a>Connected Apps</a>.",
          { a: (words) => <a href="/settings/apps">{words}</a> },
        )}
      </p>
    </BarePage>
  );
}
