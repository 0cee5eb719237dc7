import { toRecord } from "../../common/json.js";
import { addCall, createExchange, type Exchange } from "../requests/exchange.js";
import { isId, type Message, type RawMessage, type RpcId } from "../requests/message.js";
import type { ProxyContext } from "../requests/proxy-context.js";

/** The host's requests whose effect ends with the session. */
export interface Subscriptions {
  record: (line: RawMessage, message: Message) => void;
  /** Sends them once more, in a new session. The host has their answers already. */
  resend: (send: (exchange: Exchange, message: Message) => Promise<void>) => void;
}

export function createSubscriptions({
  exchanges,
  settings,
}: Pick<ProxyContext, "exchanges" | "settings">): Subscriptions {
  const kept = new Map<string, { line: RawMessage; message: Message & { id: RpcId } }>();
  return {
    record: (line, message) => {
      const { id, method, params } = message;
      const subject = `subscription ${String(toRecord(params)["uri"])}`;
      if (method === "resources/unsubscribe") kept.delete(subject);
      if (!isId(id)) return;
      if (method === "resources/subscribe")
        kept.set(subject, { line, message: { ...message, id } });
      if (method === "logging/setLevel") kept.set(method, { line, message: { ...message, id } });
    },
    resend: (send) => {
      for (const { line, message } of kept.values()) {
        const exchange = createExchange({
          body: line,
          modern: undefined,
          timeoutMs: settings.timeoutMs,
        });
        addCall(exchange, message, () => undefined).state = "fallback";
        // One that the host still waits for is sent again on its own account.
        if (exchanges.start(exchange)) void send(exchange, message);
      }
    },
  };
}
