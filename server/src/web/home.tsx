import type { FastifyPluginAsync } from "fastify";
import { mcpPath } from "fettle-shared";
import type { VNode } from "preact";
import { findConnections } from "../domain/oauth/connections.js";
import { findOrganizationsOf, type Membership } from "../domain/people/organizations.js";
import { Page } from "./layout.js";
import { EmptyState } from "./parts.js";
import { frameOf, sendPage, type Frame } from "./reply.js";
import { roleWords } from "./words.js";

/** `/`: where a person starts. */
export const homePages: FastifyPluginAsync = async (app) => {
  app.get("/", async (request, reply) => {
    if (request.person === null) return reply.redirect("/signin", 303);
    const { id } = request.person;
    const organizations = await findOrganizationsOf(app.db.manager, id);
    const connections = await findConnections(app.db.manager, id);
    return sendPage(
      reply,
      <HomePage
        frame={frameOf(request, reply)}
        organizations={organizations}
        connectedApps={connections.length}
        mcpUrl={app.config.baseUrl + mcpPath}
      />,
    );
  });
};

interface HomeView {
  frame: Frame;
  organizations: readonly Membership[];
  connectedApps: number;
  mcpUrl: string;
}

function HomePage({ frame, organizations, connectedApps, mcpUrl }: HomeView): VNode {
  return (
    <Page title="Home" width="reading" current="/" {...frame}>
      <h1>{`Good to see you, ${frame.person?.name ?? ""}`}</h1>
      <section aria-labelledby="organizations">
        <h2 id="organizations">Your organizations</h2>
        {organizations.length === 0 ? (
          <EmptyState title="You are in no organization">
            <p>
              Ask an owner or admin to add you. Until then there is nothing to see or to connect.
            </p>
          </EmptyState>
        ) : (
          <ul class="rows">
            {organizations.map(({ id, name, role }) => (
              <li key={id} class="row">
                <strong>{name}</strong>
                <span class="soft">{roleWords[role]}</span>
              </li>
            ))}
          </ul>
        )}
      </section>
      <ConnectSection connectedApps={connectedApps} mcpUrl={mcpUrl} />
    </Page>
  );
}

function ConnectSection({ connectedApps, mcpUrl }: Omit<HomeView, "frame" | "organizations">) {
  return (
    <section class="panel" aria-labelledby="connect">
      <h2 id="connect">
        {connectedApps === 0 ? "Connect your assistant" : "Connect another assistant"}
      </h2>
      <p>
        Claude, ChatGPT and every other assistant that speaks MCP can look things up here, add
        assets and keep them up to date. You decide what each of them may do.
      </p>
      <div class="field">
        <label for="mcp-url">Server address</label>
        <input
          id="mcp-url"
          class="copy"
          type="text"
          readOnly
          value={mcpUrl}
          aria-describedby="mcp-url-help"
        />
        <p class="help" id="mcp-url-help">
          Select it and copy it.
        </p>
      </div>
      <ol class="steps">
        <li>
          In your assistant, open the settings and add a connector or MCP server. It asks for an
          address: paste the one above.
        </li>
        <li>
          Your assistant opens a page of Fettle. Sign in, choose the organization, and tick what the
          assistant may do.
        </li>
        <li>Go back to your assistant and ask: “Which warranties end this year?”</li>
      </ol>
      <p>
        {connectedApps === 0 ? (
          <span class="soft">
            What you connect is listed under <a href="/settings/apps">Connected Apps</a>, and you
            can disconnect it there at any time.
          </span>
        ) : (
          <a href="/settings/apps">
            {connectedApps === 1
              ? "See your connected app"
              : `See your ${connectedApps} connected apps`}
          </a>
        )}
      </p>
    </section>
  );
}
