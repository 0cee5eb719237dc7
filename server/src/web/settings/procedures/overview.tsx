import type { FastifyPluginAsync } from "fastify";
import type { VNode } from "preact";
import type { StepDefinition } from "../../../db/entities/tasks.js";
import { isAdminSomewhere } from "../../../domain/access/roles.js";
import {
  findProcedureVersions,
  listProcedures,
  type ProcedureRow,
} from "../../../domain/tasks/procedures.js";
import { AppError } from "../../../errors.js";
import { t, tRich } from "../../../language/translate.js";
import { PostForm } from "../../forms/controls.js";
import { readText } from "../../forms/form-fields.js";
import { Facts } from "../../layout/facts.js";
import { Moment } from "../../layout/moment.js";
import { EmptyState, Notice } from "../../layout/notices.js";
import { ActionLink } from "../../layout/page-head.js";
import { callerOf, sendPage } from "../../layout/reply.js";
import { kindLabels } from "../../tasks/step-rows.js";
import { describeLimits } from "../../tasks/steps.js";
import { toFieldLabel } from "../../text/field-labels.js";
import { toPersonName } from "../../text/person-name.js";
import { SettingsPage } from "../settings-layout.js";
import { procedureAddress, proceduresAddress, proceduresCrumbs } from "./addresses.js";
import { compareVersions } from "./compare-versions.js";

/** `/settings/procedures` and `/settings/procedures/:id`, also with an earlier `?version=`. */
export const procedureOverviewPages: FastifyPluginAsync = async (app) => {
  app.get(proceduresAddress, async (request, reply) => {
    const caller = callerOf(request);
    const procedures = await listProcedures(request.db, caller);
    const mayEdit = await isAdminSomewhere(request.db, caller);
    return sendPage(reply, <ListPage procedures={procedures} mayEdit={mayEdit} />);
  });
  app.get<{ Params: { id: string } }>(procedureAddress(":id"), async (request, reply) => {
    const caller = callerOf(request);
    const versions = await findProcedureVersions(request.db, caller, request.params.id);
    const asked = readText(request.query, "version");
    const shown = versions.find(({ version }) => asked === "" || String(version) === asked);
    if (shown === undefined) throw new AppError("not_found", "no_such_procedure");
    const mayEdit = await isAdminSomewhere(request.db, caller);
    return sendPage(reply, <ProcedurePage {...{ shown, versions, mayEdit }} />);
  });
};

function ListPage({
  procedures,
  mayEdit,
}: {
  procedures: readonly ProcedureRow[];
  mayEdit: boolean;
}): VNode {
  const add = <ActionLink href={`${proceduresAddress}/new`}>{t("Add a procedure")}</ActionLink>;
  return (
    <SettingsPage
      title={t("Procedures")}
      current={proceduresAddress}
      {...(mayEdit && procedures.length > 0 && { actions: add })}
    >
      <p>{t("Steps to copy into tasks. A repeating task copies the current version each time.")}</p>
      {procedures.length === 0 ? (
        <EmptyState title={t("No procedures yet")}>
          {mayEdit && <p class="actions">{add}</p>}
        </EmptyState>
      ) : (
        <ul class="things">
          {procedures.map((procedure) => (
            <li key={procedure.id}>
              <a class="thing" href={procedureAddress(procedure.id)} dir="auto">
                {procedure.name}
              </a>
              <p class="soft file-line">
                <Archived procedure={procedure} />
                {procedure.category !== null && <bdi>{procedure.category}</bdi>}
                <span>{t("Version {version}", { version: procedure.version })}</span>
                <span>
                  {t("{count, plural, one {# step} other {# steps}}", {
                    count: procedure.steps.length,
                  })}
                </span>
              </p>
            </li>
          ))}
        </ul>
      )}
    </SettingsPage>
  );
}

function Archived({ procedure }: { procedure: ProcedureRow }): VNode | null {
  return procedure.archived_at === null ? null : <span class="tag">{t("Archived")}</span>;
}

interface ProcedureView {
  shown: ProcedureRow;
  /** Newest first. */
  versions: readonly ProcedureRow[];
  mayEdit: boolean;
}

function ProcedurePage({ shown, versions, mayEdit }: ProcedureView): VNode {
  const { id, name, category, version, edited_at: at, edited_by: by } = shown;
  const [current = shown] = versions;
  return (
    <SettingsPage
      title={name}
      current={procedureAddress(id)}
      crumbs={proceduresCrumbs()}
      {...(current.archived_at !== null && { facts: <Archived procedure={current} /> })}
    >
      {version !== current.version && (
        <Notice kind="warning" title={t("Version {version}", { version })}>
          <p>
            {tRich("The current version is <a>version {version}</a>.", {
              version: current.version,
              a: (words) => <a href={procedureAddress(id)}>{words}</a>,
            })}
          </p>
        </Notice>
      )}
      <section class="panel" aria-label={t("Procedure")}>
        <Facts
          facts={[
            [toFieldLabel("category"), category],
            [t("Version"), String(version)],
            [t("Edited"), <Moment at={at} />],
            [t("Edited by"), toPersonName(by)],
          ]}
        />
        <h2>{t("Steps")}</h2>
        <DefinedSteps steps={shown.steps} />
        {mayEdit && <Actions {...current} />}
      </section>
      {versions.length > 1 && <Versions shown={shown} versions={versions} />}
    </SettingsPage>
  );
}

function DefinedSteps({ steps }: { steps: readonly StepDefinition[] }): VNode {
  return (
    <ol class="steps-read">
      {steps.map((step, index) => (
        <li key={index}>
          <bdi>{step.label}</bdi> <span class="soft">{describeDefinition(step)}</span>
        </li>
      ))}
    </ol>
  );
}

/** "Number, required, at most 6 bar, task if it fails: Mend" */
function describeDefinition(step: StepDefinition): string {
  const { kind, required, options, meter, follow_up: task, out_of_service: isDown } = step;
  const parts = [
    ...(kind === "check" ? [] : [kindLabels[kind]]),
    ...(required ? [t("required||a step")] : []),
    ...(options ?? []),
    describeLimits(step) ?? "",
    meter === null ? "" : t("meter {name}", { name: meter }),
    task === null ? "" : t("task if it fails: {title}", { title: task }),
    isDown ? t("out of service if it fails") : "",
  ];
  return parts.filter((part) => part !== "").join(" · ");
}

function Actions({ id, archived_at: archived }: ProcedureRow): VNode {
  const isArchived = archived !== null;
  return (
    <div class="actions">
      {!isArchived && <ActionLink href={procedureAddress(id, "edit")}>{t("Edit")}</ActionLink>}
      {!isArchived && (
        <ActionLink href={`/tasks/new?procedure=${id}`} quiet>
          {t("Add a task")}
        </ActionLink>
      )}
      <PostForm action={procedureAddress(id, isArchived ? "restore" : "archive")}>
        <button type="submit" class="quiet">
          {isArchived ? t("Restore") : t("Archive")}
        </button>
      </PostForm>
    </div>
  );
}

function Versions({ shown, versions }: Omit<ProcedureView, "mayEdit">): VNode {
  return (
    <section aria-labelledby="versions">
      <h2 id="versions">{t("Versions")}</h2>
      <ul class="things">
        {versions.map((one, index) => (
          <li key={one.version}>
            {one.version === shown.version ? (
              <strong>{t("Version {version}", { version: one.version })}</strong>
            ) : (
              <a class="thing" href={`${procedureAddress(one.id)}?version=${one.version}`}>
                {t("Version {version}", { version: one.version })}
              </a>
            )}{" "}
            <span class="soft">
              <Moment at={one.edited_at} />, {toPersonName(one.edited_by)}
            </span>
            {compareVersions(versions[index + 1]?.steps, one.steps).map((line) => (
              <p key={line} class="soft">
                {line}
              </p>
            ))}
          </li>
        ))}
      </ul>
    </section>
  );
}
