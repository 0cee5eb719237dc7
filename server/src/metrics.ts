import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";

/**
 * The metrics of this process, for `/metrics`. Labels have few, fixed values: route patterns, tool
 * names, codes. They never contain ids or client input.
 */
export const counted = new Registry();
collectDefaultMetrics({ register: counted });

const registers = [counted];

export const httpRequests = new Histogram({
  name: "fettle_http_request_duration_seconds",
  help: "Answered requests, by the pattern of their route and the class of the status.",
  labelNames: ["method", "route", "status"] as const,
  registers,
});

export const toolCalls = new Counter({
  name: "fettle_tool_calls_total",
  help: "Tool calls; the outcome is ok or the code of the error.",
  labelNames: ["tool", "outcome"] as const,
  registers,
});

export const toolCallDuration = new Histogram({
  name: "fettle_tool_call_duration_seconds",
  help: "How long tool calls took.",
  labelNames: ["tool"] as const,
  registers,
});

export const toolCallRowsLost = new Counter({
  name: "fettle_tool_call_rows_lost_total",
  help: "Rows of tool_call_log that the database did not take in time.",
  registers,
});

export const limitRefusals = new Counter({
  name: "fettle_limit_refusals_total",
  help: "Requests refused by a rate limit, by limit.",
  labelNames: ["limit"] as const,
  registers,
});

export const signInFailures = new Counter({
  name: "fettle_sign_in_failures_total",
  help: "Failed sign-ins, by what was wrong.",
  labelNames: ["method"] as const,
  registers,
});

export const statementTimeouts = new Counter({
  name: "fettle_statement_timeouts_total",
  help: "Requests that ended because the database took too long.",
  registers,
});

export const replicaReads = new Counter({
  name: "fettle_database_replica_reads_total",
  help: "Calls and pages that could go to a replica: asked, behind, or failed and asked of the primary.",
  labelNames: ["answer"] as const,
  registers,
});

for (const answer of ["asked", "behind", "failed"]) replicaReads.inc({ answer }, 0);

export const mailTries = new Counter({
  name: "fettle_mails_total",
  help: "Attempts to send an email: sent, postponed or failed.",
  labelNames: ["outcome"] as const,
  registers,
});
// A rare outcome needs an initial 0 to appear in rates.
for (const outcome of ["sent", "postponed", "failed"]) mailTries.inc({ outcome }, 0);

export const webhookTries = new Counter({
  name: "fettle_webhooks_total",
  help: "Tries to tell an address: delivered, postponed, or given up as failed.",
  labelNames: ["outcome"] as const,
  registers,
});
for (const outcome of ["delivered", "postponed", "failed"]) webhookTries.inc({ outcome }, 0);

export const pushTries = new Counter({
  name: "fettle_push_messages_total",
  help: "Tries to send to a browser: delivered, postponed, or given up as failed.",
  labelNames: ["outcome"] as const,
  registers,
});
for (const outcome of ["delivered", "postponed", "failed"]) pushTries.inc({ outcome }, 0);

export const housekeepingRuns = new Counter({
  name: "fettle_housekeeping_runs_total",
  help: "Runs of the tasks of the housekeeping on this node.",
  labelNames: ["task", "outcome"] as const,
  registers,
});

export const housekeepingSuccess = new Gauge({
  name: "fettle_housekeeping_last_success_timestamp_seconds",
  help: "When a task of the housekeeping last succeeded on this node.",
  labelNames: ["task"] as const,
  registers,
});
