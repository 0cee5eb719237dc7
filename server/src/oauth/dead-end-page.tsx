import type { FastifyReply } from "fastify";
import { BarePage } from "../web/layout/bare-page.js";
import { sendPage } from "../web/layout/reply.js";

/** For requests that must not be answered to the app: the person is told instead. */
export async function sendDeadEnd(reply: FastifyReply, reason: string): Promise<FastifyReply> {
  return sendPage(
    reply.code(400),
    <BarePage title="This app cannot connect">
      <p>{reason}</p>
      <p>
        Go back to the app and start connecting again. If that does not help, remove this server
        from the app and add it anew.
      </p>
    </BarePage>,
  );
}
