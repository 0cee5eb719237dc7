import type { FastifyReply } from "fastify";
import { Page, renderPage } from "../web/layout/layout.js";

/** For requests that must not be answered to the app: the person is told instead. */
export async function sendDeadEnd(reply: FastifyReply, reason: string): Promise<FastifyReply> {
  return reply
    .code(400)
    .type("text/html; charset=utf-8")
    .send(
      renderPage(
        <Page title="This app cannot connect" width="narrow" bare>
          <h1>This app cannot connect</h1>
          <p>{reason}</p>
          <p>
            Go back to the app and start connecting again. If that does not help, remove this server
            from the app and add it anew.
          </p>
        </Page>,
      ),
    );
}
