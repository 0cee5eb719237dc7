import type { ComponentChildren, VNode } from "preact";

interface Client {
  name: string;
  steps: readonly ComponentChildren[];
}

/** How each client is connected, folded away but for its name. */
export function ClientSteps({ mcpUrl }: { mcpUrl: string }): VNode {
  return (
    <section aria-labelledby="clients">
      <h2 id="clients">Steps for your assistant</h2>
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

const ofConnector = [
  "Open Settings > Connectors, and choose “Add custom connector”. In a browser, claude.ai has the same.",
  "Paste the server address, choose “Connect”, and sign in here. It has to be reached from the internet.",
];

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
        ...(isSecure ? ofConnector : []),
        <>
          {isSecure && "If it cannot be reached: "}Open Settings &gt; Developer &gt; Edit Config,
          and add this to <code>claude_desktop_config.json</code>. Then quit Claude Desktop and
          start it again. It needs Node.js.
          <Settings value={toBridgeSettings(url)} />
        </>,
      ],
    },
    {
      name: "Claude Code",
      steps: [
        <CommandLine
          id="claude-code"
          words="In a terminal, run:"
          value={`claude mcp add --transport http fettle ${url}`}
        />,
        <>
          Start Claude Code, type <code>/mcp</code>, and choose fettle to sign in here.
        </>,
      ],
    },
    {
      name: "ChatGPT",
      steps: isSecure
        ? [
            "Open Settings > Apps & Connectors > Advanced settings, and turn on developer mode.",
            "Go back, choose “Create”, and paste the server address. Authentication is OAuth. It has to be reached from the internet.",
            "Choose “Connect”, and sign in here.",
          ]
        : ["ChatGPT takes addresses with https on the internet only, so not this one."],
    },
  ];
}

function editorsAt(url: string): Client[] {
  return [
    {
      name: "Cursor",
      steps: [
        <>
          Add this to <code>~/.cursor/mcp.json</code>:
          <Settings value={{ mcpServers: { fettle: { url } } }} />
        </>,
        "Start Cursor again. In its settings for MCP, choose fettle to sign in here.",
      ],
    },
    {
      name: "VS Code",
      steps: [
        <>
          Add this to <code>.vscode/mcp.json</code> of your project, or by the command “MCP: Open
          User Configuration” for all of them:
          <Settings value={{ servers: { fettle: { type: "http", url } } }} />
        </>,
        "Run the command “MCP: List Servers”, start fettle there, and sign in here.",
      ],
    },
  ];
}

function programsAt(url: string): Client[] {
  return [
    {
      name: "Others that start a program (stdio)",
      steps: [
        <CommandLine
          id="stdio"
          words="As the program to start, give the bridge, which needs Node.js and signs in for it:"
          value={`npx fettle-bridge ${url}`}
        />,
        <>
          Most keep it in a file of settings like this:
          <Settings value={toBridgeSettings(url)} />
        </>,
        <CommandLine
          id="install"
          words="Or let the bridge write it into the settings of all the clients that it finds:"
          value={`npx fettle-bridge install ${url}`}
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
