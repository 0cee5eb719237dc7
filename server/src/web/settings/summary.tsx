import type { FastifyRequest } from "fastify";
import type { VNode } from "preact";
import { seesActivityOfAll } from "../../domain/audit/activity-queries.js";
import { listUndeliveredMails } from "../../domain/messaging/undelivered-mails.js";
import { findTroubles, listWebhooks } from "../../domain/messaging/webhooks.js";
import { countConnections } from "../../domain/oauth/connections.js";
import {
  findOrganizationSummary,
  findOwnSummary,
} from "../../domain/organizations/settings-summary.js";
import { t } from "../../language/translate.js";
import { personOf } from "../layout/reply.js";
import { countOf } from "../text/format.js";

interface Entry {
  href: string;
  label: string;
  /** The present state, in a few words. */
  state: string;
  isBad?: boolean;
}

export interface Summary {
  own: readonly Entry[];
  /** For owners and admins. */
  organization: readonly Entry[];
}

/** Reads the state of the settings that are cheap to count. */
export async function readSummary(request: FastifyRequest): Promise<Summary> {
  const { db, caller } = request;
  const { id: userId } = personOf(request);
  const [own, apps] = await Promise.all([findOwnSummary(db, userId), countConnections(db, userId)]);
  return {
    own: [
      {
        href: "/settings/security",
        label: t("Second factor"),
        state: own?.has_second_factor === true ? t("On||a setting") : t("Off||a setting"),
      },
      { href: "/settings/sessions", label: t("Sessions"), state: String(own?.sessions ?? 0) },
      { href: "/settings/apps", label: t("Connected Apps"), state: String(apps) },
    ],
    organization: seesActivityOfAll(caller) ? await findOfOrganization() : [],
  };

  async function findOfOrganization(): Promise<Entry[]> {
    if (caller === null) return [];
    const { services } = request.server;
    const [found, mails, webhooks, failing] = await Promise.all([
      findOrganizationSummary(db, caller),
      listUndeliveredMails(db, caller, { limit: 1 }, services),
      listWebhooks(db, caller),
      // A refused form is shown before the page's counts are read.
      request.failingWebhooks ?? findTroubles(db, caller).then(({ size }) => size),
    ]);
    const { members = 0, invitations = 0, admins_need_second_factor: isRequired } = found ?? {};
    return [
      {
        href: "/settings/members",
        label: t("Members"),
        state:
          invitations === 0
            ? String(members)
            : t("{members}, {invitations} open", {
                members: String(members),
                invitations: countOf(invitations, "invitation"),
              }),
      },
      {
        href: "/settings/organization#second-factor",
        label: t("Second factor for owners and admins"),
        state: isRequired === true ? t("Required") : t("Not required"),
      },
      { href: "/settings/mail", label: t("Mail"), ...stateOfMail(mails.total_count) },
      {
        href: "/settings/webhooks",
        label: t("Webhooks"),
        state:
          failing === 0
            ? String(webhooks.length)
            : t("{count}, {failing} failing", {
                count: String(webhooks.length),
                failing: String(failing),
              }),
        isBad: failing > 0,
      },
    ];

    function stateOfMail(waiting: number): { state: string; isBad: boolean } {
      if (waiting > 0)
        return { state: t("{count} to send yourself", { count: waiting }), isBad: true };
      const { delivers } = services.mails;
      return { state: delivers ? t("On||a setting") : t("Not set up yet"), isBad: false };
    }
  }
}

export function SummaryPanel({ own, organization }: Summary): VNode {
  return (
    <section class="panel" aria-labelledby="summary">
      <h2 id="summary">{t("At a glance")}</h2>
      <Entries label={t("You||heading of own settings")} entries={own} />
      {organization.length > 0 && <Entries label={t("Organization")} entries={organization} />}
    </section>
  );
}

function Entries({ label, entries }: { label: string; entries: readonly Entry[] }): VNode {
  return (
    <ul class="summary" aria-label={label}>
      {entries.map(({ href, label: name, state, isBad = false }) => (
        <li key={href}>
          <a href={href}>{name}</a> <span class={isBad ? "tag bad" : "soft"}>{state}</span>
        </li>
      ))}
    </ul>
  );
}
