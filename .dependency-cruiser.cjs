/** The imports that each module may have, see docs/architecture.md. */
const only = (name, from, allowed) => ({
  name,
  severity: "error",
  from: { path: `^${from}` },
  to: {
    path: "^(server|bridge|shared|test)/(?!node_modules/)",
    pathNot: allowed.map((path) => `^${path}`),
  },
});

module.exports = {
  forbidden: [
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    {
      name: "no-orphans",
      severity: "error",
      from: {
        orphan: true,
        pathNot: "(main|\\.test|\\.d|embedded-worker|global-setup)\\.tsx?$|^test/|/web/public/",
      },
      to: {},
    },
    { name: "not-unresolved", severity: "error", from: {}, to: { couldNotResolve: true } },
    {
      // CI runs these tests once, not on each database.
      name: "tests-without-database",
      severity: "error",
      from: { path: "^test/(unit|bridge)/" },
      to: { path: "^test/support/(database|server-process)\\.ts$", reachable: true },
    },
    only("shared-imports-nothing", "shared/", ["shared/"]),
    only("db", "server/src/db/", ["server/src/(db/|errors|metrics)"]),
    only("domain", "server/src/domain/", [
      "server/src/(domain|db)/",
      "server/src/traffic/(bounds|slots|rate-limited|write-quota|quota-organizations)",
      "server/src/(errors|metrics|language/)",
      "shared/",
    ]),
    only("language", "server/src/language/", ["server/src/language/"]),
    only("mcp", "server/src/mcp/", [
      "server/src/(mcp|traffic|domain|db/entities)/",
      "server/src/db/(database|fields|query-errors)",
      "server/src/oauth/bearer",
      "server/src/(errors|metrics)",
      "shared/",
    ]),
    only("web", "server/src/web/", [
      "server/src/(web|domain|db/entities)/",
      "server/src/(services|plugins/(members|page-requests))",
      "server/src/demo/own-sample",
      "server/src/db/(database|fields|query-errors)",
      "server/src/(traffic/(bounds|slots|quota-organizations)|errors|metrics|language/)",
      "shared/",
    ]),
    only("traffic", "server/src/traffic/", [
      "server/src/db/entities/",
      "server/src/(traffic|domain)/",
      "server/src/db/database",
      "server/src/(config|errors|metrics)",
    ]),
    only("mail", "server/src/mail/", [
      "server/src/(mail|domain|db/entities)/",
      "server/src/db/database",
      "server/src/(errors|metrics|language/)",
      "server/src/config",
      "shared/",
    ]),
    only("oauth", "server/src/oauth/", [
      "server/src/(oauth|traffic|domain|db/entities)/",
      "server/src/db/(database|query-errors)",
      "server/src/web/(layout|forms|text)/",
      "server/src/plugins/page-requests",
      "server/src/(config|services|errors|metrics|language/)",
      "shared/",
    ]),
    only("oidc", "server/src/oidc/", [
      "server/src/(oidc|domain)/",
      "server/src/db/database",
      "server/src/oauth/read-document",
      "server/src/(errors|metrics)",
    ]),
    only("webhooks", "server/src/webhooks/", [
      "server/src/(webhooks|domain|db/entities)/",
      "server/src/db/database",
      "server/src/oauth/read-document",
      "server/src/(traffic/lanes|errors|metrics)",
    ]),
    only("push", "server/src/push/", [
      "server/src/(push|domain|db/entities)/",
      "server/src/db/database",
      "server/src/oauth/read-document",
      "server/src/mail/letter-mail",
      "server/src/(traffic/lanes|errors|metrics|language/)",
    ]),
    only("plugins", "server/src/plugins/", [
      "server/src/(plugins|traffic|domain)/",
      "server/src/db/(database|pools|query-errors|replicas|request-queries|within-time)",
      "server/src/web/(layout|text)/",
      "server/src/(errors|metrics|language/)",
      "server/src/config",
      "shared/",
    ]),
    only("demo", "server/src/demo/", [
      "server/src/(demo|domain|db/entities)/",
      "server/src/db/(database|for-each-in-own-transaction|locks)",
      "server/src/(traffic/(slots|quota-organizations)|errors|metrics)",
      "shared/",
    ]),
    {
      name: "demo-for-commands-and-samples-only",
      severity: "error",
      from: {
        path: "^(server|bridge|shared)/",
        pathNot: "^server/src/(demo/|commands/|web/organizations/sample/|housekeeping)",
      },
      to: { path: "^server/src/demo/" },
    },
    only("server", "server/", ["server/", "shared/"]),
    only("bridge", "bridge/", ["bridge/", "shared/"]),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "/dist/|test/conformance/runner/|test/bench/peers/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["development", "import", "node", "default", "types"],
    },
  },
};
