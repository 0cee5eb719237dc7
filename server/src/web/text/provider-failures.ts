import type { PlainText } from "../../language/texts.js";
import { describePrivateAddress } from "./private-address.js";
import { t } from "../../language/translate.js";
import type {
  ProviderFailure,
  ProviderFailureReason,
} from "../../domain/accounts/provider-client.js";

export function describeProviderFailure({ reason, privateHost }: ProviderFailure): {
  what: string;
  todo: string;
} {
  if (privateHost !== undefined) {
    return {
      what: t("The identity provider can't be reached."),
      todo: describePrivateAddress(privateHost),
    };
  }
  const { what, todo } = failures[reason];
  return { what: t(what), todo: t(todo) };
}

const wait: PlainText =
  "Try again in a few minutes. If it keeps failing, ask an organization owner.";

const failures: Record<ProviderFailureReason, { what: PlainText; todo: PlainText }> = {
  unreachable: {
    what: "The identity provider can't be reached: its host name has no address, it doesn't respond, or its certificate isn't trusted.",
    todo: wait,
  },
  too_slow: { what: "The identity provider didn't respond within five seconds.", todo: wait },
  no_metadata: {
    what: "The identity provider's response wasn't as expected. Check that its address plus /.well-known/openid-configuration exists.",
    todo: "An organization owner can check the address in the settings.",
  },
  other_issuer: {
    what: "The identity provider's issuer URL differs from the one in the settings.",
    todo: "An organization owner must enter the issuer URL exactly as the provider shows it.",
  },
  incapable: {
    what: "The identity provider isn't supported. It needs the authorization code flow with PKCE (S256), keys, https addresses and a dedicated address for this organization.",
    todo: "An organization owner can check the provider's documentation.",
  },
  wrong_client: {
    what: "The identity provider rejected this server. The client ID or secret may be wrong or expired.",
    todo: "An organization owner can enter them again in the settings.",
  },
  denied: {
    what: "The identity provider denied the sign-in, or you cancelled it.",
    todo: "Try again. If it keeps failing, ask the identity provider's administrator for access to Fettle.",
  },
  wrong_answer: {
    what: "The identity provider's response is invalid. It may be too old or meant for another app.",
    todo: wait,
  },
};
