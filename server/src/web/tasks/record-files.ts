import { buffer } from "node:stream/consumers";
import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import { photoMoments } from "../../db/entities/files.js";
import type { Caller } from "../../domain/access/caller.js";
import { toCell } from "../../domain/exchange/cell-texts.js";
import type { SheetRow } from "../../domain/exchange/headings.js";
import { readContent } from "../../domain/files/file-contents.js";
import {
  findFile,
  findFilesOf,
  readThumbnail,
  type ShownFile,
} from "../../domain/files/find-files.js";
import { readPicture } from "../../domain/files/pictures.js";
import type { PrintedRecord, PrintedStep } from "../../domain/labels/record-pdf.js";
import { AppError } from "../../errors.js";
import { currentLocale } from "../../language/locale.js";
import { t } from "../../language/translate.js";
import { photoMomentLabels } from "../files/gallery.js";
import { callerOf } from "../layout/reply.js";
import { addExports } from "../lists/export-route.js";
import { describeMomentInFull, formatDay, listOf } from "../text/format.js";
import { toPersonName } from "../text/person-name.js";
import { routeLimit } from "../../traffic/bounds.js";
import { describeCosts, inMinutes, nameOf } from "./describe-task.js";
import { readTask, type OpenedTask } from "./read-task.js";
import { kindLabels } from "./step-rows.js";
import { describeFailure, describeLimits, toAnswerText } from "./steps.js";

type Step = OpenedTask["task"]["checklist"][number];

interface RecordView extends OpenedTask {
  caller: Caller;
  /** The task's files, by id. */
  files: ReadonlyMap<string, ShownFile>;
}

/** True if steps have been done or answered, so there is something to record. */
export function hasRecord({ task }: Pick<OpenedTask, "task">): boolean {
  return task.checklist.some(({ done }) => done);
}

/** `/tasks/:id/record.pdf`, `.csv` and `.xlsx`: the answered steps of a task. */
export const taskRecordFiles: FastifyPluginAsync = async (app) => {
  addExports(app, { path: "/tasks/:id/record", columns: Object.keys(columns), find: exportSteps });
  app.get<{ Params: { id: string } }>(
    "/tasks/:id/record.pdf",
    { config: { rateLimit: routeLimit("list-export") } },
    async (request, reply) => {
      const view = await readRecord(request, callerOf(request), request.params.id);
      const { organizationId } = view.caller;
      const record = toPrinted(
        view,
        await readDrawings(request, view),
        await readPhotos(request, view),
      );
      const pdf = await app.services.sheets.draw(organizationId, { record });
      return reply
        .type("application/pdf")
        .header("content-disposition", `attachment; filename="${view.task.task_number}.pdf"`)
        .send(Buffer.from(pdf));
    },
  );
};

async function readRecord({ db }: FastifyRequest, caller: Caller, id: string): Promise<RecordView> {
  const opened = await readTask(db, caller, id);
  if (!hasRecord(opened)) throw new AppError("not_found", "nothing_there");
  const files = await findFilesOf(db, caller, { task_id: opened.task.id });
  return { ...opened, caller, files: new Map(files.map((file) => [file.id, file])) };
}

/** Larger pictures than those of our own pages aren't printed as signatures. */
const maxDrawing = { side: 1200, bytes: 200_000 };

/** The contents of drawn signatures, by the id of the file. */
async function readDrawings(
  { db, server }: FastifyRequest,
  { caller, task, files }: RecordView,
): Promise<Map<string, Uint8Array>> {
  const drawings = new Map<string, Uint8Array>();
  for (const { drawing } of task.checklist) {
    const file = drawing === null ? undefined : files.get(drawing);
    if (file === undefined || !isPrintable(file)) continue;
    const found = await findFile(db, caller, file.id);
    const { objects } = server.services.files;
    drawings.set(file.id, new Uint8Array(await buffer(await readContent(db, objects, found))));
  }
  return drawings;
}

/** Steps come first. */
const maxPhotos = 24;

/** The thumbnails of photos, by the id of the file. PDF has no WebP, so they are converted. */
async function readPhotos(
  { db }: FastifyRequest,
  { caller, task, files }: RecordView,
): Promise<Map<string, Uint8Array>> {
  const ofSteps = task.checklist.flatMap(({ kind, answer }) =>
    kind === "photo" && answer !== null ? [answer] : [],
  );
  const ids = new Set([...ofSteps, ...findMoments(files).map(({ id }) => id)]);
  const photos = new Map<string, Uint8Array>();
  for (const id of [...ids].filter((one) => (files.get(one)?.width ?? null) !== null)) {
    if (photos.size === maxPhotos) break;
    const file = await findFile(db, caller, id);
    const type = file.type === "image/png" ? "image/png" : "image/jpeg";
    const { content } = await readPicture(() => readThumbnail(db, file), type, {
      ...{ field: "photo", name: file.name },
      uploader: caller,
    });
    photos.set(id, new Uint8Array(content));
  }
  return photos;
}

/** The photos from before and after the work, in that order. */
function findMoments(files: RecordView["files"]): ShownFile[] {
  const oldestFirst = [...files.values()].reverse();
  return photoMoments.flatMap((one) => oldestFirst.filter(({ moment }) => moment === one));
}

function isPrintable({ type, size, width, height }: ShownFile): boolean {
  const side = Math.max(width ?? 0, height ?? 0);
  const isFormat = type === "image/png" || type === "image/jpeg";
  return isFormat && size <= maxDrawing.bytes && side <= maxDrawing.side;
}

type Cell = (view: RecordView, step: Step) => unknown;

/** In English, because programs read them. Each step has a row. */
const columns: Record<string, Cell> = {
  organization: ({ caller }) => caller.organizationName,
  task_number: ({ task }) => task.task_number,
  title: ({ task }) => task.title,
  asset_id: ({ task }) => task.inventory_number,
  asset_name: ({ task }) => task.asset_name,
  workspace_id: ({ task }) => task.workspace_name,
  procedure: ({ task }) => task.procedure,
  procedure_version: ({ task }) => task.procedure_version,
  due_date: ({ task }) => task.due_date,
  completed_at: ({ task }) => task.completed_at,
  completed_by: ({ task }) => task.completed_by,
  step: (_, step) => step.number,
  label: (_, step) => step.label,
  kind: (_, step) => step.kind ?? "check",
  required: (_, step) => step.required === true,
  unit: (_, step) => step.unit,
  min: (_, step) => step.min,
  max: (_, step) => step.max,
  options: (_, step) => step.options,
  done: (_, step) => step.done,
  answer: ({ files }, { kind, answer }) => {
    if (answer === null) return null;
    if (kind === "number") return Number(answer);
    return kind === "photo" ? (files.get(answer)?.name ?? answer) : answer;
  },
  drawing: ({ files }, { drawing }) => drawing && files.get(drawing)?.name,
  failed: (_, step) => step.failed === true,
  answered_by: (_, step) => step.answered_by,
  answered_at: (_, step) => step.answered_at,
  follow_up_task: (_, step) => step.follow_up_task,
};

async function* exportSteps(request: FastifyRequest, caller: Caller): AsyncGenerator<SheetRow[]> {
  const { id } = request.params as { id: string };
  const view = await readRecord(request, caller, id);
  yield view.task.checklist.map((step) =>
    Object.entries(columns).map(([name, read]) => toCell(name, read(view, step))),
  );
}

function toPrinted(
  view: RecordView,
  drawings: Map<string, Uint8Array>,
  photos: Map<string, Uint8Array>,
): PrintedRecord {
  const { task, asset, caller, files } = view;
  const moment = (at: string | null) => at && describeMomentInFull(new Date(at));
  const facts: [string, string | null][] = [
    [t("Asset"), asset && listOf([asset.name, asset.inventory_number])],
    [t("Location"), asset?.location ?? null],
    [t("Workspace"), task.workspace_name],
    [t("Procedure"), task.procedure && toProcedureText(task)],
    [t("Due"), task.due_date && formatDay(task.due_date)],
    [t("Completed"), moment(task.completed_at)],
    [t("Completed by"), task.completed_by && toPersonName(task.completed_by)],
    [t("Time spent"), inMinutes(task.actual_minutes)],
    [t("Costs"), describeCosts(task)],
  ];
  const { description, completion_notes: notes } = task;
  const sections: [string, string | null][] = [
    [t("Description"), description],
    [t("Completion notes"), notes],
  ];
  return {
    title: nameOf(task),
    organization: caller.organizationName,
    language: currentLocale(),
    facts: facts.flatMap(([label, value]) => (value === null ? [] : [[label, value] as const])),
    stepsHeading: t("Checklist"),
    steps: task.checklist.map((step) => ({
      ...toPrintedStep(view, drawings, step),
      photo: step.kind === "photo" ? photos.get(step.answer ?? "") : undefined,
    })),
    photosHeading: t("Photos"),
    photos: findMoments(files).flatMap(({ id, moment }) => {
      const picture = photos.get(id);
      return picture === undefined || moment === null
        ? []
        : [{ caption: photoMomentLabels[moment], picture }];
    }),
    sections: sections.flatMap(([heading, text]) => (text === null ? [] : [{ heading, text }])),
    pageNumber: t("Page {page} of {pages}", { page: "{page}", pages: "{pages}" }),
    unprintable: t("“?” replaces characters that the PDF can't show. The CSV file has them."),
  };
}

function toProcedureText({ procedure, procedure_version: version }: RecordView["task"]): string {
  const values = { name: procedure ?? "", version: version ?? 0 };
  return t("{name}, version {version}", values);
}

function toPrintedStep(
  { files }: RecordView,
  drawings: Map<string, Uint8Array>,
  step: Step,
): PrintedStep {
  const { kind, required, answer, unit, follow_up_task: task } = step;
  const limits = describeLimits(step);
  const detail = [
    kindLabels[kind ?? "check"],
    ...(required === true ? [t("required||a step")] : []),
    ...(limits === undefined ? [] : [limits]),
    ...(step.options ?? []),
  ];
  return {
    label: step.label,
    detail: detail.join(" · "),
    answer:
      kind === "photo" ? (files.get(answer ?? "")?.name ?? t("(no answer)")) : toAnswer(step, unit),
    drawing: drawings.get(step.drawing ?? ""),
    failure: step.failed === true ? describeFailure(step) : undefined,
    notes: [
      ...describeAnswering(step),
      ...(task === null ? [] : [t("Task {number}", { number: task })]),
    ],
  };
}

/** "Olga Owner, 30 November 2026 at 14:20" */
function describeAnswering({ answered_by: by, answered_at: at }: Step): string[] {
  if (at === null) return [];
  return [listOf([...(by === null ? [] : [toPersonName(by)]), describeMomentInFull(new Date(at))])];
}

function toAnswer({ kind, answer, done }: Step, unit: string | null): string {
  if (kind === null) return done ? t("(done)") : t("(not done)");
  return answer === null ? t("(no answer)") : toAnswerText(kind, answer, unit);
}
