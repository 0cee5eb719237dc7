import { lookup } from "node:dns";
import { Agent } from "node:http";
import { createConnection, type LookupFunction, type NetConnectOpts } from "node:net";
import { findListener } from "../common/peer.js";
import { ServedByOtherUser } from "./setup-advice.js";

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
          fail(listener === "other user" ? new ServedByOtherUser() : notAccepted());
          socket.destroy();
        }
      });
    });
    return undefined;
  };
  return agent;
}

function notAccepted(): Error {
  return Object.assign(new Error("It was not accepted."), { code: "ECONNRESET" });
}

/** Most servers that `localhost` is the name of listen there, and the other address is anybody's. */
const lookUpIpv4First: LookupFunction = (hostname, options, done) => {
  lookup(hostname, { ...options, order: "ipv4first" }, done);
};
