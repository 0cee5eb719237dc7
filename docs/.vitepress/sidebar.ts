import type { DefaultTheme } from "vitepress";

const operate = (page: string, text: string) => ({ text, link: `/docs/operate/${page}` });

export const sidebar: DefaultTheme.SidebarItem[] = [
  {
    text: "Use",
    items: [
      { text: "What Fettle is", link: "/" },
      { text: "Connect a client", link: "/docs/clients" },
      { text: "Bridge", link: "/bridge/" },
      { text: "Tools", link: "/docs/tools" },
      { text: "Figures", link: "/docs/figures" },
      { text: "Glossary", link: "/docs/glossary" },
    ],
  },
  {
    text: "Operate",
    items: [
      operate("", "Overview"),
      operate("install", "Install"),
      operate("configuration", "Configuration"),
      operate("postgres", "PostgreSQL"),
      operate("backup", "Back up and restore"),
      operate("email", "Email"),
      operate("identity", "Sign-in and identity"),
      operate("limits", "Limits"),
      operate("audit", "Audit"),
      operate("retention", "Retention"),
      operate("monitoring", "Monitoring"),
      operate("upgrade", "Upgrade"),
      { text: "Command line", link: "/docs/cli" },
      { text: "Webhooks", link: "/docs/webhooks" },
      { text: "Scaling", link: "/docs/scaling" },
    ],
  },
  {
    text: "Understand",
    items: [
      { text: "Architecture", link: "/docs/architecture" },
      { text: "Security model", link: "/docs/security" },
      {
        text: "Decisions",
        collapsed: true,
        items: [
          { text: "1. Own authorization server", link: "/docs/adr/0001-own-authorization-server" },
          { text: "2. Both protocol eras", link: "/docs/adr/0002-both-protocol-eras" },
          { text: "3. TypeORM and SQL", link: "/docs/adr/0003-typeorm-and-sql" },
          { text: "4. Stored counters", link: "/docs/adr/0004-stored-counters" },
          { text: "5. No row-level security", link: "/docs/adr/0005-no-row-level-security" },
        ],
      },
      { text: "Measurements", link: "/test/bench/RESULTS" },
    ],
  },
  {
    text: "Contribute",
    items: [
      { text: "Contributing", link: "/CONTRIBUTING" },
      { text: "Code of conduct", link: "/CODE_OF_CONDUCT" },
      { text: "Report a vulnerability", link: "/SECURITY" },
      { text: "Changes", link: "/CHANGELOG" },
    ],
  },
];
