import type { ComponentChildren, VNode } from "preact";
import { isOrganizationAdmin, type Caller } from "../../domain/access/caller.js";
import { ActionLink } from "../layout/page-head.js";
import { EmptyState } from "../layout/notices.js";
import { ConnectPanel } from "./connect.js";
import { nameSome, type OwnPlaces } from "./visible-part-note.js";

export interface FirstStepsView {
  caller: Caller;
  places: OwnPlaces | undefined;
  connectedApps: number;
  mcpUrl: string;
}

/** What to do where there are neither assets nor tasks. */
export function FirstSteps(view: FirstStepsView): VNode {
  const { caller, places = [], connectedApps, mcpUrl } = view;
  if (isOrganizationAdmin(caller)) return <StepsOfAdmin {...view} />;
  const mayAdd = places.some(({ role }) => role !== "viewer");
  return (
    <>
      <EmptyState
        title={places.length === 0 ? "You belong to no workspace yet" : "Nothing here yet"}
      >
        {places.length === 0 ? (
          <p>
            Ask an owner or admin of {caller.organizationName} to add you to one. Its assets and
            tasks appear here then.
          </p>
        ) : (
          <p>
            {mayAdd
              ? "Your workspaces hold no assets and no tasks. Add the first asset, and what needs attention appears here."
              : "The workspaces that you may look at hold no assets and no tasks. What needs attention appears here as soon as somebody adds them."}
          </p>
        )}
        {mayAdd && (
          <p>
            <ActionLink href="/assets/new">Add an asset</ActionLink>
          </p>
        )}
      </EmptyState>
      <ConnectPanel connectedApps={connectedApps} mcpUrl={mcpUrl} />
    </>
  );
}

function StepsOfAdmin({ caller, connectedApps, places = [] }: FirstStepsView): VNode {
  const hasWorkspace = places.length > 0;
  return (
    <section aria-labelledby="first-steps">
      <h2 id="first-steps">First steps for {caller.organizationName}</h2>
      <ol class="first-steps">
        <Step
          title={hasWorkspace ? "Add another workspace" : "Add a workspace"}
          action={
            <ActionLink href="/settings/workspaces/new" quiet={hasWorkspace}>
              {hasWorkspace ? "Add another workspace" : "Add a workspace"}
            </ActionLink>
          }
        >
          {hasWorkspace && `${nameSome(places)} ${places.length === 1 ? "is" : "are"} there. `}A
          site, a building, a fleet: people see the assets and tasks of the workspaces they belong
          to.
        </Step>
        <Step
          title="Add an asset"
          action={
            <ActionLink href="/assets/new" quiet={!hasWorkspace}>
              Add an asset
            </ActionLink>
          }
        >
          Every asset gets its own inventory number, a history and a QR label. Work that is planned
          for it appears here when it is due.
        </Step>
        <Step
          title="Invite people"
          action={
            <ActionLink href="/settings/members/invite" quiet>
              Invite a person
            </ActionLink>
          }
        >
          You choose what each of them sees and may change. They get a link with which they join.
        </Step>
        <Step
          title={connectedApps === 0 ? "Connect your assistant" : "Connect another assistant"}
          action={
            <ActionLink href="/connect" quiet>
              See how
            </ActionLink>
          }
        >
          Claude, ChatGPT and other assistants can add assets from a list or a photo that you give
          them, and answer questions about them.
        </Step>
      </ol>
    </section>
  );
}

function Step({
  title,
  action,
  children,
}: {
  title: string;
  action: VNode;
  children: ComponentChildren;
}): VNode {
  return (
    <li class="panel">
      <h3>{title}</h3>
      <p>{children}</p>
      <p>{action}</p>
    </li>
  );
}
