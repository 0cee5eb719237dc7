import type { ComponentChildren, VNode } from "preact";
import type { Group, GroupedStats } from "../../../domain/insight/grouped-stats.js";
import type { Trends } from "../../../domain/insight/trends.js";
import { t } from "../../../language/translate.js";
import { InventoryNumber } from "../../layout/facts.js";
import {
  countOf,
  formatHours,
  formatNumber,
  formatPercent,
  formatRoundMoney,
} from "../../text/format.js";
import { FigureCell, FigureTable } from "./figure-table.js";

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
          {({ hours }) => formatDowntime(hours)}
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
function formatDowntime(hours: number): string {
  return hours < 48 ? formatHours(hours) : countOf(Math.round(hours / 24), "day");
}

function formatCosts(cost: Record<string, number>): string {
  const amounts = Object.entries(cost).map(([currency, amount]) =>
    formatRoundMoney(amount, currency),
  );
  return amounts.length === 0 ? "–" : amounts.join(", ");
}

const shown = 10;

interface GroupTableProps {
  title: string;
  of: "workspace" | "category";
  stats: GroupedStats;
  isAll: boolean;
  /** The page with all groups. */
  allHref: string;
}

/** The work done in each workspace or category over twelve months, and the work waiting there. */
export function GroupTable({ title, of, stats, isAll, allHref }: GroupTableProps): VNode | null {
  const { groups_not_shown: notShown } = stats;
  const groups = sortGroups(stats.groups);
  if (groups.length === 0) return null;
  const rows = isAll ? groups : groups.slice(0, shown);
  const more = groups.length - rows.length;
  const columns = [
    of === "workspace" ? t("Workspace") : t("Category"),
    t("On time"),
    t("Completed||tasks"),
    t("Failures"),
    t("Cost"),
    t("Overdue now"),
  ];
  return (
    <section aria-labelledby={`by-${of}`}>
      <h2 id={`by-${of}`}>{title}</h2>
      <p class="soft">{t("Most overdue tasks first, then the lowest share on time.")}</p>
      <FigureTable class="panel" label={t("{title}, as a table", { title })} columns={columns}>
        {rows.map((group) => (
          <GroupRow key={group.id} group={group} of={of} columns={columns} />
        ))}
      </FigureTable>
      {more > 0 ? (
        <p>
          <a href={allHref}>{t("Show {count} more", { count: more })}</a>
        </p>
      ) : (
        notShown > 0 && (
          <p class="soft">
            {t("{count, plural, one {# more isn't shown.} other {# more aren't shown.}}", {
              count: notShown,
            })}
          </p>
        )
      )}
    </section>
  );
}

/** The worst first. A group without a name comes last, and is omitted without figures. */
function sortGroups(groups: readonly Group[]): Group[] {
  const isNamed = ({ id }: Group) => Number(id !== null);
  const late = ({ overdue_tasks: tasks }: Group) => tasks ?? 0;
  const share = ({ on_time_percent: percent }: Group) => percent ?? 101;
  return groups
    .filter(
      (group) =>
        group.id !== null ||
        group.completed_tasks + group.planned_due + group.failures + late(group) > 0 ||
        Object.keys(group.cost).length > 0,
    )
    .toSorted(
      (one, other) =>
        isNamed(other) - isNamed(one) || late(other) - late(one) || share(one) - share(other),
    );
}

function GroupRow({
  group,
  of,
  columns: [, ofShare, ofTasks, ofFailures, ofCost, ofLate],
}: {
  group: Group;
  of: GroupTableProps["of"];
  columns: readonly string[];
}): VNode {
  const { on_time_percent: share, completed_tasks, failures, cost, overdue_tasks: late } = group;
  return (
    <tr>
      <th scope="row">
        <GroupName group={group} of={of} />
      </th>
      <FigureCell column={ofShare}>{share === null ? "–" : formatPercent(share)}</FigureCell>
      <FigureCell column={ofTasks}>{formatNumber(completed_tasks)}</FigureCell>
      <FigureCell column={ofFailures}>
        {formatNumber(failures)}
        {group.previous !== null && group.previous.failures !== failures && (
          <span class="soft">
            {" "}
            {t("(previously {number})", { number: formatNumber(group.previous.failures) })}
          </span>
        )}
      </FigureCell>
      <FigureCell column={ofCost}>{formatCosts(cost)}</FigureCell>
      <FigureCell column={ofLate} class={late !== null && late > 0 ? "bad" : undefined}>
        {formatNumber(late ?? 0)}
      </FigureCell>
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
