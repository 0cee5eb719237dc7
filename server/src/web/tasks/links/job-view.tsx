import type { VNode } from "preact";
import { todayOf } from "../../../domain/access/clock.js";
import type { ShownFile } from "../../../domain/files/find-files.js";
import type { OpenedLink } from "../../../domain/tasks/task-link-work.js";
import { t, tRich } from "../../../language/translate.js";
import { MomentChoice, MomentLabel } from "../../files/gallery.js";
import { PostForm, TextArea } from "../../forms/controls.js";
import { FileInput } from "../../forms/file-input.js";
import { DaysLate, PriorityTag } from "../../layout/badges.js";
import { Facts, InventoryNumber } from "../../layout/facts.js";
import { Page } from "../../layout/layout.js";
import { Day, Moment } from "../../layout/moment.js";
import { Notice } from "../../layout/notices.js";
import { Markdown } from "../../text/markdown.js";
import { PersonName } from "../../text/person-name.js";
import type { OpenedTask } from "../read-task.js";
import { Steps } from "../steps.js";

/** A link's task, as the person who shared it sees it now. */
export interface Job extends OpenedTask, OpenedLink {
  token: string;
}

interface JobView {
  job: Job;
  photos: readonly Pick<ShownFile, "id" | "name" | "moment">[];
  notes: readonly { id: string; text: string; created_at: Date }[];
  /** The checks of a refused form. */
  selected: readonly number[] | undefined;
}

/** Only what the contractor needs: no other people, costs, history or comments. */
export function JobPage({ job, photos, notes, selected }: JobView): VNode {
  const { task, caller, link } = job;
  const today = todayOf(caller);
  const { due_date: due } = task;
  const toPhoto = (id: string) =>
    photos.some((photo) => photo.id === id) ? toPhotoAddress(job, id) : undefined;
  return (
    <Page title={task.title} width="narrow" bare>
      <h1 dir="auto">{task.title}</h1>
      <p class="page-facts">
        <span dir="auto">{caller.organizationName}</span>
        {due !== null &&
          (task.state === "overdue" ? (
            <DaysLate due={due} today={today} />
          ) : (
            <span>{tRich("Due {when}", { when: <Day day={due} today={today} /> })}</span>
          ))}
        <PriorityTag priority={task.priority} />
      </p>
      <Review job={job} />
      <Site job={job} />
      {task.description !== null && <Markdown text={task.description} />}
      <PostForm hasFiles isKeyed>
        {task.checklist.length > 0 && (
          <section aria-labelledby="checklist">
            <h2 id="checklist">{t("Checklist")}</h2>
            <Steps steps={task.checklist} selected={selected} toPhoto={toPhoto} />
          </section>
        )}
        <section aria-labelledby="report">
          <h2 id="report">{t("Photos and notes")}</h2>
          <Photos job={job} photos={photos} />
          <MomentChoice preset="after" />
          <FileInput
            name="photo"
            label={t("Add photo")}
            help={t("Opens the camera on a phone.")}
            accept="image/*"
            multiple
            isButton
          />
          <Notes job={job} notes={notes} />
          <TextArea
            name="note"
            help={t("The work done and parts used. Needed to mark the job as done.")}
            maxLength={4000}
            rows={4}
            isAlternative
          />
        </section>
        <div class="actions">
          <button type="submit" name="send" value="save" class="quiet" data-busy={t("Uploading…")}>
            {t("Save")}
          </button>
          {link.done_at === null && (
            <button type="submit" name="send" value="done" data-busy={t("Uploading…")}>
              {t("Mark as done")}
            </button>
          )}
        </div>
      </PostForm>
      <p class="soft">
        {tRich("Shared with {contractor} by {person}. The link is valid until {end}.", {
          contractor: <bdi>{link.contractor}</bdi>,
          person: <PersonName name={caller.userName} />,
          end: <Moment at={link.expires_at} timeZone={caller.timeZone} inline />,
        })}
      </p>
    </Page>
  );
}

function toPhotoAddress({ token }: Job, id: string): string {
  return `/job/${token}/photos/${id}`;
}

function Review({ job: { link, caller } }: { job: Job }): VNode | null {
  const { done_at: done, sent_back_at: sentBack, sent_back_reason: reason } = link;
  if (done !== null) {
    return (
      <Notice title={t("You marked this job as done")}>
        <p>
          {tRich("{organization} will review it. Sent {when}.", {
            organization: <bdi>{caller.organizationName}</bdi>,
            when: <Moment at={done} timeZone={caller.timeZone} inline />,
          })}
        </p>
      </Notice>
    );
  }
  if (sentBack === null || reason === null) return null;
  return (
    <Notice kind="warning" title={t("This job isn't finished yet")}>
      <Markdown text={reason} />
    </Notice>
  );
}

/** The data of the asset's label, and where it is. */
function Site({ job: { task, asset } }: { job: Job }): VNode {
  return (
    <section class="panel" aria-label={t("Location")}>
      <Facts
        facts={[
          [t("Asset"), asset?.name],
          [
            t("Inventory number"),
            asset === null ? null : <InventoryNumber>{asset.inventory_number}</InventoryNumber>,
          ],
          [t("Location"), asset?.location],
          [t("Workspace"), task.workspace_name],
        ]}
      />
    </section>
  );
}

function Photos({ job, photos }: Pick<JobView, "job" | "photos">): VNode | null {
  if (photos.length === 0) return null;
  return (
    <ul class="previews job-photos">
      {photos.map(({ id, name, moment }) => (
        <li key={id}>
          <img src={toPhotoAddress(job, id)} alt={name} loading="lazy" />
          <MomentLabel moment={moment} />
        </li>
      ))}
    </ul>
  );
}

function Notes({ job: { caller }, notes }: Pick<JobView, "job" | "notes">): VNode | null {
  if (notes.length === 0) return null;
  return (
    <ol class="comment-list">
      {notes.map(({ id, text, created_at: at }) => (
        <li key={id}>
          <p class="comment-by soft">
            <Moment at={at} timeZone={caller.timeZone} />
          </p>
          <Markdown text={text} />
        </li>
      ))}
    </ol>
  );
}
