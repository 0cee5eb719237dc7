import type { ComponentChildren, VNode } from "preact";
import { t, tRich } from "../../../language/translate.js";

interface Client {
  name: string;
  steps: readonly ComponentChildren[];
}

interface Addresses {
  mcpUrl: string;
  /** The npx arguments that run the bridge. */
  bridge: readonly string[];
}

/** The steps to connect each client, folded under its name. */
export function ClientSteps({ mcpUrl, bridge }: Addresses): VNode {
  return (
    <section aria-labelledby="clients">
      <h2 id="clients">{t("Steps for your assistant")}</h2>
      {clientsOf({ mcpUrl, bridge }).map(({ name, steps }) => (
        <details key={name} class="client" name="client">
          <summary>{name}</summary>
          <ol class="steps">
            {steps.map((step, index) => (
              <li key={index}>{step}</li>
            ))}
          </ol>
        </details>
      ))}
    </section>
  );
}

function stepsOfConnector(): string[] {
  return [
    t(
      "Open Settings > Connectors, and choose “Add custom connector”. claude.ai in a browser works the same way.",
    ),
    t(
      "Paste the server URL, choose “Connect”, and sign in here. The URL must be reachable from the internet.",
    ),
  ];
}

const file = (words: ComponentChildren): VNode => <code>{words}</code>;

function clientsOf(addresses: Addresses): Client[] {
  const { mcpUrl } = addresses;
  return [...assistantsAt(addresses), ...editorsAt(mcpUrl), ...programsAt(addresses)];
}

/** For clients that start a program: the bridge. */
function toBridgeSettings({ mcpUrl, bridge }: Addresses) {
  return { mcpServers: { fettle: { command: "npx", args: [...bridge, mcpUrl] } } };
}

function assistantsAt(addresses: Addresses): Client[] {
  const url = addresses.mcpUrl;
  const isSecure = url.startsWith("https:");
  return [
    {
      name: "Claude Desktop",
      steps: [
        ...(isSecure ? stepsOfConnector() : []),
        <>
          {isSecure
            ? tRich(
                "If it can't be reached: open Settings > Developer > Edit Config, and add this to <file>claude_desktop_config.json</file>. Then restart Claude Desktop. It needs Node.js.",
                { file },
              )
            : tRich(
                "Open Settings > Developer > Edit Config, and add this to <file>claude_desktop_config.json</file>. Then restart Claude Desktop. It needs Node.js.",
                { file },
              )}
          <Settings value={toBridgeSettings(addresses)} />
        </>,
      ],
    },
    {
      name: "Claude Code",
      steps: [
        <CommandLine
          id="claude-code"
          words={t("In a terminal, run:")}
          value={["claude mcp add --transport http fettle", url].join(" ")}
        />,
        tRich("Start Claude Code, type <file>/mcp</file>, and choose fettle to sign in here.", {
          file,
        }),
      ],
    },
    {
      name: "ChatGPT",
      steps: isSecure
        ? [
            t("Open Settings > Apps & Connectors > Advanced settings, and turn on developer mode."),
            t(
              "Go back, choose “Create”, and paste the server URL. Authentication is OAuth. The URL must be reachable from the internet.",
            ),
            t("Choose “Connect”, and sign in here."),
          ]
        : [
            t(
              "ChatGPT only connects to https addresses on the public internet, so it can't connect to this server.",
            ),
          ],
    },
  ];
}

function editorsAt(url: string): Client[] {
  return [
    {
      name: "Cursor",
      steps: [
        <>
          {tRich("Add this to <file>~/.cursor/mcp.json</file>:", { file })}
          <Settings value={{ mcpServers: { fettle: { url } } }} />
        </>,
        t("Restart Cursor. In its MCP settings, choose fettle to sign in here."),
      ],
    },
    {
      name: "VS Code",
      steps: [
        <>
          {tRich(
            "Add this to <file>.vscode/mcp.json</file> of your project, or by the command “MCP: Open User Configuration” for all of them:",
            { file },
          )}
          <Settings value={{ servers: { fettle: { type: "http", url } } }} />
        </>,
        t("Run the command “MCP: List Servers”, start fettle there, and sign in here."),
      ],
    },
  ];
}

function programsAt(addresses: Addresses): Client[] {
  const { mcpUrl, bridge } = addresses;
  return [
    {
      name: t("Other clients that start a program (stdio)"),
      steps: [
        <CommandLine
          id="stdio"
          words={t(
            "Set the bridge as the program to start. It signs in for the client and needs Node.js:",
          )}
          value={["npx", ...bridge, mcpUrl].join(" ")}
        />,
        <>
          {t("Most use a settings file like this:")}
          <Settings value={toBridgeSettings(addresses)} />
        </>,
        <CommandLine
          id="install"
          words={t("Or let the bridge configure every client it finds:")}
          value={["npx", ...bridge, "install", mcpUrl].join(" ")}
        />,
      ],
    },
  ];
}

function CommandLine({ id, words, value }: { id: string; words: string; value: string }): VNode {
  return (
    <div class="field">
      <label for={`line-${id}`}>{words}</label>
      <input id={`line-${id}`} class="copy code" type="text" readOnly value={value} />
    </div>
  );
}

function Settings({ value }: { value: object }): VNode {
  return (
    <pre>
      <code>{JSON.stringify(value, undefined, 2)}</code>
    </pre>
  );
}
