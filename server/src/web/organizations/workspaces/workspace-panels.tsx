import type { VNode } from "preact";
import { liveAssetStates } from "../../../db/entities/assets.js";
import type { AssetPage } from "../../../domain/assets/asset-queries.js";
import type { KeyFigures } from "../../../domain/insight/organization-stats.js";
import type { TaskPage } from "../../../domain/tasks/task-queries.js";
import type { WorkspacePeople } from "../../../domain/organizations/workspace-people.js";
import type { WorkspaceSettings } from "../../../domain/organizations/workspace-settings.js";
import { t, translated } from "../../../language/translate.js";
import { CostFigures } from "../../insight/home/cost-figures.js";
import { Figure } from "../../insight/home/figure.js";
import { Person } from "../../layout/avatar.js";
import { AssetBadge } from "../../layout/badges.js";
import { InventoryNumber } from "../../layout/facts.js";
import { DueOf, TaskSummary } from "../../tasks/task-summary.js";
import { countOf, formatNumber, formatPercent } from "../../text/format.js";
import { workspaceRoleLabels } from "../../text/value-labels.js";
import { Direction } from "../../insight/trends/direction.js";

export interface WorkspaceView {
  workspace: WorkspaceSettings;
  may: { member: boolean; admin: boolean };
  /** Undefined if there is too much data to total in time. */
  figures: KeyFigures | undefined;
  tasks: TaskPage;
  /** The assets that are not ready for use. */
  down: AssetPage;
  people: WorkspacePeople;
  today: string;
}

/** The most urgent open tasks. Overdue ones come first. */
export function TasksPanel({ workspace: { id }, tasks: page, today }: WorkspaceView): VNode {
  const { tasks, total_count: total, total_is_minimum: isMinimum, overdue_count: late } = page;
  return (
    <section aria-labelledby="tasks">
      <h2 id="tasks">{t("Open tasks")}</h2>
      {total === 0 ? (
        <p class="soft">{t("No open tasks here.")}</p>
      ) : (
        <>
          {late > 0 && (
            <p class="late-note">
              <a href={`/tasks?state=overdue&workspace_id=${id}`}>
                {t("{number} overdue", { number: formatNumber(late) })}
              </a>
            </p>
          )}
          <ul class="things due">
            {tasks.map((task) => (
              <TaskSummary key={task.id} task={task}>
                <DueOf task={task} today={today} />
              </TaskSummary>
            ))}
          </ul>
          <p>
            <a href={`/tasks?workspace_id=${id}`}>
              {isMinimum === true
                ? t("View more than {count, plural, one {# open task} other {# open tasks}}", {
                    count: total,
                  })
                : t("View all {count, plural, one {# open task} other {# open tasks}}", {
                    count: total,
                  })}
            </a>{" "}
            · <a href={`/plan?workspace_id=${id}`}>{t("Plan")}</a>
          </p>
        </>
      )}
    </section>
  );
}

/** The number of assets in each state, and the assets that are not ready for use. */
export function AssetsPanel({ workspace: { id }, figures, down }: WorkspaceView): VNode {
  const { assets, total_count: total } = down;
  return (
    <section aria-labelledby="assets">
      <h2 id="assets">{t("Assets")}</h2>
      {figures?.assets.total === 0 ? (
        <p class="soft">{t("No assets here yet.")}</p>
      ) : (
        <p class="asset-states">
          <a href={`/assets?workspace_id=${id}`}>
            {figures === undefined ? t("All assets") : countOf(figures.assets.total, "asset")}
          </a>
          {liveAssetStates
            .filter((state) => (figures?.assets.by_state[state] ?? 0) > 0)
            .map((state) => (
              <a key={state} href={`/assets?workspace_id=${id}&state=${state}`}>
                <AssetBadge state={state} /> {formatNumber(figures?.assets.by_state[state] ?? 0)}
              </a>
            ))}
        </p>
      )}
      {assets.length > 0 && (
        <>
          <h3 class="part">{t("Not ready for use")}</h3>
          <ul class="things due">
            {assets.map((asset) => (
              <li key={asset.id}>
                <div>
                  <a class="thing" href={`/assets/${asset.id}`} dir="auto">
                    {asset.name}
                  </a>
                  <p class="about">
                    <InventoryNumber>{asset.inventory_number}</InventoryNumber>
                    {asset.location !== null && <span dir="auto">{asset.location}</span>}
                  </p>
                </div>
                <AssetBadge state={asset.state} />
              </li>
            ))}
          </ul>
          {total > assets.length && (
            <p class="soft">
              {t("{shown} of {total}, last changed first.", {
                shown: formatNumber(assets.length),
                total: formatNumber(total),
              })}
            </p>
          )}
        </>
      )}
    </section>
  );
}

/** The completed work and its cost, compared with the previous period. */
export function FiguresPanel({ workspace: { id }, figures }: WorkspaceView): VNode {
  if (figures === undefined) {
    return <p class="panel soft">{t("Too much data to total here.")}</p>;
  }
  const { period, before, days, tasks } = figures;
  const trends = `/trends?workspace_id=${id}`;
  const share = period.pm_compliance_percent;
  return (
    <section class="panel figures" aria-labelledby="figures">
      <h2 id="figures">{t("Last {days} days", { days })}</h2>
      <dl>
        <Figure
          label={t("Completed tasks")}
          href={`/tasks?state=completed&sort=-completed_at&workspace_id=${id}`}
          direction={
            <Direction now={period.completed_tasks} before={before.completed_tasks} days={days} />
          }
        >
          {formatNumber(period.completed_tasks)}
        </Figure>
        {share !== null && (
          <Figure
            label={t("Planned work on time")}
            href={`${trends}#on-time`}
            direction={
              <Direction
                now={share}
                before={before.pm_compliance_percent}
                better="up"
                isShare
                days={days}
              />
            }
          >
            {formatPercent(share)}
          </Figure>
        )}
        <Figure
          label={t("Failures")}
          href={`${trends}#failures`}
          direction={
            <Direction now={period.failures} before={before.failures} better="down" days={days} />
          }
        >
          {formatNumber(period.failures)}
        </Figure>
        <CostFigures figures={figures} href={`${trends}#cost`} />
        {tasks.oldest_overdue_days !== null && (
          <Figure label={t("Oldest overdue task")} href={`/tasks?state=overdue&workspace_id=${id}`}>
            {countOf(tasks.oldest_overdue_days, "day")}
          </Figure>
        )}
      </dl>
    </section>
  );
}

const organizationRoles = translated({
  owner: "Owner of the organization",
  admin: "Admin of the organization",
  member: "Member of the organization",
});

/** The people who see the workspace, with their assignments. */
export function PeoplePanel({
  workspace: { id },
  people: { people, total_count: total },
}: WorkspaceView): VNode {
  return (
    <section class="panel" aria-labelledby="people">
      <h2 id="people">{t("People")}</h2>
      <ul class="plain colleagues">
        {people.map((person) => (
          <li key={person.id}>
            <a href={`/settings/members/${person.id}`}>
              <Person name={person.name} />
            </a>
            <span class="soft">
              {person.role === null
                ? organizationRoles[person.organization_role]
                : workspaceRoleLabels[person.role]}
            </span>
            {person.open_tasks > 0 && (
              <a class="numbers" href={`/tasks?assignee=${person.id}&workspace_id=${id}`}>
                {countOf(person.open_tasks, "open task")}
                <span class="visually-hidden">{t(" for {name}", { name: person.name })}</span>
              </a>
            )}
          </li>
        ))}
      </ul>
      <p>
        <a href={`/settings/members?workspace=${id}`}>
          {total > people.length
            ? t("View all {count, plural, one {# person} other {# people}}", { count: total })
            : t("Roles and invitations")}
        </a>
      </p>
    </section>
  );
}
