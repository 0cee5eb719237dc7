import type { Admission } from "../limits/caller-limit.js";
import type { AnswerStream } from "./answer-stream.js";
import type { CallContext } from "./call-tool.js";
import type { ClientResponses } from "./client-requests.js";
import type { InputRequired } from "./confirmation.js";
import type { answerRequest } from "./methods.js";
import type { RpcId } from "./rpc.js";
import type { MirrorHeaders } from "./standard-headers.js";

export type AnswerRequest = (
  ...request: [...Parameters<typeof answerRequest>, stream: AnswerStream | undefined]
) => ReturnType<typeof answerRequest>;

/** What a message has of its own. */
export type MessageContext = Pick<CallContext, "report" | "person">;

/** One HTTP request to the endpoint, after its token was checked. */
export interface HttpCall {
  body: unknown;
  headers: MirrorHeaders;
  /** What answers its requests: the product's own, but where tests put something in its place. */
  answerRequest: AnswerRequest;
  /** For the caller as of now: found anew for each message, or an error when the access has ended. */
  openContext: (own: MessageContext) => Promise<CallContext>;
  /** Counts a call, and waits for a place when the caller has too many at once. */
  admit: () => Promise<Admission>;
  /** Counts what there is of the answer; false when no more should be put into it. */
  hold: (bytes: number) => boolean;
  /** Refuse what some hosted clients get wrong, instead of tolerating it. */
  strictHeaders: boolean;
  /** Told when something was tolerated. */
  onTolerated: (what: string) => void;
  /** Undefined for a client that takes nothing before the answer. */
  stream: AnswerStream | undefined;
  /** From now on the call ends, without a change, when nobody waits for its answer any more. */
  endWithReader: () => void;
  /** Whether a client with a handshake can be asked, as its session says. */
  canAsk: boolean;
  /** The id of the session that a handshake opens. */
  issueSession: (declaresForms: boolean) => string;
  /** Asks the client on the stream. */
  ask: (asked: InputRequired) => Promise<ClientResponses>;
  /** Takes what a client responds to that. */
  takeResponse: (response: Record<string, unknown>) => Promise<void>;
  /** Lets the call be cancelled by the id of its request; gives the function to call at its end. */
  enter: (id: RpcId) => () => void;
  /** Cancels another call of the same connection. */
  cancel: (id: unknown) => void;
}
