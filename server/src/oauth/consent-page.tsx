import type { FastifyReply } from "fastify";
import type { Scope } from "fettle-shared";
import type { VNode } from "preact";
import type { OpenRequest } from "../domain/oauth/authorizations.js";
import type { Membership } from "../domain/organizations/organizations.js";
import { Page } from "../web/layout/layout.js";
import { HiddenToken } from "../web/layout/hidden-token.js";
import { ErrorSummary, type FormError } from "../web/layout/error-summary.js";
import { sendPage } from "../web/layout/reply.js";
import { AskingApp, LoopbackNotice } from "./asking-app.js";
import type { ConsentChoices } from "./consent-form.js";

interface ConsentView {
  open: OpenRequest;
  person: { name: string; email: string };
  organizations: readonly Membership[];
  choices: ConsentChoices;
  errors: readonly FormError[];
}

export async function sendConsentPage(
  reply: FastifyReply,
  view: ConsentView,
): Promise<FastifyReply> {
  const hasOrganization = view.organizations.length > 0;
  return sendPage(
    reply,
    hasOrganization ? <ConsentPage {...view} /> : <NoOrganizationPage {...view} />,
  );
}

function ConsentPage(view: ConsentView): VNode {
  const { open, errors, choices } = view;
  return (
    <Page title="Connect an app" width="narrow" bare>
      <form class="consent" method="post" action={`/oauth/consent/${open.id}`}>
        <HiddenToken />
        <AskingApp open={open} />
        <ErrorSummary errors={errors} />
        <LoopbackNotice open={open} />
        <Account person={view.person} />
        <Organization {...view} />
        <Scopes choices={choices} errors={errors} />
        <p class="help">
          This lasts until you disconnect it under Settings &gt; Connected Apps. What the app does,
          it does in your name and never more than you may do yourself.
        </p>
        <Decision />
      </form>
      {/* A form of its own, so that its button is never what the Enter key presses. */}
      <form id="switch-account" method="post" action={`/oauth/consent/${open.id}`}>
        <HiddenToken />
      </form>
    </Page>
  );
}

function Account({ person }: { person: ConsentView["person"] }): VNode {
  return (
    <div class="consent-account">
      <p>
        <span class="label">Your account</span> {person.name} ({person.email})
      </p>
      <button class="quiet" type="submit" form="switch-account" name="decision" value="switch">
        Use another account
      </button>
    </div>
  );
}

function Organization({ organizations, choices, errors }: ConsentView): VNode {
  const [only, ...others] = organizations;
  const error = messageFor("organization_id", errors);
  if (only !== undefined && others.length === 0) {
    return (
      <p class="consent-organization">
        <span class="label">Organization</span> {only.name}
        <input type="hidden" name="organization_id" value={only.id} />
        <FieldError field="organization_id" message={error} />
      </p>
    );
  }
  return (
    <div class={error === undefined ? "field" : "field wrong"}>
      <label for="organization_id">Organization</label>
      <select
        id="organization_id"
        name="organization_id"
        required
        aria-invalid={error === undefined ? undefined : "true"}
        aria-describedby={error === undefined ? undefined : "organization_id-error"}
      >
        <option value="">Choose one</option>
        {organizations.map(({ id, name }) => (
          <option key={id} value={id} selected={id === choices.organizationId}>
            {name}
          </option>
        ))}
      </select>
      <FieldError field="organization_id" message={error} />
    </div>
  );
}

function Scopes({ choices, errors }: { choices: ConsentChoices; errors: readonly FormError[] }) {
  const scopeError = messageFor("scope", errors);
  const acknowledgeError = messageFor("acknowledge_destructive", errors);
  return (
    <fieldset
      id="scope"
      class={scopeError === undefined ? "scopes" : "scopes wrong"}
      aria-describedby={scopeError === undefined ? undefined : "scope-error"}
    >
      <legend>What it may do</legend>
      <FieldError field="scope" message={scopeError} />
      <ScopeBox scope="mcp_read" label="Read" choices={choices}>
        It sees the assets, tasks, history and people that you can see.
      </ScopeBox>
      <ScopeBox scope="mcp_write" label="Change" choices={choices}>
        It adds, changes and retires assets and tasks, and it adds and removes workspaces,
        invitations and members, as far as you may; all of it is recorded.
      </ScopeBox>
      <div class="danger">
        <ScopeBox scope="mcp_destructive" label="Delete permanently" choices={choices}>
          It erases assets for good, and nobody can bring them back.
        </ScopeBox>
        <div class="choice">
          <input
            type="checkbox"
            id="acknowledge_destructive"
            name="acknowledge_destructive"
            value="yes"
            checked={choices.acknowledged}
            aria-invalid={acknowledgeError === undefined ? undefined : "true"}
            aria-describedby={
              acknowledgeError === undefined ? undefined : "acknowledge_destructive-error"
            }
          />
          <label for="acknowledge_destructive">
            I understand that permanently deleted assets cannot be recovered
          </label>
          <FieldError field="acknowledge_destructive" message={acknowledgeError} />
        </div>
      </div>
    </fieldset>
  );
}

function ScopeBox({
  scope,
  label,
  choices,
  children,
}: {
  scope: Scope;
  label: string;
  choices: ConsentChoices;
  children: string;
}): VNode {
  return (
    <div class="choice">
      <input
        type="checkbox"
        id={`scope-${scope}`}
        name="scope"
        value={scope}
        checked={choices.scopes.includes(scope)}
        aria-describedby={`scope-${scope}-help`}
      />
      <label for={`scope-${scope}`}>{label}</label>
      <p class="help" id={`scope-${scope}-help`}>
        {children}
      </p>
    </div>
  );
}

function FieldError({ field, message }: { field: string; message: string | undefined }) {
  if (message === undefined) return null;
  return (
    <span class="error" id={`${field}-error`}>
      {message}
    </span>
  );
}

function messageFor(field: string, errors: readonly FormError[]): string | undefined {
  return errors.find((error) => error.field === field)?.message;
}

/** Deny comes first, so neither the first button nor the Enter key in a field is Allow. */
function Decision(): VNode {
  return (
    <div class="decision">
      <button type="submit" name="decision" value="deny" class="secondary" formnovalidate>
        Deny
      </button>
      <button type="submit" name="decision" value="allow">
        Allow
      </button>
    </div>
  );
}

function NoOrganizationPage({ open, person }: ConsentView): VNode {
  return (
    <Page title="No organization yet" width="narrow" bare>
      <form class="consent" method="post" action={`/oauth/consent/${open.id}`}>
        <HiddenToken />
        <h1>You are not in an organization</h1>
        <p>
          Apps work in one organization at a time, and your account {person.email} is in none. Ask
          an owner or admin of yours to invite you, then connect the app again.
        </p>
        <div class="decision">
          <button type="submit" name="decision" value="switch" class="secondary">
            Use another account
          </button>
          <button type="submit" name="decision" value="deny">
            Back to the app
          </button>
        </div>
      </form>
    </Page>
  );
}
