import type { FastifyPluginAsync } from "fastify";
import type { VNode } from "preact";
import { isOrganizationAdmin, type Caller } from "../../../domain/access/caller.js";
import {
  beginSample,
  deleteSample,
  findOwnSample,
  giveUpSample,
  makeSample,
  type OwnSample,
} from "../../../demo/own-sample.js";
import { Choose, organizationsAddress } from "../../accounts/organizations.js";
import { FormActions, PostForm } from "../../forms/controls.js";
import { seeOther } from "../../forms/form-reply.js";
import { formRoute } from "../../forms/form-route.js";
import type { FormRequest } from "../../forms/form-spec.js";
import { Page } from "../../layout/layout.js";
import { Notice } from "../../layout/notices.js";
import { ActionLink, PageHead } from "../../layout/page-head.js";
import { callerOf, sendPage } from "../../layout/reply.js";
import { sampleAddress } from "./sample-links.js";
import { currentLocale, languageOf } from "../../../language/locale.js";
import type { PlainText } from "../../../language/texts.js";
import { t, tRich } from "../../../language/translate.js";
import { requireMember } from "../../../plugins/members.js";

const deleteAddress = `${sampleAddress}/delete`;
const title: PlainText = "Sample organization";

/** `/sample`: creates and deletes a person's sample organization. */
export const samplePages: FastifyPluginAsync = async (app) => {
  app.addHook("preHandler", requireMember);
  await app.register(beginForm);
  await app.register(deleteForm);

  app.get(sampleAddress, async (request, reply) => {
    const caller = callerOf(request);
    const sample = await findOwnSample(request.db, caller.userId);
    if (isUnderWay(sample)) reply.header("refresh", "3");
    return sendPage(reply, <SamplePage {...{ caller, sample }} />);
  });
};

function isUnderWay(sample: OwnSample | undefined): boolean {
  return sample !== undefined && sample.percent < 100 && !sample.is_resting;
}

const beginForm = formRoute({
  path: sampleAddress,
  isPage: false,
  change: (tx, { caller }) => beginSample(tx, caller),
  done: async (sample, { app, caller }) => {
    if (sample.isNew) {
      const language = languageOf(currentLocale()) === "de" ? "de" : "en";
      const job = { name: "sample", organizationId: sample.id, id: sample.id };
      await app.services.runJob(job, (shouldContinue) =>
        makeSample(app.services.db, caller, sample, shouldContinue, language),
      );
    }
    return seeOther(sampleAddress);
  },
});

const deleteForm = formRoute({
  path: deleteAddress,
  open: async ({ db, caller }: FormRequest) =>
    (await findOwnSample(db, caller.userId)) ?? seeOther(sampleAddress),
  // A person who deletes it from inside loses access to it.
  isPersonal: true,
  change: (tx, { caller, subject: { id } }) => giveUpSample(tx, id, caller),
  done: async (_, { app, subject: { id } }) => {
    const job = { name: "sample deletion", organizationId: id, id: `${id} deletion` };
    await app.services.runJob(job, (shouldContinue) =>
      deleteSample(app.services.db, id, shouldContinue),
    );
    return seeOther(organizationsAddress, t("Sample organization deleted."));
  },
  page: ({ subject }) => (
    <Page title={t("Delete the sample organization")}>
      <PageHead
        title={t("Delete the sample organization?")}
        crumbs={[{ href: sampleAddress, label: t(title) }]}
      />
      <PostForm action={deleteAddress}>
        <p>
          {tRich(
            "Everything in {name} is deleted, including what you and others added, and its apps lose access. Your other organizations aren't affected. You can create a new sample at any time.",
            { name: <bdi>{subject.name}</bdi> },
          )}
        </p>
        <FormActions submit={t("Delete")} danger cancel={sampleAddress} />
      </PostForm>
    </Page>
  ),
});

interface SampleView {
  caller: Caller;
  sample: OwnSample | undefined;
}

function SamplePage({ caller, sample }: SampleView): VNode {
  return (
    <Page title={t(title)}>
      <PageHead
        title={t(title)}
        crumbs={[{ href: organizationsAddress, label: t("Organizations") }]}
      />
      {sample === undefined ? (
        <Offer mayMake={isOrganizationAdmin(caller)} />
      ) : isUnderWay(sample) ? (
        <Notice title={t("Being created")}>
          <p role="status">
            {t("{percent}% done. This page updates automatically.", { percent: sample.percent })}
          </p>
          <progress value={sample.percent} max={100} aria-label={t("Progress")} />
        </Notice>
      ) : sample.is_resting ? (
        <Notice kind="warning" title={t("Interrupted")}>
          <p>
            {t("The server stopped at {percent}%.", {
              percent: sample.percent,
            })}
          </p>
          <Begin label={t("Start over")} />
        </Notice>
      ) : (
        <Ready sample={sample} isHere={sample.id === caller.organizationId} />
      )}
    </Page>
  );
}

function Offer({ mayMake }: { mayMake: boolean }): VNode {
  return (
    <>
      <p>
        {t(
          "Your own organization to explore: 151 assets in 17 workspaces, with two years of work by 26 fictional people. Change anything you like, and connect an assistant. Your other organizations aren't affected, and no emails are sent to these people.",
        )}
      </p>
      {mayMake ? (
        <Begin label={t("Create a sample organization")} />
      ) : (
        <p>{t("Owners and admins of an organization can create one.")}</p>
      )}
    </>
  );
}

function Begin({ label }: { label: string }): VNode {
  return (
    <PostForm action={sampleAddress}>
      <button type="submit">{label}</button>
    </PostForm>
  );
}

function Ready({ sample, isHere }: { sample: OwnSample; isHere: boolean }): VNode {
  return (
    <>
      <p>
        {tRich(
          "{name} is ready: 151 assets in 17 workspaces, with two years of work and history. You're its owner, and all other people in it are fictional.",
          { name: <bdi>{sample.name}</bdi> },
        )}
      </p>
      <div class="actions">
        {isHere ? (
          <ActionLink href="/">{t("App's home page")}</ActionLink>
        ) : (
          <Choose organization={sample} />
        )}
        <ActionLink quiet href={deleteAddress}>
          {t("Delete")}
        </ActionLink>
      </div>
    </>
  );
}
