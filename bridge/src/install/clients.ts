import { posix, win32 } from "node:path";
import type { Environment } from "../common/settings.js";
import type { Io } from "../context/io.js";

interface Places {
  home: string;
  /** For desktop programs. */
  applications: string;
  /** Settings folder for command-line programs. */
  config: string;
  /** On Windows: settings that don't roam between computers. */
  local: string;
  isWindows: boolean;
  environment: Environment;
  join: (...parts: string[]) => string;
}

export function findPlaces({ environment, platform, userFolder: home }: Io): Places {
  const paths = platform === "win32" ? win32 : posix;
  const join = (...parts: string[]) => paths.join(...parts);
  const variable = (name: string, otherwise: string) => {
    const value = environment[name] ?? "";
    return paths.isAbsolute(value) ? value : otherwise;
  };
  const common = { home, environment, join, isWindows: platform === "win32" };
  const local = variable("LOCALAPPDATA", join(home, "AppData", "Local"));
  if (platform === "win32") {
    const roaming = variable("APPDATA", join(home, "AppData", "Roaming"));
    return { ...common, applications: roaming, config: roaming, local };
  }
  if (platform === "darwin") {
    const applications = join(home, "Library", "Application Support");
    return { ...common, applications, config: join(home, ".config"), local: applications };
  }
  const config = variable("XDG_CONFIG_HOME", join(home, ".config"));
  return { ...common, applications: config, config, local: config };
}

export type Entry = Record<string, unknown>;

/** A client's settings file, and paths that exist only if the client is installed. */
interface ClientPlace {
  file: string;
  signs: readonly string[];
}

export interface Client {
  id: string;
  name: string;
  /** Several if the client has variants. The first is the default. */
  places: (at: Places) => ClientPlace[];
  format: "json" | "toml" | "yaml";
  /** The key of the servers object. */
  key: string;
  program: (command: string, args: readonly string[], name: string) => Entry;
  /** For clients that support Streamable HTTP and OAuth. */
  address?: (url: string, name: string) => Entry;
  /** The person's next step, if it isn't to restart the client. */
  next?: string;
  nextForAddress?: (name: string) => string;
  source: string;
}

/** In a folder that only the client creates. */
const within = (join: Places["join"], folder: string, ...file: string[]): ClientPlace => ({
  file: join(folder, ...file),
  signs: [folder],
});

const inHome =
  (folder: string, ...file: string[]): Client["places"] =>
  ({ home, join }) => [within(join, join(home, folder), ...file)];

/** Like `within`, unless a variable names another folder. */
const inNamed =
  (variable: string, folder: string, file: string): Client["places"] =>
  ({ home, environment, join }) => [
    within(join, environment[variable] || join(home, folder), file),
  ];

const usual = {
  format: "json",
  key: "mcpServers",
  program: (command: string, args: readonly string[]): Entry => ({ command, args: [...args] }),
} as const;
const withUrl = { address: (url: string): Entry => ({ url }) };
const typed = (local: string, more: Entry = {}) => ({
  program: (command: string, args: readonly string[]): Entry => ({
    type: local,
    command,
    args: [...args],
    ...more,
  }),
  address: (url: string): Entry => ({ type: "http", url, ...more }),
});

const gooseExtension = (name: string, type: string): Entry => ({
  enabled: true,
  type,
  name,
  description: "Fettle: assets and maintenance",
  timeout: 300,
});

export const clients: readonly Client[] = [
  {
    ...usual,
    id: "claude-desktop",
    name: "Claude Desktop",
    places: ({ applications, local, isWindows, join }) => {
      const file = "claude_desktop_config.json";
      const installed = within(join, join(applications, "Claude"), file);
      // Windows redirects apps from the Microsoft Store or MSIX to a copy of the folder.
      const store = join(local, "Packages", "Claude_pzs8sxrjxfjjc");
      const copy = within(join, store, "LocalCache", "Roaming", "Claude", file);
      return isWindows ? [installed, copy] : [installed];
    },
    next: "Quit Claude Desktop and start it again.",
    source: "https://modelcontextprotocol.io/docs/develop/connect-local-servers",
  },
  {
    ...usual,
    ...typed("stdio"),
    id: "claude-code",
    name: "Claude Code",
    places: ({ home, environment, join }) => {
      const own = environment["CLAUDE_CONFIG_DIR"];
      if (own) return [within(join, own, ".claude.json")];
      const file = join(home, ".claude.json");
      return [{ file, signs: [file, join(home, ".claude")] }];
    },
    nextForAddress: (name) =>
      `Start Claude Code again, type /mcp, and choose ${name} to sign in there.`,
    source: "https://code.claude.com/docs/en/mcp",
  },
  {
    ...usual,
    ...withUrl,
    id: "cursor",
    name: "Cursor",
    places: inHome(".cursor", "mcp.json"),
    source: "https://cursor.com/docs/mcp",
  },
  {
    ...usual,
    ...typed("stdio"),
    id: "vscode",
    name: "VS Code",
    places: ({ applications, join }) =>
      ["Code", "Code - Insiders"].map((edition) =>
        within(join, join(applications, edition), "User", "mcp.json"),
      ),
    key: "servers",
    next: 'Run "MCP: List Servers" in VS Code and start it there.',
    source: "https://code.visualstudio.com/docs/copilot/reference/mcp-configuration",
  },
  {
    ...usual,
    id: "windsurf",
    name: "Windsurf",
    places: inHome(".codeium/windsurf", "mcp_config.json"),
    address: (url) => ({ serverUrl: url }),
    next: "Press the refresh button of Cascade's MCP servers.",
    source: "https://docs.windsurf.com/windsurf/cascade/mcp",
  },
  {
    ...usual,
    ...withUrl,
    id: "zed",
    name: "Zed",
    places: ({ applications, config, isWindows, join }) => {
      const folder = isWindows ? join(applications, "Zed") : join(config, "zed");
      return [within(join, folder, "settings.json")];
    },
    key: "context_servers",
    next: "Zed takes it up at once.",
    source: "https://zed.dev/docs/ai/mcp",
  },
  {
    ...usual,
    id: "gemini",
    name: "Gemini CLI",
    places: inHome(".gemini", "settings.json"),
    address: (url) => ({ httpUrl: url }),
    nextForAddress: (name) => `Start Gemini CLI again and type /mcp auth ${name}.`,
    source: "https://geminicli.com/docs/tools/mcp-server",
  },
  {
    ...usual,
    ...withUrl,
    id: "codex",
    name: "Codex",
    places: inNamed("CODEX_HOME", ".codex", "config.toml"),
    format: "toml",
    key: "mcp_servers",
    nextForAddress: (name) => `Run codex mcp login ${name}, then start Codex again.`,
    source: "https://learn.chatgpt.com/docs/extend/mcp",
  },
  {
    id: "goose",
    name: "Goose",
    places: ({ applications, config, isWindows, join }) => {
      const roaming = join(applications, "Block", "goose", "config");
      const folder = isWindows ? roaming : join(config, "goose");
      return [within(join, folder, "config.yaml")];
    },
    format: "yaml",
    key: "extensions",
    program: (cmd, args, name) => ({ ...gooseExtension(name, "stdio"), cmd, args: [...args] }),
    address: (uri, name) => ({ ...gooseExtension(name, "streamable_http"), uri }),
    next: "Start a new session of Goose.",
    source: "https://block.github.io/goose/docs/guides/config-files",
  },
  {
    ...usual,
    ...typed("local", { tools: ["*"] }),
    id: "copilot",
    name: "GitHub Copilot CLI",
    places: inNamed("COPILOT_HOME", ".copilot", "mcp-config.json"),
    source:
      "https://docs.github.com/en/copilot/how-tos/copilot-cli/customize-copilot/add-mcp-servers",
  },
  {
    ...usual,
    ...withUrl,
    id: "kiro",
    name: "Kiro",
    places: inHome(".kiro", "settings", "mcp.json"),
    next: "Kiro takes it up at once.",
    source: "https://kiro.dev/docs/mcp/configuration",
  },
  {
    ...usual,
    id: "lm-studio",
    name: "LM Studio",
    places: inHome(".lmstudio", "mcp.json"),
    next: "Turn it on under Program > Integrations in LM Studio.",
    source: "https://lmstudio.ai/docs/app/mcp",
  },
];
