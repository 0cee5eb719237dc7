import { expect, test } from "vitest";
import { createTaskLinkSecrets } from "../../server/src/domain/tasks/task-link-secrets.js";
import { hashSecret } from "../../server/src/domain/shared/secrets.js";
import { createId } from "../../server/src/domain/shared/ids.js";

const link = { organizationId: createId("organization"), id: createId("taskLink") };
const [old, next] = ["a".repeat(32), "b".repeat(32)];

test("a link's secret is found again by its hash, also after a new key", () => {
  const secret = createTaskLinkSecrets([old]).create(link);

  expect(secret).toMatch(/^[0-9a-z]+[\w-]{43}$/);
  expect(createTaskLinkSecrets([next, old]).find(link, hashSecret(secret))).toBe(secret);
  expect(createTaskLinkSecrets([next]).find(link, hashSecret(secret))).toBeUndefined();
});

test("each link has its own secret", () => {
  const { create } = createTaskLinkSecrets([next]);
  const others = [
    { ...link, id: createId("taskLink") },
    { ...link, organizationId: createId("organization") },
  ];

  expect(new Set([link, ...others].map(create)).size).toBe(3);
});
