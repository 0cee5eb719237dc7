import type { Context } from "../context/context.js";
import type { ChannelEnd } from "../ipc/channel-end.js";
import { readState } from "../profile/state.js";
import { type FlowOptions, runFlow } from "./flow.js";
import type { SignInEvent, SignInMessage } from "./helper-messages.js";
import { isAlreadySignedIn, mayPrompt } from "./prompt-policy.js";

/** At most one sign-in at a time, watched by everybody who asked for one. */
export interface SharedFlow {
  /** Tells this connection how the sign-in goes, beginning one when there is need. */
  join: (end: ChannelEnd, request: SignInMessage) => void;
  /** Whether a sign-in is under way, or somebody waits to hear whether one begins. */
  isActive: () => boolean;
}

interface RunningFlow {
  watch: (end: ChannelEnd) => void;
  /** The last page may still be on its way. */
  isOutcomeSent: () => boolean;
  done: Promise<void>;
}

type Options = Pick<FlowOptions, "limitMs" | "finishMs" | "openStore">;

export function createSharedFlow(
  context: Context,
  { onIdle, ...options }: Options & { onIdle: () => void },
): SharedFlow {
  let running: RunningFlow | undefined;
  let admitting = 0;
  let admitted = Promise.resolve();

  const admit = async (end: ChannelEnd, request: SignInMessage) => {
    if (running?.isOutcomeSent()) await running.done;
    if (running !== undefined) {
      running.watch(end);
      return;
    }
    const state = await readState(context.profile);
    if (isAlreadySignedIn(state, request)) {
      end.send({ event: "ended", outcome: { kind: "done" } });
    } else if (!mayPrompt(request.cause, state)) {
      end.send({ event: "none" });
    } else {
      running = startFlow(context, options, request.additionalScope);
      running.watch(end);
      void running.done.then(() => {
        running = undefined;
        onIdle();
      });
    }
  };

  return {
    isActive: () => running !== undefined || admitting > 0,
    // One after the other: what one begins, the next one joins.
    join: (end, request) => {
      admitting += 1;
      admitted = admitted
        .then(() => admit(end, request))
        .finally(() => {
          admitting -= 1;
          onIdle();
        });
    },
  };
}

function startFlow(
  context: Context,
  options: Options,
  additionalScope: string | undefined,
): RunningFlow {
  const watchers = new Set<ChannelEnd>();
  let waiting: SignInEvent | undefined;
  let isSent = false;
  const tell = (event: SignInEvent) => {
    for (const watcher of watchers) watcher.send(event);
  };
  const done = runFlow(context, {
    ...options,
    additionalScope,
    onWaiting: (address) => {
      waiting = { event: "waiting", ...address };
      tell(waiting);
    },
    onEnded: (outcome, code) => {
      isSent = true;
      tell({ event: "ended", outcome, ...(code !== undefined && { code }) });
    },
  });
  return {
    watch: (end) => {
      watchers.add(end);
      if (waiting !== undefined) end.send(waiting);
    },
    isOutcomeSent: () => isSent,
    done,
  };
}
