import { existsSync } from "node:fs";
import { posix, win32 } from "node:path";
import type { Environment } from "../common/settings.js";
import type { Io } from "../context/io.js";

/** Where programs of one person keep their settings, as the system and its variables say. */
interface Places {
  home: string;
  /** What desktop programs use. */
  applications: string;
  /** What command line programs use. */
  config: string;
  /** Of Windows; what does not move with the person from computer to computer. */
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

/** One settings file of a client, and what is only there where the client is. */
export interface ClientPlace {
  file: string;
  signs: readonly string[];
}

/** How one client keeps its MCP servers. */
export interface Client {
  id: string;
  name: string;
  /** Several, where the client comes in several kinds; the first is the usual one. */
  places: (at: Places) => ClientPlace[];
  format: "json" | "toml" | "yaml";
  /** Of the object with the servers, by their names. */
  key: string;
  program: (command: string, args: readonly string[], name: string) => Entry;
  /** For clients that speak Streamable HTTP and sign in with OAuth themselves. */
  address?: (url: string, name: string) => Entry;
  /** What a person does next; `address`: when that was written and more is to be done. */
  next: string;
  nextForAddress?: (name: string) => string;
  /** The page that describes the file. */
  source: string;
}

/** The settings files of a client that is there. */
export function findClientPlaces(client: Client, at: Places): ClientPlace[] {
  return client.places(at).filter(({ signs }) => signs.some((sign) => existsSync(sign)));
}

const commandAndArgs: Client["program"] = (command, args) => ({ command, args: [...args] });
const url: Client["address"] = (address) => ({ url: address });

/** In a folder that only the client makes. */
const within = (folder: string, file: string): ClientPlace => ({ file, signs: [folder] });

export const clients: readonly Client[] = [
  {
    id: "claude-desktop",
    name: "Claude Desktop",
    places: ({ applications, local, isWindows, join }) => {
      const file = "claude_desktop_config.json";
      const usual = within(join(applications, "Claude"), join(applications, "Claude", file));
      // From the Microsoft Store, or as MSIX, Windows shows it a copy of the folder.
      const store = join(local, "Packages", "Claude_pzs8sxrjxfjjc");
      const copy = join(store, "LocalCache", "Roaming", "Claude", file);
      return isWindows ? [usual, within(store, copy)] : [usual];
    },
    format: "json",
    key: "mcpServers",
    program: commandAndArgs,
    next: "Quit Claude Desktop and start it again.",
    source: "https://modelcontextprotocol.io/docs/develop/connect-local-servers",
  },
  {
    id: "claude-code",
    name: "Claude Code",
    places: ({ home, environment, join }) => {
      const own = environment["CLAUDE_CONFIG_DIR"];
      if (own) return [within(own, join(own, ".claude.json"))];
      const file = join(home, ".claude.json");
      return [{ file, signs: [file, join(home, ".claude")] }];
    },
    format: "json",
    key: "mcpServers",
    program: (command, args) => ({ type: "stdio", command, args: [...args] }),
    address: (address) => ({ type: "http", url: address }),
    next: "Start Claude Code again.",
    nextForAddress: (name) =>
      `Start Claude Code again, type /mcp, and choose ${name} to sign in there.`,
    source: "https://code.claude.com/docs/en/mcp",
  },
  {
    id: "cursor",
    name: "Cursor",
    places: ({ home, join }) => [within(join(home, ".cursor"), join(home, ".cursor", "mcp.json"))],
    format: "json",
    key: "mcpServers",
    program: commandAndArgs,
    address: url,
    next: "Start Cursor again.",
    source: "https://cursor.com/docs/mcp",
  },
  {
    id: "vscode",
    name: "VS Code",
    places: ({ applications, join }) =>
      ["Code", "Code - Insiders"].map((edition) =>
        within(join(applications, edition), join(applications, edition, "User", "mcp.json")),
      ),
    format: "json",
    key: "servers",
    program: (command, args) => ({ type: "stdio", command, args: [...args] }),
    address: (address) => ({ type: "http", url: address }),
    next: 'Run "MCP: List Servers" in VS Code and start it there.',
    source: "https://code.visualstudio.com/docs/copilot/reference/mcp-configuration",
  },
  {
    id: "windsurf",
    name: "Windsurf",
    places: ({ home, join }) => {
      const folder = join(home, ".codeium", "windsurf");
      return [within(folder, join(folder, "mcp_config.json"))];
    },
    format: "json",
    key: "mcpServers",
    program: commandAndArgs,
    address: (address) => ({ serverUrl: address }),
    next: "Press the refresh button of Cascade's MCP servers.",
    source: "https://docs.windsurf.com/windsurf/cascade/mcp",
  },
  {
    id: "zed",
    name: "Zed",
    places: ({ applications, config, isWindows, join }) => {
      const folder = isWindows ? join(applications, "Zed") : join(config, "zed");
      return [within(folder, join(folder, "settings.json"))];
    },
    format: "json",
    key: "context_servers",
    program: commandAndArgs,
    address: url,
    next: "Zed takes it up at once.",
    source: "https://zed.dev/docs/ai/mcp",
  },
  {
    id: "gemini",
    name: "Gemini CLI",
    places: ({ home, join }) => [
      within(join(home, ".gemini"), join(home, ".gemini", "settings.json")),
    ],
    format: "json",
    key: "mcpServers",
    program: commandAndArgs,
    address: (address) => ({ httpUrl: address }),
    next: "Start Gemini CLI again.",
    nextForAddress: (name) => `Start Gemini CLI again and type /mcp auth ${name}.`,
    source: "https://geminicli.com/docs/tools/mcp-server",
  },
  {
    id: "codex",
    name: "Codex",
    places: ({ home, environment, join }) => {
      const folder = environment["CODEX_HOME"] || join(home, ".codex");
      return [within(folder, join(folder, "config.toml"))];
    },
    format: "toml",
    key: "mcp_servers",
    program: commandAndArgs,
    address: url,
    next: "Start Codex again.",
    nextForAddress: (name) => `Run codex mcp login ${name}, then start Codex again.`,
    source: "https://learn.chatgpt.com/docs/extend/mcp",
  },
  {
    id: "goose",
    name: "Goose",
    places: ({ applications, config, isWindows, join }) => {
      const folder = isWindows
        ? join(applications, "Block", "goose", "config")
        : join(config, "goose");
      return [within(folder, join(folder, "config.yaml"))];
    },
    format: "yaml",
    key: "extensions",
    program: (command, args, name) => ({
      ...gooseExtension(name, "stdio"),
      cmd: command,
      args: [...args],
    }),
    address: (address, name) => ({ ...gooseExtension(name, "streamable_http"), uri: address }),
    next: "Start a new session of Goose.",
    source: "https://block.github.io/goose/docs/guides/config-files",
  },
  {
    id: "copilot",
    name: "GitHub Copilot CLI",
    places: ({ home, environment, join }) => {
      const folder = environment["COPILOT_HOME"] || join(home, ".copilot");
      return [within(folder, join(folder, "mcp-config.json"))];
    },
    format: "json",
    key: "mcpServers",
    program: (command, args) => ({ type: "local", command, args: [...args], tools: ["*"] }),
    address: (address) => ({ type: "http", url: address, tools: ["*"] }),
    next: "Start Copilot CLI again.",
    source:
      "https://docs.github.com/en/copilot/how-tos/copilot-cli/customize-copilot/add-mcp-servers",
  },
  {
    id: "kiro",
    name: "Kiro",
    places: ({ home, join }) => [
      within(join(home, ".kiro"), join(home, ".kiro", "settings", "mcp.json")),
    ],
    format: "json",
    key: "mcpServers",
    program: commandAndArgs,
    address: url,
    next: "Kiro takes it up at once.",
    source: "https://kiro.dev/docs/mcp/configuration",
  },
  {
    id: "lm-studio",
    name: "LM Studio",
    places: ({ home, join }) => [
      within(join(home, ".lmstudio"), join(home, ".lmstudio", "mcp.json")),
    ],
    format: "json",
    key: "mcpServers",
    program: commandAndArgs,
    next: "Turn it on under Program > Integrations in LM Studio.",
    source: "https://lmstudio.ai/docs/app/mcp",
  },
];

function gooseExtension(name: string, type: string): Entry {
  return { enabled: true, type, name, description: "Fettle: assets and maintenance", timeout: 300 };
}
