import type { FastifyReply, FastifyRequest } from "fastify";
import type { VNode } from "preact";
import type { Tx } from "../../db/database.js";
import type { Caller } from "../../domain/access/caller.js";
import { findAssetsById } from "../../domain/assets/assets-by-id.js";
import { idKindOf } from "../../domain/shared/ids.js";
import { findTasksById } from "../../domain/tasks/tasks-by-id.js";
import { t } from "../../language/translate.js";
import { cookieOptions } from "../layout/cookie-options.js";
import { InventoryNumber } from "../layout/facts.js";
import { isCopy } from "../layout/offline-cookie.js";

/** The person and the ids of the assets and tasks that they opened last, newest first. */
const recentCookie = "__Host-fettle-recent";
const most = 8;
const lifeSeconds = 30 * 24 * 60 * 60;

/** Notes that a person opened the page of an asset or task. */
export function noteOpened(request: FastifyRequest, reply: FastifyReply, id: string): void {
  const before = readIds(request);
  if (before[0] === id || isCopy(request)) return;
  const ids = [id, ...before.filter((one) => one !== id)].slice(0, most);
  void reply.setCookie(recentCookie, [request.person?.id, ...ids].join("."), {
    ...cookieOptions,
    maxAge: lifeSeconds,
  });
}

function readIds({ cookies, person }: FastifyRequest): string[] {
  const [owner, ...ids] = (cookies[recentCookie] ?? "").split(".");
  return owner === person?.id ? ids.slice(0, most) : [];
}

export interface Recent {
  href: string;
  name: string;
  number: string;
}

/** The records that the person opened last in this browser and can still see. */
export async function findRecent(
  db: Tx,
  caller: Caller,
  request: FastifyRequest,
): Promise<Recent[]> {
  const ids = readIds(request);
  if (ids.length === 0) return [];
  const ofKind = (kind: string) => ids.filter((id) => idKindOf(id) === kind);
  const [assets, tasks] = await Promise.all([
    findAssetsById(db, caller, ofKind("asset")),
    findTasksById(db, caller, ofKind("task")),
  ]);
  const found = new Map<string, Recent>();
  for (const { id, name, inventory_number: number } of assets) {
    found.set(id, { href: `/assets/${id}`, name, number });
  }
  for (const [id, { title, task_number: number }] of tasks) {
    found.set(id, { href: `/tasks/${id}`, name: title, number });
  }
  return ids.flatMap((id) => found.get(id) ?? []);
}

export function RecentRecords({ records }: { records: readonly Recent[] }): VNode | null {
  if (records.length === 0) return null;
  return (
    <section aria-labelledby="recent">
      <h2 id="recent">{t("Recently opened")}</h2>
      <ul class="things found">
        {records.map(({ href, name, number }) => (
          <li key={href}>
            <div>
              <a class="thing" href={href} dir="auto">
                {name}
              </a>
              <p class="about">
                <InventoryNumber>{number}</InventoryNumber>
              </p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
