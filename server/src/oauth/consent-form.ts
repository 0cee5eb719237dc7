import { isScope, type Scope } from "fettle-shared";
import type { OpenRequest } from "../domain/oauth/authorizations.js";
import { findDescriber } from "../domain/oauth/client-documents.js";
import { toConnectionLifetime } from "../domain/oauth/connection-lifetimes.js";
import type { Membership } from "../domain/organizations/organizations.js";
import { toScopes } from "../domain/oauth/scopes.js";
import { t, translated } from "../language/translate.js";
import { isRepeated, readAll, readText, repeatedField } from "../web/forms/form-fields.js";
import type { FormError } from "../web/layout/error-summary.js";

export interface ConsentChoices {
  organizationId: string | undefined;
  scopes: Scope[];
  /** True if the person confirmed that they understand permanent deletion. */
  acknowledged: boolean;
  /** Lifetime of the connection. Empty: until someone ends it. */
  lifetime: string;
}

/** Lifetime that is preset for an app whose origin no one has verified. */
const lifetimeOfUnverified = "90";

/**
 * The page's defaults: reading is selected, writing if the app asked for it, permanent deletion
 * never. A person in several organizations must choose one. Access of an app that registered itself
 * expires.
 */
export function toFirstChoices(
  request: OpenRequest,
  organizations: readonly Membership[],
): ConsentChoices {
  return {
    organizationId: organizations.length === 1 ? organizations[0]?.id : undefined,
    scopes: request.requested_scopes.includes("mcp_write")
      ? ["mcp_read", "mcp_write"]
      : ["mcp_read"],
    acknowledged: false,
    lifetime:
      request.client_built_in || findDescriber(request.client_id) !== undefined
        ? ""
        : lifetimeOfUnverified,
  };
}

export interface Submission {
  decision: string | undefined;
  choices: ConsentChoices;
  errors: FormError[];
}

const single = translated({
  organization_id: "The organization",
  connection_days: "End",
});

/** Parses a submitted form. `errors` matter only when the person allows access. */
export function readSubmission(body: unknown, organizations: readonly Membership[]): Submission {
  const scopes = readAll(body, "scope");
  const choices: ConsentChoices = {
    organizationId: readText(body, "organization_id") || undefined,
    scopes: toScopes(scopes),
    acknowledged: readAll(body, "acknowledge_destructive").some((value) => value !== ""),
    lifetime: readText(body, "connection_days"),
  };
  const decision = readText(body, "decision") || undefined;
  const errors = findErrors(choices, scopes, organizations);
  for (const [field, label] of Object.entries(single)) {
    if (isRepeated(body, field)) errors.unshift({ field, message: repeatedField(label) });
  }
  return { decision, choices, errors };
}

function findErrors(
  choices: ConsentChoices,
  scopes: readonly string[],
  organizations: readonly Membership[],
): FormError[] {
  const errors: FormError[] = [];
  if (!organizations.some(({ id }) => id === choices.organizationId)) {
    errors.push({
      field: "organization_id",
      message: t("Choose the organization the app can work in."),
    });
  }
  if (choices.scopes.length === 0) {
    errors.push({
      field: "scope",
      message: t("Select at least one permission, or deny."),
    });
  } else if (!scopes.every(isScope)) {
    errors.push({ field: "scope", message: t("Choose from the options listed.") });
  }
  if (choices.scopes.includes("mcp_destructive") && !choices.acknowledged) {
    errors.push({
      field: "acknowledge_destructive",
      message: t("Confirm that you understand permanent deletion, or clear that permission."),
    });
  }
  if (choices.lifetime !== "" && toConnectionLifetime(choices.lifetime) === undefined) {
    errors.push({ field: "connection_days", message: t("Choose one of the listed times.") });
  }
  return errors;
}
