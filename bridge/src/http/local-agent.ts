import { lookup } from "node:dns";
import { Agent } from "node:http";
import { createConnection, type LookupFunction, type NetConnectOpts } from "node:net";
import { findListener } from "../common/peer.js";

/** Another user of this computer listens where the server should; nothing was sent there. */
const otherUserCode = "OTHER_USER";

/**
 * Connections over plain http, which go to this computer alone. There anybody can listen where the server does
 * not: a request is written to none that another user has made.
 */
export function createLocalAgent(): Agent {
  const agent = new Agent({ keepAlive: true });
  agent.createConnection = (options, onConnected) => {
    const socket = createConnection({ ...options, lookup: lookUpIpv4First } as NetConnectOpts);
    const fail = (error: Error) => {
      onConnected?.(error, socket);
    };
    socket.once("error", fail).once("connect", () => {
      void findListener(socket).then((listener) => {
        if (listener === "trusted" && !socket.destroyed) {
          socket.off("error", fail);
          onConnected?.(null, socket);
        } else {
          fail(toError(listener === "other user" ? otherUserCode : "ECONNRESET"));
          socket.destroy();
        }
      });
    });
    return undefined;
  };
  return agent;
}

function toError(code: string): Error {
  return Object.assign(new Error("The connection was not accepted."), { code });
}

/** Most servers that `localhost` is the name of listen there, and the other address is anybody's. */
const lookUpIpv4First: LookupFunction = (hostname, options, done) => {
  lookup(hostname, { ...options, order: "ipv4first" }, done);
};
