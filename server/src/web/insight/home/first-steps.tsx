import type { VNode } from "preact";
import { isOrganizationAdmin, type Caller } from "../../../domain/access/caller.js";
import {
  firstSteps,
  hideFirstSteps,
  type StepsDone,
} from "../../../domain/organizations/first-steps.js";
import { PostForm } from "../../forms/controls.js";
import { seeOther } from "../../forms/form-reply.js";
import { formRoute } from "../../forms/form-route.js";
import { ActionLink } from "../../layout/page-head.js";
import { EmptyState } from "../../layout/notices.js";
import { startAddress } from "../../organizations/start.js";
import { SampleOffer } from "../../organizations/sample/sample-links.js";
import { ConnectPanel } from "./connect.js";
import { nameSome, type OwnPlaces } from "./visible-part-note.js";
import type { PlainText } from "../../../language/texts.js";
import { t, tRich } from "../../../language/translate.js";

export interface FirstStepsView {
  caller: Caller;
  places: OwnPlaces | undefined;
  connectedApps: number;
  mcpUrl: string;
  /** For owners and admins, while steps are left. */
  steps: StepsDone | undefined;
}

/** Shown while there are neither assets nor tasks. */
export function FirstSteps(view: FirstStepsView): VNode {
  const { caller, places = [], connectedApps, mcpUrl, steps } = view;
  if (steps !== undefined) return <StepsOfAdmin {...view} steps={steps} />;
  const isAdmin = isOrganizationAdmin(caller);
  const mayAdd = isAdmin || places.some(({ role }) => role !== "viewer");
  const isStranger = !isAdmin && places.length === 0;
  return (
    <>
      <EmptyState title={isStranger ? t("You're not in a workspace yet") : t("Nothing here yet")}>
        {isStranger ? (
          <p>
            {tRich(
              "Ask an owner or admin of {organization} to add you to a workspace. Its assets and tasks will appear here.",
              { organization: <bdi>{caller.organizationName}</bdi> },
            )}
          </p>
        ) : (
          <p>
            {mayAdd
              ? t(
                  "Your workspaces have no assets or tasks yet. Add the first asset. Things that need attention appear here.",
                )
              : t(
                  "Your workspaces have no assets or tasks yet. Things that need attention appear here.",
                )}
          </p>
        )}
        {mayAdd && (
          <p>
            <ActionLink href="/assets/new">{t("Add an asset")}</ActionLink>
          </p>
        )}
      </EmptyState>
      <ConnectPanel connectedApps={connectedApps} mcpUrl={mcpUrl} />
    </>
  );
}

interface StepWords {
  title: PlainText;
  href: string;
  act: PlainText;
  /** The text for repeating a completed step. */
  again: PlainText;
  why: PlainText;
  /** Another way to the same goal. */
  other?: { href: string; act: PlainText };
}

const words: Record<keyof StepsDone, StepWords> = {
  workspace: {
    title: "Add a workspace",
    href: "/settings/workspaces/new",
    act: "Add a workspace",
    again: "Add another workspace",
    why: "A site, a building or a fleet. People see the assets and tasks of their workspaces.",
  },
  asset: {
    title: "Add an asset",
    href: "/assets/new",
    act: "Add an asset",
    again: "Add another asset",
    why: "Every asset gets an inventory number, a history and a QR label. Its work appears here when it's due.",
    other: { href: "/import?kind=assets", act: "Import a list" },
  },
  plans: {
    title: "Add maintenance plans",
    href: startAddress,
    act: "Choose ready-made plans",
    again: "Add more plans",
    why: "Recurring work with checklists, from fire extinguishers to vehicle checks.",
  },
  people: {
    title: "Invite people",
    href: "/settings/members/invite",
    act: "Invite a person",
    again: "Invite another person",
    why: "You choose what each person sees and can edit. They get a link to join.",
  },
  app: {
    title: "Connect your assistant",
    href: "/connect",
    act: "View instructions",
    again: "Connect another",
    why: "Claude, ChatGPT and other assistants can add assets from a list or photo, and answer questions about them.",
  },
};

/** For an otherwise empty page: each step with its reason. */
function StepsOfAdmin({
  caller,
  places = [],
  steps,
}: FirstStepsView & { steps: StepsDone }): VNode {
  const next = firstSteps.find((step) => !steps[step]);
  return (
    <section aria-labelledby="first-steps">
      <h2 id="first-steps">
        {tRich("First steps for {organization}", {
          organization: <bdi>{caller.organizationName}</bdi>,
        })}
      </h2>
      <p class="soft">{describeProgress(steps)}</p>
      <SampleOffer />
      <ol class="first-steps">
        {firstSteps.map((step) => {
          const { title, href, act, again, why, other } = words[step];
          return (
            <li key={step} class="panel">
              <h3>{steps[step] ? <Done title={t(title)} /> : t(title)}</h3>
              <p>
                {step === "workspace" && places.length > 0 && `${describePlaces(places)} `}
                {t(why)}
              </p>
              <p>
                <ActionLink href={href} quiet={step !== next}>
                  {steps[step] ? t(again) : t(act)}
                </ActionLink>
                {other !== undefined && (
                  <ActionLink href={other.href} quiet>
                    {t(other.act)}
                  </ActionLink>
                )}
              </p>
            </li>
          );
        })}
      </ol>
      <HideSteps />
    </section>
  );
}

function describePlaces(places: OwnPlaces): string {
  return t("{count, plural, one {{names} already exists.} other {{names} already exist.}}", {
    count: places.length,
    names: nameSome(places),
  });
}

/** The remaining first steps, next to the daily work. */
export function StepsLeft({ steps }: { steps: StepsDone }): VNode {
  const next = firstSteps.find((step) => !steps[step]);
  return (
    <section class="panel steps-left" aria-labelledby="first-steps">
      <h2 id="first-steps">
        {t("First steps")} <span class="soft">{describeProgress(steps)}</span>
      </h2>
      <ol>
        {firstSteps.map((step) => {
          const { title, href, act, other } = words[step];
          return (
            <li key={step}>
              <span>{steps[step] ? <Done title={t(title)} /> : t(title)}</span>
              {!steps[step] && (
                <span class="actions">
                  <ActionLink href={href} quiet={step !== next}>
                    {t(act)}
                  </ActionLink>
                  {other !== undefined && (
                    <ActionLink href={other.href} quiet>
                      {t(other.act)}
                    </ActionLink>
                  )}
                </span>
              )}
            </li>
          );
        })}
      </ol>
      <HideSteps />
    </section>
  );
}

function describeProgress(steps: StepsDone): string {
  const done = firstSteps.filter((step) => steps[step]).length;
  return t("{done} of {all} done", { done, all: firstSteps.length });
}

function Done({ title }: { title: string }): VNode {
  return (
    <span class="done">
      <span aria-hidden="true">✓ </span>
      <span class="visually-hidden">{t("Done:")} </span>
      {title}
    </span>
  );
}

function HideSteps(): VNode {
  return (
    <PostForm action={hideAddress} class="hide-steps">
      <button type="submit" class="quiet">
        {t("Hide the first steps")}
      </button>
    </PostForm>
  );
}

const hideAddress = "/first-steps/hide";

export const hideFirstStepsForm = formRoute({
  path: hideAddress,
  isPage: false,
  change: (tx, { caller }) => hideFirstSteps(tx, caller),
  done: () => seeOther("/", t("First steps hidden.")),
});
