/** What the product is run through: everything that needs none of the suite's own `test_*` items. */
export const productScenarios = {
  "2025-11-25": [
    "server-initialize",
    "ping",
    "server-session-lifecycle",
    "logging-set-level",
    "tools-list",
    "resources-list",
    "prompts-list",
    "dns-rebinding-protection",
    "server-sse-multiple-streams",
  ],
  "2026-07-28": [
    "server-stateless",
    "tools-list",
    "resources-list",
    "prompts-list",
    "dns-rebinding-protection",
    "server-sse-multiple-streams",
    "caching",
    "sep-2164-resource-not-found",
    "http-header-validation",
    "input-required-result-unsupported-methods",
    "input-required-result-ignore-extra-params",
    "input-required-result-validate-input",
    "input-required-result-missing-input-response",
  ],
} as const;

export type Revision = keyof typeof productScenarios;

export const revisions = ["2025-11-25", "2026-07-28"] as const satisfies readonly Revision[];
