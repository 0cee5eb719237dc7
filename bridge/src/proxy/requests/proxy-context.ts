import type { Log } from "../../common/log.js";
import type { Settings } from "../../common/settings.js";
import type { TokenManager } from "../../tokens/token-manager.js";
import type { RawMessage } from "./message.js";
import type { OpenExchanges } from "./open-exchanges.js";
import type { Timeouts } from "./timeouts.js";

/** What every part of the proxy shares. */
export interface ProxyContext {
  settings: Settings;
  log: Log;
  tokens: TokenManager;
  /** The one way to the host; `write` is false and `drained` waits while it reads slowly. */
  output: { write: (frame: RawMessage) => boolean; drained: () => Promise<void> };
  timeouts: Timeouts;
  exchanges: OpenExchanges;
  maxAnswerBytes: number;
}
