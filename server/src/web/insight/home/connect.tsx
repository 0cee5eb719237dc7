import type { FastifyPluginAsync } from "fastify";
import { mcpPath } from "fettle-shared";
import type { VNode } from "preact";
import { countConnections } from "../../../domain/oauth/connections.js";
import { bridgeArguments } from "../../downloads.js";
import { Page } from "../../layout/layout.js";
import { PageHead } from "../../layout/page-head.js";
import { NoOrganization } from "../../layout/notices.js";
import { sendPage } from "../../layout/reply.js";
import { ClientSteps } from "./client-steps.js";
import { t, tRich } from "../../../language/translate.js";
import { readMember } from "../../../plugins/members.js";

/** `/connect`: the steps to connect an assistant. */
export const connectPages: FastifyPluginAsync = async (app) => {
  app.get("/connect", { preHandler: readMember }, async (request, reply) => {
    const view = {
      isMember: request.caller !== null,
      connectedApps: await countConnections(request.db, request.person?.id ?? ""),
      mcpUrl: app.services.config.baseUrl + mcpPath,
      bridge: bridgeArguments(app.services.config),
    };
    return sendPage(reply, <ConnectPage {...view} />);
  });
};

interface Connectable {
  connectedApps: number;
  mcpUrl: string;
}

/** On the home page: an invitation until an app is connected, then one line. */
export function ConnectPanel({ connectedApps, mcpUrl }: Connectable): VNode {
  if (connectedApps > 0) {
    return (
      <div class="connected soft">
        <SeeConnected connectedApps={connectedApps} />
        <a href="/connect">{t("Connect another assistant")}</a>
        <details>
          <summary>{t("Three things to try")}</summary>
          <ThingsToTry />
        </details>
      </div>
    );
  }
  return (
    <section class="panel" aria-labelledby="connect">
      <h2 id="connect">{t("Connect your assistant")}</h2>
      <p>
        {t(
          "Claude, ChatGPT and other assistants that support MCP can look things up here and keep them up to date. You decide what each one can do.",
        )}
      </p>
      <ServerAddress mcpUrl={mcpUrl} />
      <p>
        <a href="/connect">{t("How to connect an assistant, step by step")}</a>
      </p>
    </section>
  );
}

/** For people whose assistant is connected. */
export function ThingsToTry(): VNode {
  return (
    <>
      <p>{t("Say one of these to your assistant.")}</p>
      <ul>
        <li>{t("“Which warranties end this year?”")}</li>
        <li>{t("“What's overdue, and who is it assigned to?”")}</li>
        <li>{t("“Add a yearly inspection of the fire extinguishers.”")}</li>
      </ul>
    </>
  );
}

function SeeConnected({ connectedApps }: { connectedApps: number }): VNode {
  return (
    <a href="/settings/apps">
      {t("{count, plural, one {View your connected app} other {View your # connected apps}}", {
        count: connectedApps,
      })}
    </a>
  );
}

function ServerAddress({ mcpUrl }: { mcpUrl: string }): VNode {
  return (
    <div class="field">
      <label for="mcp-url">{t("Server URL")}</label>
      <input
        id="mcp-url"
        class="copy"
        type="text"
        readOnly
        value={mcpUrl}
        aria-describedby="mcp-url-help"
      />
      <p class="help" id="mcp-url-help">
        {t("Select and copy the address.")}
      </p>
    </div>
  );
}

interface StepsView extends Connectable {
  bridge: readonly string[];
}

function ConnectPage(view: StepsView & { isMember: boolean }): VNode {
  const { isMember, ...connectable } = view;
  return (
    <Page title={t("Connect an assistant")} current="/connect">
      <PageHead title={t("Connect an assistant")} crumbs={[{ href: "/", label: t("Home") }]} />
      {isMember ? <Steps {...connectable} /> : <NoOrganization />}
    </Page>
  );
}

function Steps({ connectedApps, mcpUrl, bridge }: StepsView): VNode {
  return (
    <>
      <p>
        {t(
          "Claude, ChatGPT and other assistants that support MCP can look things up here, add assets and keep them up to date. You decide what each one can do.",
        )}
      </p>
      <section class="panel" aria-label={t("Server URL")}>
        <ServerAddress mcpUrl={mcpUrl} />
      </section>
      <ol class="steps">
        <li>
          {t(
            "In your assistant's settings, add a connector or MCP server. When it asks for an address, paste the one above.",
          )}
        </li>
        <li>
          {t(
            "Your assistant opens a Fettle page. Sign in, choose the organization, and select what the assistant can do.",
          )}
        </li>
        <li>{t("Go back to your assistant and ask: “Which warranties end this year?”")}</li>
      </ol>
      <ClientSteps mcpUrl={mcpUrl} bridge={bridge} />
      <p>
        {connectedApps === 0 ? (
          <span class="soft">
            {tRich("You can disconnect apps at any time under <a>Connected Apps</a>.", {
              a: (words) => <a href="/settings/apps">{words}</a>,
            })}
          </span>
        ) : (
          <SeeConnected connectedApps={connectedApps} />
        )}
      </p>
    </>
  );
}
