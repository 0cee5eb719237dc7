import { EntitySchema } from "typeorm";

export type ToolCallOutcome = "ok" | "error";

export interface ToolCall {
  id: string;
  organizationId: string;
  userId: string;
  clientId: string;
  tool: string;
  arguments: Record<string, unknown>;
  outcome: ToolCallOutcome;
  errorCode: string | null;
  durationMs: number;
  requestId: string;
  createdAt: Date;
}

export const ToolCallEntity = new EntitySchema<ToolCall>({
  name: "ToolCall",
  tableName: "tool_call_log",
  columns: {
    id: {
      type: "bigint",
      primary: true,
      primaryKeyConstraintName: "tool_call_log_pkey",
      generated: "increment",
    },
    organizationId: { name: "organization_id", type: "text" },
    userId: { name: "user_id", type: "text" },
    clientId: { name: "client_id", type: "text" },
    tool: { type: "text" },
    arguments: { type: "jsonb", default: {} },
    outcome: { type: "text" },
    errorCode: { name: "error_code", type: "text", nullable: true },
    durationMs: { name: "duration_ms", type: "integer" },
    requestId: { name: "request_id", type: "text" },
    createdAt: { name: "created_at", type: "timestamptz" },
  },
  indices: [
    { name: "tool_call_log_created_at_idx", columns: ["createdAt"] },
    { name: "tool_call_log_organization_id_idx", columns: ["organizationId", "createdAt"] },
  ],
  checks: [{ name: "tool_call_log_outcome_check", expression: "outcome IN ('ok', 'error')" }],
});
