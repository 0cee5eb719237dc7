import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { commit } from "../../domain/history/transactions.js";
import { ProviderFailure, type ProviderClaims } from "../../domain/accounts/provider-client.js";
import {
  findProviderOf,
  findProviderOfEmail,
  findProviderPerson,
  joinByInvitation,
  type ProviderPerson,
  type SignInProvider,
} from "../../domain/accounts/provider-sign-ins.js";
import { spendChallenge } from "../../domain/accounts/challenges.js";
import { ageOf } from "../../domain/shared/age.js";
import { t } from "../../language/translate.js";
import { signInFailures } from "../../metrics.js";
import { hiddenField, required, textField } from "../forms/form-fields.js";
import { FormRefusal, otherPage, seeOther } from "../forms/form-reply.js";
import { formRoute } from "../forms/form-route.js";
import { sendPage } from "../layout/reply.js";
import { returnAddress } from "../layout/return-addresses.js";
import { keepPendingSubject } from "./pending-sign-in.js";
import {
  FailedProviderPage,
  LostSignInPage,
  OtherPersonSignedInPage,
  ProviderSignInPage,
  RefusedPersonPage,
} from "./provider-pages.js";
import { completeProviderSignIn } from "./sessions.js";
import {
  providerAddress,
  providerCallback,
  secondFactorAddress,
  withNext,
} from "./sign-in-addresses.js";
import { routeLimit } from "../../traffic/bounds.js";

/** The time limit at the provider. */
const lifeMs = 10 * 60_000;

export const providerSignInPages: FastifyPluginAsync = async (app) => {
  await app.register(providerSignInForm);
  const config = { rateLimit: routeLimit("provider-sign-in") };
  app.get(providerCallback(":organization"), { config }, (request, reply) =>
    takeAnswer(app, request, reply),
  );
};

/** `/signin/provider`: redirects to the provider. */
const providerSignInForm = formRoute({
  path: providerAddress,
  limit: "provider-sign-in",
  fields: {
    email: required(textField("Email"), "Enter your email."),
    next: hiddenField,
    again: hiddenField,
  },
  begin: ({ query }) => ({ next: query("next") }),
  inTransaction: false,
  change: async (
    db,
    { app, request, given: { email }, values: { next: given = "", again = "" } },
  ) => {
    const provider = await findProviderOfEmail(db, app.services.providerSecrets, email);
    if (provider === undefined) throw unknownDomain(email);
    const { organizationId, access } = provider;
    const { url, checks } = await app.services.providers.begin(access, {
      email,
      again: again === "yes",
    });
    const { issuer } = access;
    // A value that isn't a stored address's key can have any length. The session cookie can't.
    const next = Object.hasOwn(request.session.returnTo ?? {}, given) ? given : "";
    request.session.sentToProvider = { organizationId, issuer, checks, next, sentAt: Date.now() };
    return url;
  },
  toErrors: (error, { request }) => {
    if (!(error instanceof ProviderFailure)) throw error;
    logFailure(request, error);
    return otherPage(502, <FailedProviderPage failure={error} />);
  },
  done: (url) => seeOther(url),
  page: ({ values: { next = "" } }) => <ProviderSignInPage next={next} />,
});

/** Depends only on the domain, so it doesn't reveal accounts. */
function unknownDomain(email: string): FormRefusal {
  const domain = email.includes("@") ? email.slice(email.lastIndexOf("@") + 1) : email;
  const message = t(
    "No organization here has set up single sign-on for {domain}. Sign in with your password or passkey.",
    { domain },
  );
  return new FormRefusal([{ field: "email", message }]);
}

/** `/signin/provider/callback/:organization`: receives the provider's response. */
async function takeAnswer(
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const answer = new URLSearchParams(request.url.split("?", 2)[1] ?? "");
  const sent = await takeSent(request, answer);
  const provider =
    sent && (await findProviderOf(request.db, app.services.providerSecrets, sent.organizationId));
  if (sent === undefined || provider?.access.issuer !== sent.issuer) {
    return sendPage(reply.code(400), <LostSignInPage />);
  }
  try {
    const claims = await app.services.providers.finish(provider.access, answer, sent.checks);
    return await letIn(app, request, reply, { provider, claims, sent });
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    logFailure(request, error);
    const status = error.reason === "denied" ? 403 : 502;
    return sendPage(reply.code(status), <FailedProviderPage failure={error} />);
  }
}

type Sent = NonNullable<FastifyRequest["session"]["sentToProvider"]>;

/** Returns this browser's sign-in parameters, once. A cookie could be replayed. */
async function takeSent(
  request: FastifyRequest,
  answer: URLSearchParams,
): Promise<Sent | undefined> {
  const { session } = request;
  const sent = session.sentToProvider;
  if (sent === undefined || answer.get("state") !== sent.checks.state) return undefined;
  const { organization } = request.params as { organization: string };
  if (organization !== sent.organizationId) return undefined;
  delete session.sentToProvider;
  const isFirst = await commit({ db: request.db, caller: null }, (tx) =>
    spendChallenge(tx, { value: sent.checks.state, madeAt: sent.sentAt }),
  );
  return isFirst && ageOf(sent.sentAt) < lifeMs ? sent : undefined;
}

async function letIn(
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  { provider, claims, sent }: { provider: SignInProvider; claims: ProviderClaims; sent: Sent },
): Promise<FastifyReply> {
  const found = await findProviderPerson(request.db, provider, claims);
  if (found.is === "refused") {
    signInFailures.inc({ method: "provider" });
    request.log.info({ why: found.why, issuer: claims.issuer }, "an identity was refused");
    const { organizationName: organization } = provider;
    return sendPage(reply.code(403), <RefusedPersonPage why={found.why} {...{ organization }} />);
  }
  const { person: present } = request;
  if (present !== null && (found.is === "invited" || found.person.id !== present.id)) {
    return sendPage(reply.code(403), <OtherPersonSignedInPage email={present.email} />);
  }
  const { issuer, subject, multiFactor } = claims;
  const { organizationId } = provider;
  const bound = { organizationId, issuer, subject, multiFactor };
  if (found.is === "member" && needsSecondFactor(found, claims)) {
    keepPendingSubject(request, found.person, bound);
    return reply.redirect(withNext(secondFactorAddress, sent.next), 303);
  }
  const person =
    found.is === "member"
      ? found.person
      : await app.services.anonymousQueue(organizationId, () =>
          commit({ db: request.db, caller: null, request }, (tx) =>
            joinByInvitation(tx, bound, found, {
              name: claims.name,
              origin: request.activityOrigin(),
            }),
          ),
        );
  const address = returnAddress(request, sent.next);
  await completeProviderSignIn(app, request, person, { subject: bound });
  // People with their own second factor confirm with it, so a provider can't remove it.
  const hasOwnFactor = found.is === "member" && found.hasSecondFactor;
  if (sent.checks.again && !hasOwnFactor) request.session.confirmedAt = Date.now();
  return reply.redirect(address, 303);
}

/**
 * Returns true if the account's second factor is still needed. The provider's factors suffice only
 * after the account was bound with its own factor. Otherwise, control of a domain would bypass an
 * account's second factor, even a newer one.
 */
function needsSecondFactor(
  { hasSecondFactor, isBound }: Extract<ProviderPerson, { is: "member" }>,
  { multiFactor }: ProviderClaims,
): boolean {
  return hasSecondFactor && !(isBound && multiFactor);
}

function logFailure(request: FastifyRequest, error: ProviderFailure): void {
  signInFailures.inc({ method: "provider" });
  request.log.warn({ err: error, reason: error.reason }, "an identity provider failed");
}
