import type { ComponentChildren, VNode } from "preact";
import { t, tRich } from "../../language/translate.js";

interface Client {
  name: string;
  steps: readonly ComponentChildren[];
}

/** How each client is connected, folded away but for its name. */
export function ClientSteps({ mcpUrl }: { mcpUrl: string }): VNode {
  return (
    <section aria-labelledby="clients">
      <h2 id="clients">{t("Steps for your assistant")}</h2>
      {clientsOf(mcpUrl).map(({ name, steps }) => (
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
      "Open Settings > Connectors, and choose “Add custom connector”. In a browser, claude.ai has the same.",
    ),
    t(
      "Paste the server address, choose “Connect”, and sign in here. It has to be reached from the internet.",
    ),
  ];
}

const file = (words: ComponentChildren): VNode => <code>{words}</code>;

function clientsOf(url: string): Client[] {
  return [...assistantsAt(url), ...editorsAt(url), ...programsAt(url)];
}

/** For clients that start a program: the bridge. */
function toBridgeSettings(url: string) {
  return { mcpServers: { fettle: { command: "npx", args: ["-y", "fettle-bridge", url] } } };
}

function assistantsAt(url: string): Client[] {
  const isSecure = url.startsWith("https:");
  return [
    {
      name: "Claude Desktop",
      steps: [
        ...(isSecure ? stepsOfConnector() : []),
        <>
          {isSecure
            ? tRich(
                "If it cannot be reached: Open Settings > Developer > Edit Config, and add this to <file>claude_desktop_config.json</file>. Then quit Claude Desktop and start it again. It needs Node.js.",
                { file },
              )
            : tRich(
                "Open Settings > Developer > Edit Config, and add this to <file>claude_desktop_config.json</file>. Then quit Claude Desktop and start it again. It needs Node.js.",
                { file },
              )}
          <Settings value={toBridgeSettings(url)} />
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
              "Go back, choose “Create”, and paste the server address. Authentication is OAuth. It has to be reached from the internet.",
            ),
            t("Choose “Connect”, and sign in here."),
          ]
        : [t("ChatGPT takes addresses with https on the internet only, so not this one.")],
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
        t("Start Cursor again. In its settings for MCP, choose fettle to sign in here."),
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

function programsAt(url: string): Client[] {
  return [
    {
      name: t("Others that start a program (stdio)"),
      steps: [
        <CommandLine
          id="stdio"
          words={t(
            "As the program to start, give the bridge, which needs Node.js and signs in for it:",
          )}
          value={["npx fettle-bridge", url].join(" ")}
        />,
        <>
          {t("Most keep it in a file of settings like this:")}
          <Settings value={toBridgeSettings(url)} />
        </>,
        <CommandLine
          id="install"
          words={t(
            "Or let the bridge write it into the settings of all the clients that it finds:",
          )}
          value={["npx fettle-bridge install", url].join(" ")}
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
