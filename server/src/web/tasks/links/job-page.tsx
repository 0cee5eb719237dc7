import type { FastifyInstance, FastifyPluginAsync } from "fastify";
import type { VNode } from "preact";
import { maxSent } from "../../../domain/files/add-files.js";
import { isPhotoField, photoField } from "../../../domain/files/file-types.js";
import { commit } from "../../../domain/history/transactions.js";
import {
  findLinkNotes,
  findLinkPhotos,
  noteLinkOpened,
  openTaskLink,
  readLinkPhoto,
  workThroughLink,
  type OpenedLink,
} from "../../../domain/tasks/task-link-work.js";
import type { Tx } from "../../../db/database.js";
import { toContractorName } from "../../../domain/shared/contractor-name.js";
import { AppError, isRefusal } from "../../../errors.js";
import { t } from "../../../language/translate.js";
import { createFairQueue } from "../../../traffic/slots.js";
import { photoMomentField } from "../../files/gallery.js";
import { newVersionOf, toFormErrors } from "../../forms/form-errors.js";
import { hiddenField, textField } from "../../forms/form-fields.js";
import { FormRefusal, otherPage, seeOther, type FormReply } from "../../forms/form-reply.js";
import { formRoute } from "../../forms/form-route.js";
import type { FormRequest, OpenedForm } from "../../forms/form-spec.js";
import { readFormKey } from "../../forms/key-and-version.js";
import { BarePage } from "../../layout/bare-page.js";
import { isOpen, readTask, type OpenedTask, type Task } from "../read-task.js";
import {
  readSelected,
  receiveFiles,
  stepControls,
  toStepFields,
  toStepsUpdate,
  toStepValues,
} from "../step-fields.js";
import { JobPage, type Job } from "./job-view.js";

const path = "/job/:token";
const maxPhotos = 30;

/**
 * `/job/:token`: one task for a contractor without an account. Every link that doesn't work has the
 * same page, whatever the reason.
 */
export const jobPages: FastifyPluginAsync = async (app) => {
  app.addHook("onSend", async (_request, reply) => {
    void reply.header("x-robots-tag", "noindex, nofollow");
  });
  await app.register(photoRoute);
  await app.register(createJobForm(app));
};

async function findJob(
  { app, db }: Pick<FormRequest, "app" | "db">,
  token: string,
): Promise<Job | undefined> {
  const opened = await openTaskLink(db, app.services.config.baseUrl, token);
  const task = opened && (await readSharedTask(db, opened));
  return opened && task && { ...opened, ...task, token };
}

/** Undefined if the task is deleted, or the person who shared it can no longer change it. */
async function readSharedTask(
  db: Tx,
  { caller, link }: OpenedLink,
): Promise<OpenedTask | undefined> {
  try {
    const opened = await readTask(db, caller, link.task_id);
    if (!opened.may.change && opened.asset?.state !== "deleted") return undefined;
    return { ...opened, task: withoutOthers(opened.task, toContractorName(link.contractor)) };
  } catch (error) {
    if (error instanceof AppError && error.code === "not_found") return undefined;
    throw error;
  }
}

/** Leaves out names that others signed with, and the tasks that their answers added. */
function withoutOthers(task: Task, contractor: string): Task {
  const steps = task.checklist.filter(
    ({ kind, answer, answered_by: by }) =>
      kind !== "signature" || answer === null || by === contractor,
  );
  return { ...task, checklist: steps.map((step) => ({ ...step, follow_up_task: null })) };
}

async function openJob({ app, request, db, params }: FormRequest): Promise<Job | FormReply> {
  const job = await findJob({ app, db }, params["token"] ?? "");
  if (job === undefined) return otherPage(404, <NoLinkPage />);
  if (!isOpen(job) || !job.may.change) {
    return otherPage(request.method === "GET" ? 200 : 409, <ClosedPage job={job} />);
  }
  return job;
}

function createJobForm(app: FastifyInstance): FastifyPluginAsync {
  const limitLink = app.services.createLimit("changes-of-job");
  // Reading photos takes long, so contractors' photos are read one form at a time.
  const readingTurns = createFairQueue(1);
  return formRoute({
    path,
    script: "page",
    limit: "job",
    upload: { maxFiles: maxSent, isPublic: true },
    controls: { ...stepControls, comment: "note", photo: photoField },
    open: openJob,
    version: ({ task }) => task.version,
    fields: (form) => ({
      ...toStepFields(form),
      note: textField("Note"),
      moment: photoMomentField,
      send: hiddenField,
    }),
    begin: async ({ db, subject }) => {
      await noteLinkOpened(db, subject);
      return toStepValues(subject);
    },
    receive: async (form) => {
      await limitLink(form.subject.link.id);
      if (form.request.uploads.length === 0) return;
      await readingTurns(form.subject.caller.organizationId, () => receivePhotos(form));
    },
    check: ({ values, subject }) =>
      isMarking(subject, values) && (values["note"] ?? "").trim() === ""
        ? [{ field: "note", message: t("Write what you did.") }]
        : [],
    inTransaction: false,
    change: (_tx, { app, request, subject, given, values, version }) => {
      const { caller } = subject;
      const work = {
        sent: { ...values, done: readSelected(request.body), version },
        steps: { ...toStepsUpdate(subject, request.body, given), expected_version: version },
        note: given["note"],
        isDone: isMarking(subject, values),
      };
      return app.services.anonymousQueue(caller.organizationId, () =>
        commit({ db: request.db, caller, request }, (tx) =>
          workThroughLink(tx, subject, readFormKey(request.body), work),
        ),
      );
    },
    toErrors: (error, { subject }) => {
      if (newVersionOf(error) !== undefined) {
        return [
          { message: t("The task was changed meanwhile. Check your entries and send again.") },
        ];
      }
      if (isRefusal(error, "task_link_task_closed")) return seeOther(`/job/${subject.token}`);
      // These would name people.
      if (error instanceof AppError && (error.code === "forbidden" || error.code === "not_found")) {
        return otherPage(404, <NoLinkPage />);
      }
      return toFormErrors(error);
    },
    // The page itself says that the job is marked as done.
    done: (_, { subject, values }) =>
      seeOther(
        `/job/${subject.token}`,
        isMarking(subject, values) ? undefined : t("Saved.||a contractor's job"),
      ),
    page: async ({ db, request, subject }) => {
      const [photos, notes] = await Promise.all([
        findLinkPhotos(db, subject),
        findLinkNotes(db, subject),
      ]);
      const selected = request.body === undefined ? undefined : readSelected(request.body);
      return <JobPage job={subject} {...{ photos, notes, selected }} />;
    },
  });
}

/** True if the contractor says that the work is done, and hasn't said so yet. */
function isMarking({ link }: Job, values: Partial<Record<string, string>>): boolean {
  return values["send"] === "done" && link.done_at === null;
}

async function receivePhotos(form: OpenedForm<Job>): Promise<void> {
  const { db, request, subject } = form;
  const present = await findLinkPhotos(db, subject);
  if (present.length + request.uploads.length > maxPhotos) {
    const message = t("You can add at most {max} photos. Nothing was saved.", { max: maxPhotos });
    throw new FormRefusal([{ field: photoField, message }]);
  }
  const photos = request.uploads.map((one) =>
    isPhotoField(one.field) ? one : { ...one, field: photoField },
  );
  await receiveFiles(form, subject.caller, photos);
}

/** `/job/:token/photos/:photo`: a photo that was added through this link. */
const photoRoute: FastifyPluginAsync = async (app) => {
  app.get<{ Params: { token: string; photo: string } }>(
    `${path}/photos/:photo`,
    { config: { content: true } },
    async ({ db, params: { token, photo } }, reply) => {
      const job = await findJob({ app, db }, token);
      const picture = job && (await readLinkPhoto(db, job, photo));
      if (picture === undefined) throw new AppError("not_found", "file_not_found");
      return reply
        .headers({
          "x-content-type-options": "nosniff",
          "content-security-policy": "default-src 'none'; sandbox",
        })
        .type("image/webp")
        .send(picture);
    },
  );
};

function NoLinkPage(): VNode {
  return (
    <BarePage title={t("This link doesn't work")}>
      <p>
        {t(
          "It may have expired or been revoked, or part of it is missing. Ask the person who sent it for a new one.",
        )}
      </p>
    </BarePage>
  );
}

function ClosedPage({ job: { task, state, caller } }: { job: Job }): VNode {
  return (
    <BarePage title={task.title}>
      <p class="page-facts">
        <span dir="auto">{caller.organizationName}</span>
      </p>
      <p>
        <strong>
          {state === "completed"
            ? t("This job is completed. Thank you.")
            : t("This job is closed. There is nothing left to do.")}
        </strong>
      </p>
    </BarePage>
  );
}
