import type { PlainText } from "../../language/texts.js";
import { describePrivateAddress } from "./private-address.js";
import { t } from "../../language/translate.js";
import type {
  ProviderFailure,
  ProviderFailureReason,
} from "../../domain/accounts/provider-client.js";

/** What happened, and what to do about it. */
export function describeProviderFailure({ reason, privateHost }: ProviderFailure): {
  what: string;
  todo: string;
} {
  if (privateHost !== undefined) {
    return {
      what: t("The identity provider cannot be reached."),
      todo: describePrivateAddress(privateHost),
    };
  }
  const { what, todo } = failures[reason];
  return { what: t(what), todo: t(todo) };
}

const wait: PlainText =
  "Try again in a few minutes. If it goes on, ask an owner of the organization.";

const failures: Record<ProviderFailureReason, { what: PlainText; todo: PlainText }> = {
  unreachable: {
    what: "The identity provider cannot be reached: its name has no address, it does not answer, or its certificate is not trusted.",
    todo: wait,
  },
  too_slow: { what: "The identity provider did not answer within five seconds.", todo: wait },
  no_metadata: {
    what: "The identity provider answered with something else than was asked for. Its address may be wrong: below it lies /.well-known/openid-configuration.",
    todo: "An owner of the organization can compare the address in the settings.",
  },
  other_issuer: {
    what: "The identity provider calls itself by another address than the one in the settings.",
    todo: "An owner of the organization has to enter the address (issuer) exactly as the provider says it.",
  },
  incapable: {
    what: "The identity provider lacks something: it needs the authorization code flow with PKCE (S256), keys, https addresses, and an address of this organization alone.",
    todo: "An owner of the organization can look into the manual of the provider.",
  },
  wrong_client: {
    what: "The identity provider refused this server. The client id or secret may be wrong, or have expired.",
    todo: "An owner of the organization can enter them again in the settings.",
  },
  denied: {
    what: "The identity provider did not let you in, or you cancelled there.",
    todo: "Try again. If it goes on, ask who looks after the identity provider whether you may use Fettle.",
  },
  wrong_answer: {
    what: "The answer of the identity provider did not pass the checks: where it comes from, whom it is for, and how old it is.",
    todo: wait,
  },
};
