import { getPriority, setPriority } from "node:os";
import { callsOf, pagesOf, run, type Actor } from "./requests.js";

/*
 * The noisy organization, in a separate process: in production its machines are elsewhere, and its
 * own processing must not be measured.
 */

/**
 * The first message to the process. The process answers "ready", then answers each number of
 * seconds with a tally.
 */
export interface Noise {
  baseUrl: string;
  people: readonly { email: string; password: string; tokens: readonly string[] }[];
}

/**
 * Per connection. Together the connections exceed the organization's limit of 50 calls a second.
 */
const callsPerSecond = 10;
const pagesPerSecond = 15;

const calls = [
  { name: "list_assets", arguments: { limit: 100 } },
  { name: "list_assets", arguments: { query: "cooling loop", limit: 100 } },
  { name: "search_asset_history", arguments: { query: "hall", limit: 50 } },
  { name: "list_maintenance_tasks", arguments: { limit: 100 } },
];

async function createActors({ baseUrl, people }: Noise): Promise<Actor[]> {
  const actors: Actor[] = [];
  for (const { email, password, tokens } of people) {
    for (const token of tokens) {
      actors.push({ request: callsOf(baseUrl, token, calls), perSecond: callsPerSecond });
    }
    const request = await pagesOf(baseUrl, email, password);
    actors.push({ request, perSecond: pagesPerSecond });
  }
  return actors;
}

setPriority(getPriority() + 5);
process.once("message", (noise: Noise) => {
  void createActors(noise).then((actors) => {
    process.on("message", (seconds: number) => {
      void run(actors, seconds).then((tally) => process.send?.(tally));
    });
    process.send?.("ready");
  });
});
