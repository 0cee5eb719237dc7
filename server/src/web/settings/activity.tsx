import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import type { VNode } from "preact";
import {
  listActivity,
  type ActivityPage,
  type ActivityRow,
} from "../../domain/logs/activity-log.js";
import { isOrganizationAdmin } from "../../domain/access/caller.js";
import { dayIn } from "../../domain/values/dates.js";
import { describeBrowser } from "../text/browser-names.js";
import { personOptions } from "../forms/choices.js";
import { toOptions, type Option } from "../forms/controls.js";
import { FilterForm, FilterSelect } from "../lists/filters.js";
import { readFields } from "../forms/forms.js";
import { Pager } from "../layout/page-parts.js";
import { EmptyState } from "../layout/parts.js";
import { personOf, sendPage, timeZoneOf } from "../layout/reply.js";
import { choicesOf } from "../text/value-labels.js";
import { describeDay, describeMomentInFull, formatDay } from "../text/format.js";
import { activityGroups, isSerious, describeActivity, typesOf } from "./describe-activity.js";
import { SettingsPage } from "./settings-layout.js";

const address = "/settings/activity";
const perPage = 50;

/** `/settings/activity`: what was done with accounts, access and roles. */
export const activityPages: FastifyPluginAsync = async (app) => {
  app.get(address, async (request, reply) => {
    const { caller } = request;
    const { id: userId } = personOf(request);
    const { group, person, cursor } = readQuery(request);
    const isAdmin = caller !== null && isOrganizationAdmin(caller);
    const [page, people] = await Promise.all([
      listActivity(
        app.db.manager,
        { userId, caller },
        {
          types: group && typesOf(group),
          personId: person,
          limit: perPage,
          ...(cursor !== "" && { cursor }),
        },
        app.cursors,
      ),
      isAdmin ? personOptions(app.db.manager, caller) : undefined,
    ]);
    return sendPage(
      reply,
      <ActivityLogPage
        page={page}
        people={people}
        filters={{ type: group, person, cursor }}
        userId={userId}
        timeZone={timeZoneOf(request)}
      />,
    );
  });
};

/** What the address asks for; a kind or a person that there is not is no filter. */
function readQuery(request: FastifyRequest) {
  const { type, person, cursor } = readFields(request.query, ["type", "person", "cursor"]);
  const group = choicesOf(activityGroups).find((one) => one === type);
  return { group, person: /^[a-z]{1,8}_[\w-]{1,40}$/.test(person) ? person : undefined, cursor };
}

interface ActivityView {
  page: ActivityPage;
  /** Whom an owner or admin can choose; absent for everybody else. */
  people: readonly Option[] | undefined;
  filters: { type: string | undefined; person: string | undefined; cursor: string };
  userId: string;
  timeZone: string;
}

function ActivityLogPage(view: ActivityView): VNode {
  const { page, people, filters } = view;
  const { type, person, cursor } = filters;
  const parameters = new URLSearchParams({
    ...(type !== undefined && { type }),
    ...(people !== undefined && person !== undefined && { person }),
    ...(cursor !== "" && { cursor }),
  });
  return (
    <SettingsPage title="Activity" width="wide" current={address}>
      <p class="soft">
        {people === undefined
          ? "What you did with your account, with apps and in the organization. What changed on assets and tasks is in their histories."
          : "Sign-ins of members, connected apps, roles, invitations and permanent deletions. What changed on assets and tasks is in their histories."}
      </p>
      <Filters type={type} person={person} people={people} />
      {page.entries.length === 0 ? (
        <EmptyState title="Nothing to show">
          <p>Nothing of this kind has happened yet.</p>
        </EmptyState>
      ) : (
        <Entries {...view} />
      )}
      <Pager path={address} query={parameters} nextCursor={page.next_cursor} />
    </SettingsPage>
  );
}

function Filters({
  type,
  person,
  people,
}: {
  type: string | undefined;
  person: string | undefined;
  people: readonly Option[] | undefined;
}): VNode {
  return (
    <FilterForm path={address} label="Activity" isNarrowed={(type ?? person) !== undefined}>
      <FilterSelect
        {...{ name: "type", label: "Show", any: "Everything", value: type ?? "" }}
        options={toOptions(activityGroups)}
      />
      {people !== undefined && (
        <FilterSelect
          {...{ name: "person", label: "Person", any: "Everybody", value: person ?? "" }}
          options={people}
        />
      )}
    </FilterForm>
  );
}

function Entries({ page, timeZone, userId, people }: ActivityView): VNode {
  const days = new Map<string, ActivityRow[]>();
  for (const entry of page.entries) {
    const day = dayIn(timeZone, entry.created_at);
    days.set(day, [...(days.get(day) ?? []), entry]);
  }
  const today = dayIn(timeZone);
  return (
    <div class="history">
      {[...days].map(([day, entries]) => (
        <section key={day}>
          <h2>
            <time dateTime={day}>{toDayLabel(day, today)}</time>
          </h2>
          <ol>
            {entries.map((entry) => (
              <Entry
                key={entry.id}
                entry={entry}
                who={people === undefined && entry.user_id === userId ? "You" : entry.actor_name}
                timeZone={timeZone}
              />
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}

/** "Today, 21 Nov 2026"; what is long ago is only a date. */
function toDayLabel(day: string, today: string): string {
  const words = describeDay(day, today);
  const date = formatDay(day);
  if (words !== "today" && words !== "yesterday") return date;
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}, ${date}`;
}

function Entry({
  entry,
  who,
  timeZone,
}: {
  entry: ActivityRow;
  who: string;
  timeZone: string;
}): VNode {
  const { created_at: createdAt, ip_address: ipAddress, user_agent: userAgent } = entry;
  const time = new Intl.DateTimeFormat("en-GB", { timeStyle: "short", timeZone });
  const from = [
    ...(ipAddress === null ? [] : [ipAddress]),
    ...(userAgent === null ? [] : [describeBrowser(userAgent)]),
  ];
  return (
    <li class={isSerious(entry) ? "grave" : undefined}>
      <time dateTime={createdAt.toISOString()} title={describeMomentInFull(createdAt, timeZone)}>
        {time.format(createdAt)}
      </time>
      <div>
        <span>{describeActivity(entry, who)}.</span>
        {from.length > 0 && <p class="soft">From {from.join(", ")}</p>}
      </div>
    </li>
  );
}
