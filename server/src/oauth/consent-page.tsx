import type { FastifyReply } from "fastify";
import type { VNode } from "preact";
import type { OpenRequest } from "../domain/oauth/authorizations.js";
import { connectionLifetimes } from "../domain/oauth/connection-lifetimes.js";
import type { Membership } from "../domain/organizations/organizations.js";
import { Page } from "../web/layout/layout.js";
import { HiddenToken } from "../web/layout/hidden-token.js";
import { ErrorSummary, type FormError } from "../web/layout/error-summary.js";
import { Moment } from "../web/layout/moment.js";
import { sendPage } from "../web/layout/reply.js";
import { AskingApp } from "./asking-app.js";
import { FieldError, messageFor } from "./consent-errors.js";
import { t, tRich } from "../language/translate.js";
import type { ConsentChoices } from "./consent-form.js";
import { Scopes } from "./consent-scopes.js";
import type { AccessByOrganization } from "./own-rights.js";

interface ConsentView {
  open: OpenRequest;
  person: { name: string; email: string };
  organizations: readonly Membership[];
  access: AccessByOrganization;
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
  const { open, errors } = view;
  return (
    <Page title={t("Connect an app")} width="narrow" bare>
      <form class="consent" method="post" action={`/oauth/consent/${open.id}`}>
        <HiddenToken />
        <AskingApp open={open} />
        <ErrorSummary errors={errors} />
        <Account person={view.person} />
        <Organization {...view} />
        <AlreadyConnected {...view} />
        <Scopes {...view} />
        <Lifetime {...view} />
        <p class="help">
          {t(
            "You can disconnect it at any time under Settings > Connected Apps. The app acts in your name and can never do more than you can.",
          )}
        </p>
        <Decision />
      </form>
      {/* A separate form, so the Enter key never presses its button. */}
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
        <span class="label">{t("Your account")}</span> <bdi>{person.name}</bdi> ({person.email})
      </p>
      <button class="quiet" type="submit" form="switch-account" name="decision" value="switch">
        {t("Use another account")}
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
        <span class="label">{t("Organization")}</span> <bdi>{only.name}</bdi>
        <input type="hidden" name="organization_id" value={only.id} />
        <FieldError field="organization_id" message={error} />
      </p>
    );
  }
  return (
    <div class={error === undefined ? "field" : "field wrong"}>
      <label for="organization_id">{t("Organization")}</label>
      <select
        id="organization_id"
        name="organization_id"
        required
        aria-invalid={error === undefined ? undefined : "true"}
        aria-describedby={error === undefined ? undefined : "organization_id-error"}
      >
        <option value="">{t("Choose one")}</option>
        {organizations.map(({ id, name }) => (
          <option key={id} value={id} dir="auto" selected={id === choices.organizationId}>
            {name}
          </option>
        ))}
      </select>
      <FieldError field="organization_id" message={error} />
    </div>
  );
}

/** Allowing creates another connection, so tell the person about existing ones. */
function AlreadyConnected({ organizations, access }: ConsentView): VNode | null {
  const connected = organizations.flatMap(({ id, name, time_zone: timeZone }) => {
    const since = access.get(id)?.connectedSince;
    return since === undefined ? [] : [{ id, name, timeZone, since }];
  });
  if (connected.length === 0) return null;
  return (
    <div class="already-connected">
      <ul>
        {connected.map(({ id, name, timeZone, since }) => (
          <li key={id}>
            {organizations.length > 1
              ? tRich("Already connected to {name} since {when}", {
                  name: <bdi>{name}</bdi>,
                  when: <Moment at={since} timeZone={timeZone} inline />,
                })
              : tRich("Already connected since {when}", {
                  when: <Moment at={since} timeZone={timeZone} inline />,
                })}
          </li>
        ))}
      </ul>
      <p>{t("This adds a second connection. The existing connection doesn't change.")}</p>
    </div>
  );
}

function Lifetime({ choices, errors }: ConsentView): VNode {
  const error = messageFor("connection_days", errors);
  return (
    <div class={error === undefined ? "field" : "field wrong"}>
      <label for="connection_days">{t("Access expires")}</label>
      <select
        id="connection_days"
        name="connection_days"
        aria-invalid={error === undefined ? undefined : "true"}
        aria-describedby={error === undefined ? undefined : "connection_days-error"}
      >
        <option value="">{t("Never")}</option>
        {connectionLifetimes.map((days) => (
          <option key={days} value={days} selected={String(days) === choices.lifetime}>
            {days === 365 ? t("After one year") : t("After {days} days", { days })}
          </option>
        ))}
      </select>
      <FieldError field="connection_days" message={error} />
    </div>
  );
}

/** Deny comes first, so neither the first button nor the Enter key in a field is Allow. */
function Decision(): VNode {
  return (
    <div class="decision">
      <button type="submit" name="decision" value="deny" class="secondary" formnovalidate>
        {t("Deny")}
      </button>
      <button type="submit" name="decision" value="allow">
        {t("Allow")}
      </button>
    </div>
  );
}

function NoOrganizationPage({ open, person }: ConsentView): VNode {
  return (
    <Page title={t("No organization yet")} width="narrow" bare>
      <form class="consent" method="post" action={`/oauth/consent/${open.id}`}>
        <HiddenToken />
        <h1>{t("You're not in an organization")}</h1>
        <p>
          {tRich(
            "Apps work in one organization at a time, and your account {email} isn't in any. Ask an owner or admin to invite you, then connect the app again.",
            { email: person.email },
          )}
        </p>
        <div class="decision">
          <button type="submit" name="decision" value="switch" class="secondary">
            {t("Use another account")}
          </button>
          <button type="submit" name="decision" value="deny">
            {t("Back to the app")}
          </button>
        </div>
      </form>
    </Page>
  );
}
