import type { ActivityType } from "../../domain/logs/record-activity.js";
import { named, type Describe } from "./activity-details.js";

type WebhookActivity = Extract<ActivityType, `webhook_${string}`>;

const of = (verb: string) => ({
  group: "organization" as const,
  describe: ((who, { details }) => `${who} ${verb} ${named(details, "host")}`) satisfies Describe,
});

/** What is told of webhooks; their addresses are named by their hosts. */
export const webhookWords = {
  webhook_added: of("added a webhook to"),
  webhook_changed: of("changed the webhook to"),
  webhook_stopped: of("stopped the webhook to"),
  webhook_resumed: of("resumed the webhook to"),
  webhook_removed: of("deleted the webhook to"),
  webhook_failed: of("stopped, because it did not answer well, the webhook to"),
} satisfies Record<WebhookActivity, { group: "organization"; describe: Describe }>;
