import type { FastifyPluginAsync } from "fastify";
import type { VNode } from "preact";
import type { IdentityProviderDomain } from "../../../db/entities/identity-providers.js";
import { textOf } from "../../../domain/accounts/domains.js";
import { getProviderSettings, type ProviderSettings } from "../../../domain/accounts/providers.js";
import { t, tRich } from "../../../language/translate.js";
import { ProviderButton } from "../../accounts/provider-pages.js";
import { providerCallback } from "../../accounts/sign-in-addresses.js";
import { PostForm } from "../../forms/controls.js";
import { Facts } from "../../layout/facts.js";
import { Notice } from "../../layout/notices.js";
import { ActionLink } from "../../layout/page-head.js";
import { callerOf, sendPage } from "../../layout/reply.js";
import { keepReturn } from "../../layout/return-addresses.js";
import { countOf } from "../../text/format.js";
import { SettingsPage } from "../settings-layout.js";
import { organizationCrumbs } from "../organization-address.js";
import { domainAddress, providerSettings, providerTitle } from "./addresses.js";

/** `/settings/organization/provider`: owners change it, admins view it. */
export const providerOverviewPages: FastifyPluginAsync = async (app) => {
  app.get(providerSettings, async (request, reply) => {
    const caller = callerOf(request);
    const settings = await getProviderSettings(request.db, caller);
    const isOwner = caller.organizationRole === "owner";
    return sendPage(
      reply,
      <ProviderPage
        settings={settings}
        isOwner={isOwner}
        email={caller.userEmail}
        next={isOwner && settings.provider !== null ? keepReturn(request, providerSettings) : ""}
        redirectUri={app.services.config.baseUrl + providerCallback(caller.organizationId)}
      />,
    );
  });
};

interface ProviderView {
  settings: ProviderSettings;
  isOwner: boolean;
  email: string;
  /** Returns to this page after a sign-in. */
  next: string;
  redirectUri: string;
}

function ProviderPage(view: ProviderView): VNode {
  return (
    <SettingsPage title={providerTitle()} current={providerSettings} crumbs={organizationCrumbs}>
      <p class="soft">
        {t(
          "People whose email uses your domain sign in with your identity provider (OpenID Connect).",
        )}
        {!view.isOwner && ` ${t("Organization owners can change this.")}`}
      </p>
      <Provider {...view} />
      <Domains {...view} />
      {view.settings.provider !== null && <SsoRule {...view} />}
    </SettingsPage>
  );
}

function Provider({ settings, isOwner, email, next, redirectUri }: ProviderView): VNode {
  const { provider, people, has_own: hasOwn } = settings;
  return (
    <section class="panel" aria-labelledby="identity-provider">
      <h2 id="identity-provider">{t("Identity provider")}</h2>
      <Facts
        facts={[
          [t("Issuer URL"), provider?.issuer],
          [t("Client ID"), provider?.client_id],
          [t("Client secret"), provider === null ? undefined : t("Stored encrypted")],
          [
            t("Verification"),
            provider?.verifies_addresses === true
              ? t("All addresses count as verified")
              : undefined,
          ],
          [t("Redirect URL"), <code class="secret-key">{redirectUri}</code>],
          [t("People signed in"), provider === null ? undefined : toPeople(people)],
        ]}
      />
      {isOwner && <ProviderActions isThere={provider !== null} />}
      {isOwner && provider !== null && !hasOwn && (
        <Notice>
          <p>
            {t(
              "You haven't signed in with the provider yet. Try it once a domain is verified. You stay signed in here.",
            )}
          </p>
          <ProviderButton email={email} next={next} />
        </Notice>
      )}
    </section>
  );
}

function ProviderActions({ isThere }: { isThere: boolean }): VNode {
  return (
    <div class="actions">
      <ActionLink href={`${providerSettings}/edit`} quiet={isThere}>
        {isThere ? t("Change") : t("Set up")}
      </ActionLink>
      {isThere && (
        <>
          <PostForm action={`${providerSettings}/test`}>
            <button type="submit" class="quiet">
              {t("Test the connection")}
            </button>
          </PostForm>
          <ActionLink
            href={`${providerSettings}/remove`}
            quiet
            label={t("Remove the identity provider")}
          >
            {t("Remove")}
          </ActionLink>
        </>
      )}
    </div>
  );
}

function toPeople(count: number): string {
  return count === 0 ? t("No one yet") : countOf(count, "person");
}

function Domains({ settings: { domains }, isOwner }: ProviderView): VNode {
  return (
    <section class="panel" aria-labelledby="domains">
      <h2 id="domains">{t("Email domains")}</h2>
      <p class="help">
        {t(
          "People with these email domains sign in with your provider after you verify the domain.",
        )}
      </p>
      {domains.length > 0 && (
        <ul class="rows factors">
          {domains.map((found) => (
            <Domain key={found.domain} found={found} isOwner={isOwner} />
          ))}
        </ul>
      )}
      {isOwner && (
        <ActionLink href={`${providerSettings}/domains/new`} quiet>
          {t("Add a domain")}
        </ActionLink>
      )}
    </section>
  );
}

interface DomainView {
  found: IdentityProviderDomain;
  isOwner: boolean;
}

function Domain({ found, isOwner }: DomainView): VNode {
  return (
    <li class="row">
      <div>
        <h3>{found.domain}</h3>
        {found.verified_at === null ? (
          <>
            <p>
              {tRich("Not verified yet. Add this text as a TXT record for {domain}:", {
                domain: <strong>{found.domain}</strong>,
              })}
            </p>
            <p>
              <code class="secret-key">{textOf(found)}</code>
            </p>
          </>
        ) : (
          <p>{t("Verified. You can remove the DNS record now.")}</p>
        )}
        {isOwner && (
          <div class="actions">
            {found.verified_at === null && (
              <PostForm action={domainAddress(found.domain, "check")}>
                <button
                  type="submit"
                  class="quiet"
                  aria-label={t("Check {domain} now", { domain: found.domain })}
                >
                  {t("Check now")}
                </button>
              </PostForm>
            )}
            <ActionLink
              href={domainAddress(found.domain, "remove")}
              quiet
              label={t("Remove {domain}", { domain: found.domain })}
            >
              {t("Remove")}
            </ActionLink>
          </div>
        )}
      </div>
    </li>
  );
}

function SsoRule({ settings, isOwner }: ProviderView): VNode {
  const isOn = settings.provider?.sso_required === true;
  return (
    <section class="panel" aria-labelledby="sso-required">
      <h2 id="sso-required">{t("Single sign-on only")}</h2>
      <Facts
        facts={[
          [
            t("People with these domains"),
            isOn
              ? t("Can only sign in with the provider")
              : t("Can also use passwords and passkeys"),
          ],
          [
            t("Can also sign in with a password"),
            isOn ? (settings.break_glass_owner_name ?? t("No one")) : undefined,
          ],
        ]}
      />
      {isOwner && (
        <div class="actions">
          <ActionLink href={`${providerSettings}/sso-required`} quiet>
            {t("Change")}
          </ActionLink>
        </div>
      )}
    </section>
  );
}

export function ProviderPanel(): VNode {
  return (
    <section class="panel" aria-labelledby="provider">
      <h2 id="provider">{providerTitle()}</h2>
      <p class="help">
        {t("People with your email domains sign in through your identity provider.")}
      </p>
      <ActionLink href={providerSettings} quiet>
        {t("Set up single sign-on")}
      </ActionLink>
    </section>
  );
}
