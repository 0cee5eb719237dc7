import { bigint, instant, integer, json, oneOf, text } from "../columns.js";
import { table, type Row } from "../table.js";

const toolCallOutcomes = ["ok", "error"] as const;

export const ToolCall = table(
  "tool_call_log",
  {
    organization_id: text().primary(),
    id: bigint().primary().generated(),
    user_id: text(),
    client_id: text(),
    tool: text(),
    arguments: json().default({}),
    outcome: oneOf(toolCallOutcomes),
    error_code: text().nullable(),
    /** More than one where equal calls were counted together; the row tells when the first came. */
    calls: integer().default(1),
    /** Of all of them together. */
    duration_ms: integer(),
    request_id: text(),
    created_at: instant(),
  },
  {
    indexes: { created_at: ["created_at"], organization_id: ["organization_id", "created_at"] },
  },
);
export type ToolCall = Row<typeof ToolCall>;
