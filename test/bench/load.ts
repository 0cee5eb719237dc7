import autocannon from "autocannon";
import type { Call } from "./cases.js";
import type { MeasuredServer } from "./servers.js";

export const connections = 16;

export interface Measurement {
  requestsPerSecond: number;
  /** CPU time of the server process per request. */
  cpuMs: number;
  p50Ms: number;
  p99Ms: number;
}

/** Sends the calls to a server in turn. Throws if a response is not 200. */
export async function measure(
  server: MeasuredServer,
  calls: readonly Call[],
  seconds: number,
): Promise<Measurement> {
  const cpuBefore = await server.cpuMs();
  const result = await autocannon({
    url: endpoint(server),
    method: "POST",
    connections,
    duration: seconds,
    requests: calls.map((call) => ({ ...call, method: "POST" })),
  });
  const cpu = (await server.cpuMs()) - cpuBefore;
  const answered = result["2xx"];
  if (result.non2xx > 0 || result.errors > 0 || answered === 0) {
    throw new Error(
      `${endpoint(server)}: ${answered} answers of 200, ${result.non2xx} others, ${result.errors} errors`,
    );
  }
  return {
    requestsPerSecond: answered / result.duration,
    cpuMs: cpu / answered,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
  };
}

/** Makes one checked call. Returns its result and the size of the response in bytes. */
export async function callOnce(
  server: MeasuredServer,
  call: Call,
): Promise<{ result: Record<string, unknown>; bytes: number }> {
  const response = await fetch(endpoint(server), { method: "POST", ...call });
  const text = await response.text();
  const answer = (response.status === 200 ? JSON.parse(text) : {}) as {
    result?: Record<string, unknown>;
  };
  if (answer.result === undefined || answer.result["isError"] === true) {
    throw new Error(`${endpoint(server)} answered ${response.status}: ${text.slice(0, 500)}`);
  }
  return { result: answer.result, bytes: Buffer.byteLength(text) };
}

/** Uses the IP address: "localhost" is resolved for every connection and may mean IPv6 first. */
function endpoint({ baseUrl }: MeasuredServer): string {
  return `${baseUrl.replace("localhost", "127.0.0.1")}/mcp`;
}
