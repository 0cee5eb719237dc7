import type { FastifyPluginAsync } from "fastify";
import type { VNode } from "preact";
import { setTimeout as pause } from "node:timers/promises";
import { getVisibleAsset } from "../../domain/assets/visible-assets.js";
import type { Caller } from "../../domain/access/caller.js";
import { createReport, maxDescription, maxPhotos } from "../../domain/reports/create-report.js";
import { findPublicLabel, type PublicLabel } from "../../domain/reports/public-labels.js";
import { createFairTurns } from "../../domain/values/fair-turns.js";
import {
  makeStamp,
  readStamp,
  writeReportLink,
  type Stamp,
} from "../../domain/reports/report-links.js";
import { t } from "../../language/translate.js";
import { findOwnAsset } from "../assets/label-visit.js";
import { LabelNotFoundPage } from "../assets/not-found-pages.js";
import { FormActions, PostForm, TextArea, TextInput } from "../forms/controls.js";
import { FileInput } from "../forms/file-input.js";
import { choiceField, hiddenField, required, textField } from "../forms/form-fields.js";
import { otherPage, seeOther, type FormReply } from "../forms/form-reply.js";
import { formRoute } from "../forms/form-route.js";
import type { FormRequest, ValidForm } from "../forms/form-spec.js";
import { RadioChoices } from "../forms/radio-choices.js";
import type { FormError } from "../layout/error-summary.js";
import { Page } from "../layout/layout.js";
import { LabelLines, toReportAddress } from "./public-label-page.js";

interface Subject extends PublicLabel {
  code: string;
  /** Null: somebody without an account. */
  reporter: Caller | null;
}

/** Of one address, and of one label whoever sends them. */
const perMinute = 10;
const perMinuteOfLabel = 6;

/** Nobody reads and fills in the form faster; what comes sooner waits until then. */
const leastMs = 2000;

const fields = {
  description: required(textField("What is wrong?"), "Say what is wrong."),
  still_usable: required(
    choiceField("Can it still be used?", ["yes", "no"]),
    "Say whether it can still be used.",
  ),
  name: textField("Your name"),
  email: textField("Email"),
  website: hiddenField,
  stamp: hiddenField,
};

/** `/q/:code/report`: a problem with what a label is on, from members and where allowed from anybody. */
export const reportForm: FastifyPluginAsync = async (app) => {
  app.addHook("preHandler", app.readVisitor);
  const limitLabel = app.createMinuteLimit("reports-of-label", perMinuteOfLabel, "messages");
  // Photos take long to read: those of strangers are, one form's after the other.
  const readingTurns = createFairTurns(1);
  const form = formRoute({
    path: "/q/:code/report",
    limit: { max: perMinute, timeWindow: 60_000 },
    upload: { maxFiles: maxPhotos, isPublic: true },
    controls: { photo: "photo" },
    open: findSubject,
    fields,
    check: ({ values, subject }) => findSpam(values, subject, app),
    // Photos are read before it begins.
    inTransaction: false,
    change: async (_db, form) => {
      const { code, reporter, organization_id } = form.subject;
      // Labels are found in any letter case.
      await limitLabel(code.toLowerCase());
      if (reporter !== null) return store(form);
      await waitForPerson(form);
      if (form.request.uploads.length === 0) return store(form);
      return readingTurns(organization_id, () => store(form));
    },
    done: ({ id: reportId }, { subject: { organization_id: organizationId, code } }) => {
      const token = writeReportLink(app.reportSecrets, { organizationId, reportId });
      return seeOther(
        `${toReportAddress(code)}/${token}`,
        t("Your report has arrived. Thank you."),
      );
    },
    page: ({ subject, app: { reportSecrets } }) => (
      <ReportPage subject={subject} stamp={makeStamp(reportSecrets, subject.code)} />
    ),
  });
  await app.register(form);
};

async function findSubject({ request, db, params }: FormRequest): Promise<Subject | FormReply> {
  const { code = "" } = params;
  const own = await findOwnAsset(db, request, code);
  if (own !== undefined) {
    const { caller } = own;
    const { id: asset_id, name, inventory_number } = await getVisibleAsset(db, caller, own.id);
    const { organizationId: organization_id, organizationName: organization } = caller;
    const label = { organization_id, asset_id, name, inventory_number, organization };
    return { ...label, code, reporter: caller };
  }
  const label = await findPublicLabel(db, code);
  if (label !== undefined) return { ...label, code, reporter: null };
  if (request.person === null) return seeOther(`/q/${encodeURIComponent(code)}`);
  return otherPage(404, LabelNotFoundPage({ code }));
}

/** What only programs do: they fill in what nobody sees, or send what no page of ours made. */
function findSpam(
  { website = "", stamp = "" }: Partial<Record<keyof typeof fields, string>>,
  { code }: Subject,
  { reportSecrets }: FormRequest["app"],
): FormError[] {
  if (website !== "") {
    return [{ message: t("Leave the field “Website” empty, it is there to catch programs.") }];
  }
  if (readStamp(reportSecrets, stamp, code) !== undefined) return [];
  return [
    { message: t("This form was open for very long. Look through it and send it once more.") },
  ];
}

type ValidReport = ValidForm<Subject, typeof fields>;

function stampOf({ app, subject, given }: ValidReport): Stamp {
  const stamp = readStamp(app.reportSecrets, given.stamp ?? "", subject.code);
  if (stamp === undefined) throw new Error("A form without a stamp is refused before.");
  return stamp;
}

/** Before the turn, which others wait for. */
async function waitForPerson(form: ValidReport): Promise<void> {
  const early = stampOf(form).madeAt + leastMs - Date.now();
  if (form.app.config.rateLimit && early > 0) await pause(early);
}

async function store(form: ValidReport): Promise<{ id: string }> {
  const { request, app, subject, given } = form;
  const { reporter, organization_id, asset_id } = subject;
  const stamp = stampOf(form);
  const { description, still_usable, name, email } = given;
  return createReport(
    request.db,
    {
      ...{ caller: reporter, organizationId: organization_id, assetId: asset_id },
      requestKey: stamp.key,
      // Those of strangers are stored by the connections that people sign in with, and wait for assets.
      ...(reporter === null && { inTurn: (work) => app.strangersTurns(organization_id, work) }),
    },
    app.files,
    { description, still_usable: still_usable === "yes", name, email },
    request.uploads,
  );
}

function ReportPage({ subject, stamp }: { subject: Subject; stamp: string }): VNode {
  const { name, reporter, asset_id } = subject;
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
      <PostForm hasFiles>
        <TextArea name="description" maxLength={maxDescription} />
        <RadioChoices
          name="still_usable"
          legend={t("Can it still be used?")}
          choices={[
            { value: "yes", label: t("Yes"), help: t("It works, with the problem.") },
            { value: "no", label: t("No"), help: t("It is marked as out of service at once.") },
          ]}
        />
        <FileInput
          name="photo"
          label={t("Photo (optional)")}
          help={t("On a phone this opens the camera.")}
          accept="image/*"
          camera
        />
        {reporter === null && <Stranger />}
        <div class="trap" aria-hidden="true">
          <label for="website">{t("Website")}</label>
          <input type="text" id="website" name="website" tabIndex={-1} autocomplete="off" />
        </div>
        <input type="hidden" name="stamp" value={stamp} />
        <FormActions
          submit={t("Send report")}
          {...(reporter !== null && { cancel: `/assets/${asset_id}` })}
        />
      </PostForm>
    </Page>
  );
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
        help={t("Where to tell you what became of it. Both are deleted 90 days after that.")}
      />
    </>
  );
}
