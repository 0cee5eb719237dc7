import type { FastifyReply } from "fastify";
import type { VNode } from "preact";
import type { FormError } from "../layout/error-summary.js";
import type { Message } from "../layout/layout-context.js";
import { flash, flashRefusal, sendPage } from "../layout/reply.js";

/** A response other than the form's page: a redirect (303) or another page. */
export class FormReply {
  readonly send: (reply: FastifyReply, isRepeated: boolean) => FastifyReply | Promise<FastifyReply>;
  /** The message, for forms that a script sends. */
  readonly text: string;

  constructor(send: FormReply["send"], text = "") {
    this.send = send;
    this.text = text;
  }
}

/** Redirects to a page and shows a message there, with a link or an Undo button. */
export function seeOther(
  address: string,
  text?: string,
  to?: Message["to"],
  more: Pick<Message, "kind" | "undo"> = {},
): FormReply {
  return new FormReply((reply, isRepeated) => {
    // The message of the first of two equal forms stays until it is read.
    const isSaid = isRepeated && reply.request.session.message !== undefined;
    if (text !== undefined && !isSaid) flash(reply.request, text, to, more);
    return reply.redirect(address, 303);
  }, text);
}

/** Redirects to a page, which shows why nothing happened. */
export function refuseAt(address: string, text: string | undefined): FormReply {
  return new FormReply((reply) => {
    if (text !== undefined) flashRefusal(reply.request, text);
    return reply.redirect(address, 303);
  });
}

export function otherPage(status: number, page: VNode): FormReply {
  return new FormReply((reply) => sendPage(reply.code(status), page));
}

/** A refusal by the form itself, while it makes its change. */
export class FormRefusal extends Error {
  readonly errors: FormError[];

  constructor(errors: FormError[]) {
    super("The form is refused.");
    this.errors = errors;
  }
}
