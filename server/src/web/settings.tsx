import type { FastifyPluginAsync } from "fastify";
import type { VNode } from "preact";
import { findOrganizationsOf, type Membership } from "../domain/people/organizations.js";
import { Page } from "./layout.js";
import { frameOf, sendPage, type Frame } from "./reply.js";
import { roleWords } from "./words.js";

/** `/settings`: the person's own account, and the way to everything else that can be set. */
export const settingsPages: FastifyPluginAsync = async (app) => {
  app.get("/settings", { preHandler: app.requirePerson }, async (request, reply) => {
    const organizations = await findOrganizationsOf(app.db.manager, request.person?.id ?? "");
    return sendPage(
      reply,
      <SettingsPage frame={frameOf(request, reply)} organizations={organizations} />,
    );
  });
};

function SettingsPage({
  frame,
  organizations,
}: {
  frame: Frame;
  organizations: readonly Membership[];
}): VNode {
  return (
    <Page title="Settings" current="/settings" {...frame}>
      <h1>Settings</h1>
      <section class="panel" aria-labelledby="account">
        <h2 id="account">Your account</h2>
        <dl class="facts">
          <dt>Name</dt>
          <dd>{frame.person?.name}</dd>
          <dt>Email</dt>
          <dd>{frame.person?.email}</dd>
          <dt>Password</dt>
          <dd>
            <a href="/password/forgot">How to get a new one</a>
          </dd>
          {organizations.length > 0 && (
            <>
              <dt>{organizations.length === 1 ? "Organization" : "Organizations"}</dt>
              {organizations.map(({ id, name, role }) => (
                <dd key={id}>
                  {name} <span class="soft">({roleWords[role]})</span>
                </dd>
              ))}
            </>
          )}
        </dl>
      </section>
      <ul class="links">
        <li>
          <a href="/settings/apps">
            <strong>Connected Apps</strong>
            <span class="soft">Which assistants may act for you, and what they may do.</span>
          </a>
        </li>
      </ul>
    </Page>
  );
}
