import { describe, expect, test } from "vitest";
import { clients, findPlaces } from "../../bridge/src/install/clients.js";
import { makeIo } from "../support/bridge-io.js";

const mac = "/Users/dara";
const linux = "/home/dara";
const windows = "C:\\Users\\dara";
const roaming = `${windows}\\AppData\\Roaming`;
const store = `${windows}\\AppData\\Local\\Packages\\Claude_pzs8sxrjxfjjc\\LocalCache\\Roaming`;

/** The configuration file of each client, according to its documentation. */
const files: Record<string, { darwin: string[]; linux: string[]; win32: string[] }> = {
  "claude-desktop": {
    darwin: [`${mac}/Library/Application Support/Claude/claude_desktop_config.json`],
    linux: [`${linux}/.config/Claude/claude_desktop_config.json`],
    win32: [
      `${roaming}\\Claude\\claude_desktop_config.json`,
      `${store}\\Claude\\claude_desktop_config.json`,
    ],
  },
  "claude-code": {
    darwin: [`${mac}/.claude.json`],
    linux: [`${linux}/.claude.json`],
    win32: [`${windows}\\.claude.json`],
  },
  cursor: {
    darwin: [`${mac}/.cursor/mcp.json`],
    linux: [`${linux}/.cursor/mcp.json`],
    win32: [`${windows}\\.cursor\\mcp.json`],
  },
  vscode: {
    darwin: [
      `${mac}/Library/Application Support/Code/User/mcp.json`,
      `${mac}/Library/Application Support/Code - Insiders/User/mcp.json`,
    ],
    linux: [
      `${linux}/.config/Code/User/mcp.json`,
      `${linux}/.config/Code - Insiders/User/mcp.json`,
    ],
    win32: [`${roaming}\\Code\\User\\mcp.json`, `${roaming}\\Code - Insiders\\User\\mcp.json`],
  },
  windsurf: {
    darwin: [`${mac}/.codeium/windsurf/mcp_config.json`],
    linux: [`${linux}/.codeium/windsurf/mcp_config.json`],
    win32: [`${windows}\\.codeium\\windsurf\\mcp_config.json`],
  },
  zed: {
    darwin: [`${mac}/.config/zed/settings.json`],
    linux: [`${linux}/.config/zed/settings.json`],
    win32: [`${roaming}\\Zed\\settings.json`],
  },
  gemini: {
    darwin: [`${mac}/.gemini/settings.json`],
    linux: [`${linux}/.gemini/settings.json`],
    win32: [`${windows}\\.gemini\\settings.json`],
  },
  codex: {
    darwin: [`${mac}/.codex/config.toml`],
    linux: [`${linux}/.codex/config.toml`],
    win32: [`${windows}\\.codex\\config.toml`],
  },
  goose: {
    darwin: [`${mac}/.config/goose/config.yaml`],
    linux: [`${linux}/.config/goose/config.yaml`],
    win32: [`${roaming}\\Block\\goose\\config\\config.yaml`],
  },
  copilot: {
    darwin: [`${mac}/.copilot/mcp-config.json`],
    linux: [`${linux}/.copilot/mcp-config.json`],
    win32: [`${windows}\\.copilot\\mcp-config.json`],
  },
  kiro: {
    darwin: [`${mac}/.kiro/settings/mcp.json`],
    linux: [`${linux}/.kiro/settings/mcp.json`],
    win32: [`${windows}\\.kiro\\settings\\mcp.json`],
  },
  "lm-studio": {
    darwin: [`${mac}/.lmstudio/mcp.json`],
    linux: [`${linux}/.lmstudio/mcp.json`],
    win32: [`${windows}\\.lmstudio\\mcp.json`],
  },
};

function filesOf(
  id: string,
  platform: NodeJS.Platform,
  userFolder: string,
  environment: Record<string, string> = {},
): string[] {
  const client = clients.find((it) => it.id === id);
  const at = findPlaces({ ...makeIo(environment), platform, userFolder });
  return client?.places(at).map(({ file }) => file) ?? [];
}

test("the table lists every client", () => {
  expect(Object.keys(files)).toEqual(clients.map(({ id }) => id));
});

describe.each(Object.entries(files))("%s", (id, expected) => {
  test.each([
    ["darwin", mac],
    ["linux", linux],
    ["win32", windows],
  ] as const)("finds the client's settings file on %s", (platform, userFolder) => {
    expect(filesOf(id, platform, userFolder)).toEqual(expected[platform]);
  });

  test("names the page that documents the settings", () => {
    const source = clients.find((it) => it.id === id)?.source;

    expect(source).toMatch(/^https:\/\//);
  });
});

test.each([
  ["claude-code", "linux", { CLAUDE_CONFIG_DIR: "/own" }, "/own/.claude.json"],
  ["codex", "darwin", { CODEX_HOME: "/own" }, "/own/config.toml"],
  ["copilot", "linux", { COPILOT_HOME: "/own" }, "/own/mcp-config.json"],
  ["goose", "linux", { XDG_CONFIG_HOME: "/xdg" }, "/xdg/goose/config.yaml"],
  ["zed", "linux", { XDG_CONFIG_HOME: "/xdg" }, "/xdg/zed/settings.json"],
  ["vscode", "linux", { XDG_CONFIG_HOME: "/xdg" }, "/xdg/Code/User/mcp.json"],
  ["vscode", "linux", { XDG_CONFIG_HOME: "relative" }, "/home/dara/.config/Code/User/mcp.json"],
  ["zed", "darwin", { XDG_CONFIG_HOME: "/xdg" }, "/home/dara/.config/zed/settings.json"],
  ["vscode", "win32", { APPDATA: "D:\\Roaming" }, "D:\\Roaming\\Code\\User\\mcp.json"],
] as const)("%s on %s follows %o", (id, platform, environment, expected) => {
  const [file] = filesOf(id, platform, "/home/dara", environment);

  expect(file).toBe(expected);
});
