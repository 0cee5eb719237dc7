export interface WellKnownClient {
  /** The common name first, then other names. */
  names: readonly [string, ...string[]];
  /** Hosts of websites, and schemes with their colon. */
  returnsTo: readonly string[];
}

/**
 * Apps whose names may be imitated. Loopback addresses are never listed, because a local program
 * can't prove its identity.
 */
export const wellKnownClients: readonly WellKnownClient[] = [
  {
    names: ["Claude", "Claude Desktop", "Claude Code", "Claude.ai", "Anthropic"],
    returnsTo: ["claude.ai", "claude.com", "claude:"],
  },
  {
    names: ["ChatGPT", "OpenAI", "OpenAI Codex", "Codex"],
    returnsTo: ["chatgpt.com", "chat.openai.com", "platform.openai.com"],
  },
  {
    names: ["Cursor", "Cursor AI"],
    returnsTo: ["www.cursor.com", "cursor.com", "cursor:"],
  },
  {
    names: ["Visual Studio Code", "VS Code", "VS Code Insiders", "Visual Studio Code - Insiders"],
    returnsTo: ["vscode.dev", "insiders.vscode.dev", "vscode:", "vscode-insiders:"],
  },
  {
    names: [
      "Copilot",
      "GitHub Copilot",
      "Microsoft Copilot",
      "Copilot Studio",
      "Microsoft 365 Copilot",
    ],
    returnsTo: ["vscode.dev", "vscode:", "copilot.microsoft.com", "global.consent.azure-apim.net"],
  },
  {
    names: ["Gemini", "Google Gemini", "Gemini CLI"],
    returnsTo: ["gemini.google.com", "vertexaisearch.cloud.google.com"],
  },
  { names: ["Grok", "xAI"], returnsTo: ["grok.com", "console.x.ai"] },
  { names: ["Perplexity"], returnsTo: ["www.perplexity.ai", "perplexity.ai"] },
  { names: ["Le Chat", "Mistral"], returnsTo: ["chat.mistral.ai", "callback.mistral.ai"] },
  { names: ["Windsurf", "Codeium"], returnsTo: ["windsurf.com", "windsurf:"] },
  { names: ["Zed"], returnsTo: ["zed:"] },
];
