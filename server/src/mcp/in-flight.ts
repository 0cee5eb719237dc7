import type { RpcId } from "./rpc.js";

/** Requests under way on this node, by the connection they came by and the id that its client gave them. */
export interface InFlight {
  /** Gives the function to call at its end. */
  enter: (connectionId: string, id: RpcId, cancel: () => void) => () => void;
  /**
   * Ends a request that its client cancels. Two windows of an app may use one connection and count their
   * requests alike, and when there are two nobody knows which was meant.
   */
  cancel: (connectionId: string, id: unknown) => void;
}

export function createInFlight(): InFlight {
  const requests = new Map<string, Set<() => void>>();
  const keyOf = (connectionId: string, id: unknown) => `${connectionId} ${JSON.stringify(id)}`;
  return {
    enter: (connectionId, id, cancel) => {
      const key = keyOf(connectionId, id);
      const same = requests.get(key) ?? new Set();
      requests.set(key, same.add(cancel));
      return () => {
        same.delete(cancel);
        if (same.size === 0) requests.delete(key);
      };
    },
    cancel: (connectionId, id) => {
      const [cancel, another] = requests.get(keyOf(connectionId, id)) ?? [];
      if (another === undefined) cancel?.();
    },
  };
}
