import type { ActivityType } from "../../domain/audit/record-activity.js";
import { t } from "../../language/translate.js";
import { named, type Describe } from "./activity-details.js";

type WebhookActivity = Extract<ActivityType, `webhook_${string}`>;

const of = (describe: (values: { who: string; host: string }) => string) => ({
  group: "organization" as const,
  describe: ((who, { details }) =>
    describe({ who, host: named(details, "host") })) satisfies Describe,
});

/** What is told of webhooks; their addresses are named by their hosts. */
export const webhookWords = {
  webhook_added: of((values) => t("{who} added a webhook to {host}", values)),
  webhook_changed: of((values) => t("{who} changed the webhook to {host}", values)),
  webhook_stopped: of((values) => t("{who} stopped the webhook to {host}", values)),
  webhook_resumed: of((values) => t("{who} resumed the webhook to {host}", values)),
  webhook_removed: of((values) => t("{who} deleted the webhook to {host}", values)),
  webhook_failed: of((values) =>
    t("{who} stopped, because it did not answer well, the webhook to {host}", values),
  ),
} satisfies Record<WebhookActivity, { group: "organization"; describe: Describe }>;
