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
import type { PlainText } from "../../../language/texts.js";
import { t, tRich } from "../../../language/translate.js";
import { requireMember } from "../../../plugins/members.js";

const deleteAddress = `${sampleAddress}/delete`;
const title: PlainText = "Sample organization";

/** `/sample`: an organization of a person's own to play in, and its deletion. */
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
      const job = { name: "sample", organizationId: sample.id, id: sample.id };
      await app.services.runJob(job, (goOn) => makeSample(app.services.db, caller, sample, goOn));
    }
    return seeOther(sampleAddress);
  },
});

const deleteForm = formRoute({
  path: deleteAddress,
  open: async ({ db, caller }: FormRequest) =>
    (await findOwnSample(db, caller.userId)) ?? seeOther(sampleAddress),
  // Whoever asks for it from inside loses access by it.
  isPersonal: true,
  change: (tx, { caller, subject: { id } }) => giveUpSample(tx, id, caller),
  done: async (_, { app, subject: { id } }) => {
    const job = { name: "sample deletion", organizationId: id, id: `${id} deletion` };
    await app.services.runJob(job, (goOn) => deleteSample(app.services.db, id, goOn));
    return seeOther(organizationsAddress, t("The sample organization is deleted."));
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
            "Everything in {name} goes, with what you and others added to it, and apps that are connected to it lose access. Your other organizations stay as they are. You can make a new sample at any time.",
            { name: <bdi>{subject.name}</bdi> },
          )}
        </p>
        <FormActions submit={t("Delete it")} danger cancel={sampleAddress} />
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
        <Notice title={t("It is being made")}>
          <p role="status">
            {t("{percent} % are there. This page goes on by itself.", { percent: sample.percent })}
          </p>
          <progress value={sample.percent} max={100} aria-label={t("Progress")} />
        </Notice>
      ) : sample.is_resting ? (
        <Notice kind="warning" title={t("It was interrupted")}>
          <p>
            {t("The server stopped while it was made, at {percent} %.", {
              percent: sample.percent,
            })}
          </p>
          <Begin label={t("Start again")} />
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
          "An organization of your own to look around and play in: 200 assets in 30 workspaces, with two years of work and history by 26 invented people. Change whatever you like, and connect an assistant to it. Nothing in it touches your other organizations, and none of its people gets mail.",
        )}
      </p>
      {mayMake ? (
        <Begin label={t("Make a sample organization")} />
      ) : (
        <p>{t("Owners and admins of an organization can make one.")}</p>
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
          "{name} is there: 200 assets in 30 workspaces, with two years of work and history. You own it; nobody else is in it but its invented people.",
          { name: <bdi>{sample.name}</bdi> },
        )}
      </p>
      <div class="actions">
        {isHere ? (
          <ActionLink href="/">{t("To its home page")}</ActionLink>
        ) : (
          <Choose organization={sample} />
        )}
        <ActionLink quiet href={deleteAddress}>
          {t("Delete it")}
        </ActionLink>
      </div>
    </>
  );
}
