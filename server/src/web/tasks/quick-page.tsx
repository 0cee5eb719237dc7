import type { FastifyPluginAsync } from "fastify";
import type { VNode } from "preact";
import { requireMemberSomewhere } from "../../domain/access/roles.js";
import { t } from "../../language/translate.js";
import { FormActions } from "../forms/controls.js";
import { readText } from "../forms/form-fields.js";
import { Page } from "../layout/layout.js";
import { PageHead } from "../layout/page-head.js";
import { callerOf, sendPage } from "../layout/reply.js";
import { toFieldLabel } from "../text/field-labels.js";

/** `/tasks/quick`: one line, which the form of a new task (`?line=`) reads. */
export const quickTaskPage: FastifyPluginAsync = async (app) => {
  app.get("/tasks/quick", async (request, reply) => {
    await requireMemberSomewhere(request.db, callerOf(request), "add tasks");
    return sendPage(reply, <QuickTaskPage asset={readText(request.query, "asset")} />);
  });
};

function QuickTaskPage({ asset }: { asset: string }): VNode {
  const parts: [example: string, label: string][] = [
    [t("tomorrow||example of a due date"), toFieldLabel("due_date")],
    ["@Pavel", toFieldLabel("assigned_to_user_id")],
    [t("!high||example of a priority"), toFieldLabel("priority")],
    ["#434-000012", t("Asset")],
  ];
  return (
    <Page title={t("Quick add")} current="/tasks/">
      <PageHead title={t("Quick add")} crumbs={[{ href: "/tasks", label: t("Tasks") }]} />
      <form method="get" action="/tasks/new" class="panel quick-line">
        {asset !== "" && <input type="hidden" name="asset" value={asset} />}
        <label for="line">{t("What needs to be done?")}</label>
        <input
          id="line"
          name="line"
          required
          maxLength={300}
          autocomplete="off"
          autofocus
          placeholder={t("Fix lift B door tomorrow @Pavel !high")}
          aria-describedby="line-parts"
        />
        <dl id="line-parts">
          {parts.map(([example, label]) => (
            <div key={label}>
              <dt>
                <code>{example}</code>
              </dt>
              <dd>{label}</dd>
            </div>
          ))}
        </dl>
        <FormActions submit={t("Continue")} cancel="/tasks" />
      </form>
    </Page>
  );
}
