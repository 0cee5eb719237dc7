import { bundledInitialize } from "./bundled-answers.js";
import type { FirstAnswers, Result } from "./first-answers.js";
import type { Call, Job } from "./job.js";
import { toRecord } from "./message.js";
import { type Era, signInTool, type ToolBook } from "./tools.js";

export interface EarlyResultParts {
  tools: ToolBook;
  firstAnswers: FirstAnswers;
}

/** Lists that are empty for a host as long as the server cannot be asked. */
const emptyLists = new Map<string, Result>([
  ["prompts/list", { prompts: [] }],
  ["resources/list", { resources: [] }],
  ["resources/templates/list", { resourceTemplates: [] }],
]);
const noTools: Result = { tools: [] };
const modernFields = { resultType: "complete", ttlMs: 0, cacheScope: "private" };

/** What a call can be answered with before the server does; undefined when it has to wait on. */
export function findEarlyResult(
  call: Call,
  version: string,
  parts: EarlyResultParts,
): Result | undefined {
  const result = findResult(call, version, parts);
  const isLegacy = call.job.modern === undefined;
  return result === undefined || isLegacy ? result : { ...modernFields, ...result };
}

export function isList(method: string): boolean {
  return method === "tools/list" || emptyLists.has(method);
}

/** We tell the host of changes ourselves, so it must listen. The same object when it does. */
export function withListChanged(result: Result): Result {
  const capabilities = toRecord(result["capabilities"]);
  const ofTools = capabilities["tools"];
  if (ofTools === undefined || toRecord(ofTools)["listChanged"] === true) return result;
  return {
    ...result,
    capabilities: { ...capabilities, tools: { ...toRecord(ofTools), listChanged: true } },
  };
}

export function eraOf({ job }: Call): Era {
  return job.modern === undefined ? "legacy" : "modern";
}

function findResult(call: Call, version: string, parts: EarlyResultParts): Result | undefined {
  const { method, params, job } = call;
  const { firstAnswers } = parts;
  if (method === "initialize") {
    return withListChanged(firstAnswers.initializeFor(params) ?? bundledInitialize(params));
  }
  if (method === "server/discover") return firstAnswers.discoverFor(params);
  if (method === "tools/list") return findToolsList(call, version, parts);
  // A host that pings asks whether it can go on with the bridge, and it can.
  if (method === "ping") return {};
  return isCutOff(job) ? emptyLists.get(method) : undefined;
}

/** Nobody is signed in, or the server is away. One that is only slow has not failed yet. */
function isCutOff({ isSignedOut, tries }: Job): boolean {
  return isSignedOut || tries > 0;
}

function findToolsList(
  call: Call,
  version: string,
  { tools, firstAnswers }: EarlyResultParts,
): Result | undefined {
  if (toRecord(call.params)["cursor"] !== undefined) return undefined;
  const cached = firstAnswers.toolsList(version);
  if (cached === undefined) {
    if (call.job.isSignedOut) return { tools: [signInTool] };
    // Hosts give up on a server whose list fails, and ask again for one that has changed.
    return isCutOff(call.job) ? noTools : undefined;
  }
  tools.recall(cached);
  return toRecord(tools.filter(cached, eraOf(call)));
}
