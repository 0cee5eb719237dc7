import { toRecord, toText } from "../../common/json.js";
import { addCall, createExchange, type Exchange } from "../requests/exchange.js";
import { isId, type Message, type RawMessage, type RpcId } from "../requests/message.js";
import type { ProxyContext } from "../requests/proxy-context.js";

/** The host's requests whose effect ends with the session. */
export interface Subscriptions {
  record: (exchange: Exchange) => void;
  /** Sends them once more, in a new session. The host has their answers already. */
  resend: (send: (exchange: Exchange) => Promise<void>) => void;
}

export function createSubscriptions(
  deps: Pick<ProxyContext, "exchanges" | "settings">,
): Subscriptions {
  const kept = new Map<string, { body: RawMessage; message: Message & { id: RpcId } }>();
  return {
    record: ({ body, message }) => {
      const { id, method, params } = message;
      const subject = `subscription ${toText(toRecord(params)["uri"])}`;
      if (method === "resources/unsubscribe") kept.delete(subject);
      if (!isId(id)) return;
      if (method === "resources/subscribe")
        kept.set(subject, { body, message: { ...message, id } });
      if (method === "logging/setLevel") kept.set(method, { body, message: { ...message, id } });
    },
    resend: (send) => {
      for (const { body, message } of kept.values()) {
        const exchange = createExchange(body, message, deps.settings.timeoutMs);
        addCall(exchange, message, () => undefined).state = "fallback";
        // One that the host still waits for is sent again on its own account.
        if (deps.exchanges.start(exchange)) void send(exchange);
      }
    },
  };
}
