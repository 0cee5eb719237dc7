import type { Scope } from "fettle-shared";
import type { VNode } from "preact";
import type { OpenRequest } from "../domain/oauth/authorizations.js";
import type { Membership } from "../domain/organizations/organizations.js";
import type { FormError } from "../web/layout/error-summary.js";
import { FieldError, messageFor } from "./consent-errors.js";
import { t } from "../language/translate.js";
import type { ConsentChoices } from "./consent-form.js";
import { describeOwnRights, type AccessByOrganization } from "./own-rights.js";

interface ScopesView {
  open: OpenRequest;
  organizations: readonly Membership[];
  access: AccessByOrganization;
  choices: ConsentChoices;
  errors: readonly FormError[];
}

/** All scopes, even if not requested. Permanent deletion is separate. */
export function Scopes(view: ScopesView): VNode {
  const { errors, organizations, access } = view;
  const scopeError = messageFor("scope", errors);
  return (
    <>
      <ul class="own-rights" id="own-rights">
        {describeOwnRights(organizations, access).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <fieldset
        id="scope"
        class={scopeError === undefined ? "scopes" : "scopes wrong"}
        aria-describedby={scopeError === undefined ? "own-rights" : "scope-error own-rights"}
      >
        <legend class="label">{t("Permissions")}</legend>
        <FieldError field="scope" message={scopeError} />
        <ScopeBox scope="mcp_read" label={t("Read||a permission of an app")} view={view}>
          {t("View the assets, tasks, history and people that you can see.")}
        </ScopeBox>
        <ScopeBox scope="mcp_write" label={t("Add and change||a permission of an app")} view={view}>
          {t(
            "Add, edit and retire assets and tasks, and manage workspaces, invitations and members, within your own permissions. Everything is logged.",
          )}
        </ScopeBox>
        <Destructive {...view} />
      </fieldset>
    </>
  );
}

/** Framed in red only if the app asked for it. Otherwise, it is the one scope to leave unselected. */
function Destructive(view: ScopesView): VNode {
  const { open, choices, errors } = view;
  const error = messageFor("acknowledge_destructive", errors);
  const isAsked = open.requested_scopes.includes("mcp_destructive");
  const isRed = isAsked || choices.scopes.includes("mcp_destructive");
  return (
    <div class={isRed ? "destructive danger" : "destructive"}>
      <ScopeBox
        scope="mcp_destructive"
        label={t("Delete permanently||a permission of an app")}
        view={view}
      >
        {isAsked
          ? t("Delete assets permanently. No one can restore them.")
          : t("Delete assets permanently. No one can restore them. The app didn't ask for this.")}
      </ScopeBox>
      <div class="choice">
        <input
          type="checkbox"
          id="acknowledge_destructive"
          name="acknowledge_destructive"
          value="yes"
          checked={choices.acknowledged}
          aria-invalid={error === undefined ? undefined : "true"}
          aria-describedby={error === undefined ? undefined : "acknowledge_destructive-error"}
        />
        <label for="acknowledge_destructive">
          {t("I understand that permanently deleted assets cannot be recovered")}
        </label>
        <FieldError field="acknowledge_destructive" message={error} />
      </div>
    </div>
  );
}

function ScopeBox({
  scope,
  label,
  view: { choices },
  children,
}: {
  scope: Scope;
  label: string;
  view: ScopesView;
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
