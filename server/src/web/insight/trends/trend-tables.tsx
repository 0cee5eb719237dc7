import type { ComponentChildren, VNode } from "preact";
import type { Group, GroupedStats } from "../../../domain/insight/grouped-stats.js";
import type { Trends } from "../../../domain/insight/trends.js";
import { t } from "../../../language/translate.js";
import { InventoryNumber } from "../../layout/facts.js";
import { countOf, formatMoney, formatNumber, formatPercent } from "../../text/format.js";

type Worst = Pick<Trends, "failing" | "down" | "costly">;

/** The five assets with the most failures, the longest downtime and the highest cost. */
export function WorstAssets({ failing, down, costly }: Worst): VNode | null {
  if (failing.length + down.length + costly.length === 0) return null;
  return (
    <section aria-labelledby="worst">
      <h2 id="worst">{t("Assets to watch")}</h2>
      <p class="soft">{t("In the last 365 days.")}</p>
      <div class="worst">
        <Ranking title={t("Most failures")} rows={failing}>
          {({ failures }) => countOf(failures, "failure")}
        </Ranking>
        <Ranking title={t("Longest downtime")} rows={down}>
          {({ hours }) => formatHours(hours)}
        </Ranking>
        <Ranking title={t("Highest maintenance cost")} rows={costly}>
          {({ cost }) => formatCosts(cost)}
        </Ranking>
      </div>
    </section>
  );
}

interface Ranked {
  asset_id: string;
  inventory_number: string;
  name: string;
}

function Ranking<Row extends Ranked>({
  title,
  rows,
  children,
}: {
  title: string;
  rows: readonly Row[];
  children: (row: Row) => ComponentChildren;
}): VNode {
  return (
    <section class="panel">
      <h3>{title}</h3>
      {rows.length === 0 ? (
        <p class="soft">{t("None.")}</p>
      ) : (
        <ol class="ranking">
          {rows.map((row) => (
            <li key={row.asset_id}>
              <a href={`/assets/${row.asset_id}`}>
                <bdi>{row.name}</bdi> <InventoryNumber>{row.inventory_number}</InventoryNumber>
              </a>
              <span class="numbers">{children(row)}</span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

/** "18 h", "12 days" */
function formatHours(hours: number): string {
  return hours < 48
    ? t("{hours} h", { hours: formatNumber(Math.round(hours)) })
    : countOf(Math.round(hours / 24), "day");
}

function formatCosts(cost: Record<string, number>): string {
  const amounts = Object.entries(cost).map(([currency, amount]) => formatMoney(amount, currency));
  return amounts.length === 0 ? "–" : amounts.join(", ");
}

const shown = 20;

interface GroupTableProps {
  title: string;
  of: "workspace" | "category";
  stats: GroupedStats;
}

/** The work done in each workspace or category over twelve months, and the work waiting there. */
export function GroupTable({ title, of, stats }: GroupTableProps): VNode | null {
  const { groups, groups_not_shown: notShown } = stats;
  if (groups.length === 0) return null;
  const more = groups.length - shown + notShown;
  return (
    <section aria-labelledby={`by-${of}`}>
      <h2 id={`by-${of}`}>{title}</h2>
      <div
        class="table-scroll panel"
        role="region"
        aria-label={t("{title}, as a table", { title })}
        tabIndex={0}
      >
        <table>
          <thead>
            <tr>
              <th scope="col">{of === "workspace" ? t("Workspace") : t("Category")}</th>
              <th scope="col">{t("On time")}</th>
              <th scope="col">{t("Completed||tasks")}</th>
              <th scope="col">{t("Failures")}</th>
              <th scope="col">{t("Cost")}</th>
              <th scope="col">{t("Overdue now")}</th>
            </tr>
          </thead>
          <tbody>
            {groups.slice(0, shown).map((group) => (
              <GroupRow key={group.id} group={group} of={of} />
            ))}
          </tbody>
        </table>
      </div>
      {more > 0 && (
        <p class="soft">
          {t("{count, plural, one {# more isn't shown.} other {# more aren't shown.}}", {
            count: more,
          })}
        </p>
      )}
    </section>
  );
}

function GroupRow({ group, of }: { group: Group; of: GroupTableProps["of"] }): VNode {
  const { on_time_percent: share, completed_tasks, failures, cost, overdue_tasks: late } = group;
  return (
    <tr>
      <th scope="row">
        <GroupName group={group} of={of} />
      </th>
      <td>{share === null ? "–" : formatPercent(share)}</td>
      <td>{formatNumber(completed_tasks)}</td>
      <td>
        {formatNumber(failures)}
        {group.previous !== null && group.previous.failures !== failures && (
          <span class="soft">
            {" "}
            {t("previously {number}", { number: formatNumber(group.previous.failures) })}
          </span>
        )}
      </td>
      <td>{formatCosts(cost)}</td>
      <td class={late !== null && late > 0 ? "bad" : undefined}>{formatNumber(late ?? 0)}</td>
    </tr>
  );
}

function GroupName({ group: { id, name }, of }: { group: Group; of: GroupTableProps["of"] }) {
  if (id === null)
    return <>{of === "workspace" ? t("In no workspace") : t("Without a category")}</>;
  if (of === "workspace")
    return (
      <a href={`/workspaces/${id}`} dir="auto">
        {name}
      </a>
    );
  return (
    <a href={`/assets?category=${encodeURIComponent(name ?? "")}`} dir="auto">
      {name}
    </a>
  );
}
