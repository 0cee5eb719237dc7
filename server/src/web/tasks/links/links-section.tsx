import type { VNode } from "preact";
import type { LinkState, ShownTaskLink } from "../../../domain/tasks/task-links.js";
import { t, tRich, translated } from "../../../language/translate.js";
import { Moment } from "../../layout/moment.js";
import { Notice } from "../../layout/notices.js";
import { ActionLink, OfSubject } from "../../layout/page-head.js";
import { Markdown } from "../../text/markdown.js";
import { PersonName } from "../../text/person-name.js";
import { toAddressOf, type Task } from "../read-task.js";

interface LinksProps {
  task: Task;
  links: readonly ShownTaskLink[];
}

/** Work that contractors marked as done and no one has reviewed yet. */
export function DoneNotices({ task, links }: LinksProps): VNode {
  const address = toAddressOf(task);
  return (
    <>
      {links
        .filter(({ done_at: at }) => at !== null)
        .map(({ id, contractor, done_at: at, done_note: note }) => (
          <Notice key={id} title={t("{name} says this is done", { name: contractor })}>
            {note !== null && <Markdown text={note} />}
            {at !== null && (
              <p class="soft">
                <Moment at={at} />
              </p>
            )}
            <p class="actions">
              <ActionLink href={`${address}/complete`}>{t("Approve||finished work")}</ActionLink>
              <ActionLink href={`${address}/links/${id}/send-back`} quiet>
                {t("Send back")}
              </ActionLink>
            </p>
          </Notice>
        ))}
    </>
  );
}

export function LinksSection({ task, links }: LinksProps): VNode | null {
  if (links.length === 0) return null;
  return (
    <section class="no-print" aria-labelledby="contractors">
      <h2 id="contractors">{t("Contractor links")}</h2>
      <LinkList task={task} links={links} />
    </section>
  );
}

export function LinkList({ task, links }: LinksProps): VNode {
  return (
    <ul class="things contractor-links">
      {links.map((link) => (
        <li key={link.id}>
          <LinkRow task={task} link={link} />
        </li>
      ))}
    </ul>
  );
}

const stateWords: Record<Exclude<LinkState, "active">, string> = translated({
  revoked: "Revoked||a link",
  expired: "Expired||a link",
  ended: "No longer works: this person can't edit the task",
});

function LinkRow({ task, link }: { task: Task; link: ShownTaskLink }): VNode {
  const { id, contractor, email, state, expires_at, opened_at, shared_by } = link;
  return (
    <>
      <strong dir="auto">{contractor}</strong>
      <p class="soft file-line">
        {state === "active" ? (
          <span>{tRich("Active until {when}", { when: <Moment at={expires_at} inline /> })}</span>
        ) : (
          <span>{stateWords[state]}</span>
        )}
        <span>
          {opened_at === null
            ? t("Not opened yet")
            : tRich("Opened {when}", { when: <Moment at={opened_at} inline /> })}
        </span>
        {email !== null && <bdi>{email}</bdi>}
        <span>{tRich("Shared by {name}", { name: <PersonName name={shared_by} /> })}</span>
      </p>
      {state === "active" && (
        <a href={`${toAddressOf(task)}/links/${id}/revoke`}>
          {t("Revoke")}
          <OfSubject name={contractor} />
        </a>
      )}
    </>
  );
}
