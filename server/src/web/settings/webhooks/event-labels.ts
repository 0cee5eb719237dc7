import type { WebhookEvent } from "../../../db/entities/messaging.js";
import { translated } from "../../../language/translate.js";

export const eventLabels: Record<WebhookEvent, string> = translated({
  "asset.created": "Asset added",
  "asset.updated": "Asset edited",
  "asset.state_changed": "Asset state changed",
  "asset.retired": "Asset retired",
  "asset.restored": "Asset restored",
  "asset.deleted": "Asset permanently deleted",
  "task.created": "Task added",
  "task.updated": "Task edited",
  "task.state_changed": "Task state changed",
  "task.completed": "Task completed",
  "task.cancelled": "Task cancelled",
  "report.created": "Problem reported",
  "report.closed": "Report reviewed",
});
