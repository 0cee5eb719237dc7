import type { FastifyPluginAsync } from "fastify";
import type { ComponentChildren, VNode } from "preact";
import { unlessTooSlow } from "../../../db/query-errors.js";
import type { Caller } from "../../../domain/access/caller.js";
import { findMonthEvents, type MonthEvents } from "../../../domain/insight/month-events.js";
import { t } from "../../../language/translate.js";
import { requireMember } from "../../../plugins/members.js";
import { readForm, textField } from "../../forms/form-fields.js";
import { InventoryNumber } from "../../layout/facts.js";
import { Page } from "../../layout/layout.js";
import { Moment } from "../../layout/moment.js";
import { EmptyState } from "../../layout/notices.js";
import { PageHead } from "../../layout/page-head.js";
import { callerOf, sendPage } from "../../layout/reply.js";
import { toListQuery } from "../../lists/list-query.js";
import { ListTable, type Column } from "../../lists/list-table.js";
import { toAddress } from "../../lists/pager.js";
import { formatHours, formatNumber } from "../../text/format.js";
import { formatMonth } from "./months.js";

const filterFields = { workspace_id: textField("Workspace") };

/** `/trends/2026-11`: the failures and downtime that a month's bars count. */
export const monthPage: FastifyPluginAsync = async (app) => {
  app.get<{ Params: { month: string } }>(
    "/trends/:month",
    { preHandler: requireMember },
    async (request, reply) => {
      const { month } = request.params;
      if (!/^(?:19|[2-9]\d)\d\d-(?:0[1-9]|1[0-2])$/.test(month)) {
        reply.callNotFound();
        return reply;
      }
      const caller = callerOf(request);
      const { workspace_id: workspace } = readForm(request.query, filterFields).given;
      // An object, because undefined means that the month is in the future.
      const read = async () => ({
        events: await findMonthEvents(request.db, caller, { month, workspace }),
      });
      const found = await unlessTooSlow(read());
      if (found !== undefined && found.events === undefined) {
        reply.callNotFound();
        return reply;
      }
      const view = { caller, month, events: found?.events };
      return sendPage(reply, <MonthPage {...view} />);
    },
  );
};

interface MonthView {
  caller: Caller;
  month: string;
  /** Undefined if there is too much data to list in time. */
  events: MonthEvents | undefined;
}

function MonthPage({ caller, month, events }: MonthView): VNode {
  const title = t("Failures and downtime, {month}", { month: formatMonth(month) });
  const { id = "", name = caller.organizationName } = events?.workspace ?? {};
  const back = toAddress("/trends", toListQuery({ workspace_id: id }, {}));
  return (
    <Page title={title} width="wide" current="/trends/">
      <PageHead
        title={title}
        crumbs={[{ href: back, label: t("Trends") }]}
        facts={<bdi>{name}</bdi>}
      />
      {events === undefined ? (
        <EmptyState title={t("Too much data to total here")}>
          <p>{t("Choose one workspace.")}</p>
        </EmptyState>
      ) : (
        <>
          <Failures {...events} />
          <Downtime {...events} />
        </>
      )}
    </Page>
  );
}

function Failures({ month: { failures: count }, failures }: MonthEvents): VNode {
  return (
    <Listed
      id="failures"
      title={t("Failures")}
      sum={formatNumber(count)}
      columns={[
        { kind: "what", label: t("Asset") },
        { kind: "where", label: t("Task") },
        { kind: "due", label: t("When") },
      ]}
      notShown={count - failures.length}
    >
      {failures.map((failure) => (
        <tr key={`${failure.asset_id} ${failure.task_id ?? failure.at.toISOString()}`}>
          <AssetCell asset={failure} />
          <td class="where">
            {failure.task_id === null ? (
              <span class="soft">{t("Out of service")}</span>
            ) : (
              <a href={`/tasks/${failure.task_id}`} dir="auto">
                {failure.title}
              </a>
            )}
          </td>
          <td class="due">
            <Moment at={failure.at} inline />
          </td>
        </tr>
      ))}
    </Listed>
  );
}

function Downtime({ month: { down_hours: hours }, down }: MonthEvents): VNode {
  return (
    <Listed
      id="downtime"
      title={t("Downtime")}
      sum={formatHours(hours)}
      columns={[
        { kind: "what", label: t("Asset") },
        { kind: "due", label: t("Downtime") },
      ]}
    >
      {down.map((asset) => (
        <tr key={asset.asset_id}>
          <AssetCell asset={asset} />
          <td class="due">{formatHours(asset.hours)}</td>
        </tr>
      ))}
    </Listed>
  );
}

function Listed({
  id,
  title,
  sum,
  columns,
  notShown = 0,
  children,
}: {
  id: string;
  title: string;
  /** As in the bar. */
  sum: string;
  columns: readonly Column[];
  notShown?: number;
  children: ComponentChildren[];
}): VNode {
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>
        {title} <span class="count">{sum}</span>
      </h2>
      {children.length === 0 ? (
        <p class="soft">{t("None.")}</p>
      ) : (
        <ListTable label={title} columns={columns} hasPicks={false}>
          {children}
        </ListTable>
      )}
      {notShown > 0 && (
        <p class="soft">
          {t("{count, plural, one {# more isn't shown.} other {# more aren't shown.}}", {
            count: notShown,
          })}
        </p>
      )}
    </section>
  );
}

function AssetCell({
  asset: { asset_id: id, name, inventory_number: number },
}: {
  asset: { asset_id: string; name: string; inventory_number: string };
}): VNode {
  return (
    <td class="what">
      <a class="thing" href={`/assets/${id}`} dir="auto">
        {name}
      </a>
      <span class="below">
        <InventoryNumber>{number}</InventoryNumber>
      </span>
    </td>
  );
}
