import type { FastifyPluginAsync } from "fastify";
import type { VNode } from "preact";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { getVisibleAsset } from "../../domain/assets/visible-assets.js";
import type { Caller } from "../../domain/access/caller.js";
import {
  createReport,
  maxDescription,
  maxPhotos,
  type ReportedSite,
} from "../../domain/reports/create-report.js";
import type { KeptPhoto } from "../../db/entities/files.js";
import type { GivenFile } from "../../domain/files/prepare-file.js";
import { findKeptPhotos, keepPhotos, readKeptPhoto } from "../../domain/reports/kept-photos.js";
import { findPublicLabel, type PublicLabel } from "../../domain/reports/public-labels.js";
import { createFairQueue } from "../../traffic/slots.js";
import {
  makeStamp,
  readStamp,
  writeReportLink,
  type Stamp,
} from "../../domain/reports/report-links.js";
import { t } from "../../language/translate.js";
import { findOwnLabel } from "../assets/label-visit.js";
import { LabelNotFoundPage } from "../assets/not-found-pages.js";
import { FormActions, PostForm, TextArea, TextInput } from "../forms/controls.js";
import { FileInput } from "../forms/file-input.js";
import { choiceField, hiddenField, required, textField } from "../forms/form-fields.js";
import { FormRefusal, otherPage, seeOther, type FormReply } from "../forms/form-reply.js";
import { formRoute } from "../forms/form-route.js";
import type { Form, FormRequest, ValidForm } from "../forms/form-spec.js";
import { RadioChoices } from "../forms/radio-choices.js";
import type { FormError } from "../layout/error-summary.js";
import { Page } from "../layout/layout.js";
import { listOf } from "../text/format.js";
import { LabelLines, toReportAddress } from "./public-label-page.js";
import { readVisitor } from "../../plugins/members.js";
import type { AppServices } from "../../services.js";

interface Subject extends PublicLabel {
  code: string;
  /** Null for a person without an account. */
  reporter: Caller | null;
}

/** No one reads and fills in the form faster. Earlier submissions wait. */
const leastMs = 2000;

const fields = {
  description: required(textField("What is wrong?"), "Describe the problem."),
  still_usable: required(
    choiceField("Can it still be used?", ["yes", "no"]),
    "Choose whether it can still be used.",
  ),
  name: textField("Your name"),
  email: textField("Email"),
  website: hiddenField,
  stamp: hiddenField,
};

/**
 * `/q/:code/report`: reports a problem with a label's asset or place. For members and, where
 * allowed, everyone.
 */
export const reportForm: FastifyPluginAsync = async (app) => {
  app.addHook("preHandler", readVisitor);
  const limitLabel = app.services.createLimit("reports-of-label");
  // Reading photos takes long, so strangers' photos are read one form at a time.
  const readingTurns = createFairQueue(1);
  const form = formRoute({
    path: "/q/:code/report",
    script: "page",
    limit: "report",
    upload: { maxFiles: maxPhotos, isPublic: true },
    controls: { photo: "photo" },
    open: findSubject,
    fields,
    check: ({ values, subject }) => findSpam(values, subject, app.services),
    // Photos are read before the transaction begins.
    inTransaction: false,
    change: async (_db, form) => {
      const { code, reporter, organization_id } = form.subject;
      // Labels are case-insensitive.
      await limitLabel(code.toLowerCase());
      if (reporter !== null) return store(form);
      await waitForPerson(form);
      if (form.request.uploads.length === 0 && stampOf(form).photos?.length === 0) {
        return store(form);
      }
      return readingTurns(organization_id, () => store(form));
    },
    done: ({ id: reportId }, { subject: { organization_id: organizationId, code } }) => {
      const token = writeReportLink(app.services.reportSecrets, { organizationId, reportId });
      return seeOther(`${toReportAddress(code)}/${token}`, t("Report sent. Thank you."));
    },
    page: async (form) => {
      const { subject } = form;
      const photos = await findPhotos(form);
      const ids = photos.map(({ id }) => id);
      const stamp = makeStamp(app.services.reportSecrets, subject.code, ids);
      return <ReportPage {...{ subject, stamp, photos }} />;
    },
  });
  await app.register(form);
};

function toOrganization({ organizationId: organization_id, organizationName }: Caller) {
  return { organization_id, organization: organizationName };
}

async function findSubject({ request, db, params }: FormRequest): Promise<Subject | FormReply> {
  const { code = "" } = params;
  const own = await findOwnLabel(db, request, code);
  if (own?.asset !== undefined) {
    const { caller: reporter } = own;
    const { id: asset_id, name, inventory_number } = await getVisibleAsset(db, reporter, own.asset);
    const label = { ...toOrganization(reporter), asset_id, name, inventory_number };
    return { ...label, place_id: null, workspace: null, code, reporter };
  }
  if (own?.place !== undefined) {
    const { caller: reporter } = own;
    const { id: place_id, name, within: workspace } = own.place;
    const label = { ...toOrganization(reporter), place_id, name, workspace };
    return { ...label, asset_id: null, inventory_number: null, code, reporter };
  }
  const label = await findPublicLabel(db, code);
  if (label !== undefined) return { ...label, code, reporter: null };
  if (request.person === null) return seeOther(`/q/${encodeURIComponent(code)}`);
  return otherPage(404, LabelNotFoundPage({ code }));
}

/** The photos of a refused form: those it contained, or else those of an earlier attempt. */
async function findPhotos(form: Form<Subject, typeof fields>): Promise<KeptName[]> {
  const { request, app, subject, values, errors } = form;
  const { organization_id: id, code } = subject;
  if (request.method !== "POST" || errors.some(({ field }) => field === "photo")) return [];
  const { uploads } = request;
  const stamp = readStamp(app.services.reportSecrets, values.stamp ?? "", code);
  const isOurs = stamp !== undefined && (values.website ?? "") === "";
  const fresh = isOurs && uploads.length <= maxPhotos ? uploads : [];
  const ids = fresh.length > 0 ? await keepPhotos(request.db, id, fresh) : (stamp?.photos ?? []);
  return findKeptPhotos(request.db, id, ids);
}

type KeptName = Pick<KeptPhoto, "id" | "name">;

/** Detects programs. They fill in invisible fields, or send forms that no page of ours created. */
function findSpam(
  { website = "", stamp = "" }: Partial<Record<keyof typeof fields, string>>,
  { code, reporter }: Subject,
  { reportSecrets }: AppServices,
): FormError[] {
  if (website !== "") {
    return [{ message: t("Leave the “Website” field empty.") }];
  }
  const isOfMember = reporter !== null;
  if (readStamp(reportSecrets, stamp, code, { isOfMember }) !== undefined) return [];
  return [{ message: t("This form was open for a long time. Check it and send it again.") }];
}

type ValidReport = ValidForm<Subject, typeof fields>;

function stampOf({ app, subject, given }: ValidReport): Stamp {
  const { code, reporter } = subject;
  const isOfMember = reporter !== null;
  const stamp = readStamp(app.services.reportSecrets, given.stamp ?? "", code, { isOfMember });
  if (stamp === undefined) throw new Error("A form without a stamp is refused before.");
  return stamp;
}

/** Waits before its turn, so others are not delayed. */
async function waitForPerson(form: ValidReport): Promise<void> {
  const early = stampOf(form).madeAt + leastMs - Date.now();
  if (form.app.services.config.rateLimit && early > 0) await pause(early);
}

async function store(form: ValidReport): Promise<{ id: string }> {
  const { request } = form;
  const stamp = stampOf(form);
  if (request.uploads.length === 0 && stamp.photos !== undefined && stamp.photos.length > 0) {
    return withKeptPhotos(form, stamp.photos, (photos) => storeWith(form, stamp, photos));
  }
  return storeWith(form, stamp, request.uploads);
}

/** Photos of an earlier attempt, as files like uploaded ones. */
async function withKeptPhotos<Result>(
  { request, subject: { organization_id: id } }: ValidReport,
  ids: readonly string[],
  use: (photos: GivenFile[]) => Promise<Result>,
): Promise<Result> {
  const kept = await findKeptPhotos(request.db, id, ids);
  if (kept.length < ids.length) {
    throw new FormRefusal([{ field: "photo", message: t("Choose the photo again.") }]);
  }
  const folder = await mkdtemp(join(tmpdir(), "fettle-kept-"));
  try {
    const photos: GivenFile[] = [];
    for (const { id: photo, name } of kept) {
      const path = join(folder, photo);
      await writeFile(path, await readKeptPhoto(request.db, id, photo), { mode: 0o600 });
      photos.push({ field: "photo", name, path, isTooLarge: false });
    }
    return await use(photos);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function storeWith(
  { request, app, subject, given }: ValidReport,
  stamp: Stamp,
  photos: readonly GivenFile[],
): Promise<{ id: string }> {
  const { reporter, organization_id } = subject;
  const { description, still_usable, name, email } = given;
  return createReport(
    request.db,
    {
      caller: reporter,
      organizationId: organization_id,
      site: toSite(subject),
      requestKey: stamp.key,
      // Strangers' reports use the connections for sign-ins and wait for locks on assets, so they
      // queue.
      ...(reporter === null && {
        inTurn: (work) => app.services.anonymousQueue(organization_id, work),
      }),
    },
    app.services.files,
    { description, still_usable: still_usable === "yes", name, email },
    photos,
  );
}

function toSite({ asset_id, place_id }: PublicLabel): ReportedSite {
  if (asset_id !== null) return { asset_id, place_id: null };
  return { asset_id: null, place_id: place_id ?? "" };
}

interface ReportView {
  subject: Subject;
  stamp: string;
  /** Already attached. */
  photos: readonly KeptName[];
}

function ReportPage({ subject, stamp, photos }: ReportView): VNode {
  const { name, reporter, asset_id, code } = subject;
  return (
    <Page
      title={t("Report a problem with {name}", { name })}
      width="narrow"
      bare={reporter === null}
    >
      <h1>{t("Report a problem")}</h1>
      <p class="named" dir="auto">
        {name}
      </p>
      <LabelLines {...subject} />
      <PostForm hasFiles isKeyed={reporter !== null}>
        <TextArea name="description" maxLength={maxDescription} />
        <RadioChoices
          name="still_usable"
          legend={askUsable(subject)}
          choices={[
            {
              value: "yes",
              label: t("Yes"),
              help:
                asset_id === null
                  ? t("People can use it despite the problem.")
                  : t("It works, but it has a problem."),
            },
            {
              value: "no",
              label: t("No"),
              help:
                asset_id === null
                  ? t("It's unsafe or can't be entered.")
                  : t("It's marked as out of service right away."),
            },
          ]}
        />
        <FileInput
          name="photo"
          label={t("Add photo")}
          help={
            photos.length === 0
              ? t("Opens the camera on a phone.")
              : t("{photos} attached. Choose another photo to replace it.", {
                  photos: listOf(photos.map(({ name }) => name)),
                })
          }
          accept="image/*"
          camera
          isButton
        />
        {reporter === null && <Stranger />}
        <div class="trap" aria-hidden="true">
          <label for="website">{t("Website")}</label>
          <input type="text" id="website" name="website" tabIndex={-1} autocomplete="off" />
        </div>
        <input type="hidden" name="stamp" value={stamp} />
        <FormActions
          submit={t("Send report")}
          {...(reporter !== null && {
            cancel: asset_id === null ? `/q/${code}` : `/assets/${asset_id}`,
          })}
        />
      </PostForm>
    </Page>
  );
}

/** The question about the asset, or about the place. */
export function askUsable({ asset_id }: { asset_id: string | null }): string {
  return asset_id === null ? t("Can this place still be used?") : t("Can it still be used?");
}

function Stranger(): VNode {
  return (
    <>
      <TextInput name="name" maxLength={120} autocomplete="name" />
      <TextInput
        name="email"
        type="email"
        maxLength={254}
        autocomplete="email"
        help={t("We'll tell you the outcome, then delete your name and email after 90 days.")}
      />
    </>
  );
}
