// @ts-check
// Messages between a view and its host: MCP Apps 2026-01-26, JSON-RPC by postMessage. The class in
// ext-apps includes a validator and all of MCP, sixteen times the size limit of a view.

/**
 * @typedef {{ content?: { type: string, text?: string }[], structuredContent?: any, isError?: boolean }} ToolResult
 * @typedef {{ theme?: string, styles?: { variables?: Record<string, string | undefined> } }} HostContext
 * @typedef {{ openLinks?: object, serverTools?: object, updateModelContext?: object }} HostCapabilities
 * @typedef {{ answer: any, notes: string[] }} ToolAnswer
 */

/** @type {Map<number, { resolve: (result: any) => void, reject: (error: Error) => void }>} */
const waiting = new Map();
/** @type {Record<string, (params: any) => void>} */
const listeners = { "ui/notifications/host-context-changed": applyContext };
/** @type {HostCapabilities} */
let capabilities = {};
let lastId = 0;

/** @param {object} message */
function post(message) {
  // Views have no origin and hosts don't disclose theirs. Only the parent window receives the
  // message.
  window.parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
}

/**
 * @param {string} method
 * @param {object} params
 * @returns {Promise<any>}
 */
function request(method, params) {
  lastId += 1;
  const id = lastId;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    post({ id, method, params });
  });
}

/** @param {{ id: number, result?: any, error?: { message?: string } }} response */
function settle({ id, result, error }) {
  const asked = waiting.get(id);
  waiting.delete(id);
  if (error === undefined) asked?.resolve(result);
  else asked?.reject(new Error(error.message ?? "The app refused it."));
}

window.addEventListener("message", ({ source, data }) => {
  if (source !== window.parent || data?.jsonrpc !== "2.0") return;
  const { id, method, params } = data;
  if (method === undefined) settle(data);
  else if (id === undefined) listeners[method]?.(params ?? {});
  else if (method === "ping" || method === "ui/resource-teardown") post({ id, result: {} });
  else post({ id, error: { code: -32601, message: "Method not found" } });
});

/** @param {HostContext} context */
function applyContext({ theme, styles }) {
  const { style } = document.documentElement;
  if (theme === "light" || theme === "dark") style.colorScheme = theme;
  for (const [name, value] of Object.entries(styles?.variables ?? {})) {
    if (value !== undefined && /^--(color|font)-[a-z0-9-]+$/.test(name)) {
      style.setProperty(name, value);
    }
  }
}

function reportSize() {
  const height = Math.ceil(document.documentElement.getBoundingClientRect().height);
  post({ method: "ui/notifications/size-changed", params: { height } });
}

/**
 * Introduces the view. The host sends the arguments of the call first, then its result, or the
 * error text if it failed.
 *
 * @param {string} name
 * @param {{ onInput: (given: any) => void, onAnswer: (answer: ToolAnswer) => void, onFailure: (words: string) => void }} handlers
 */
export async function connect(name, { onInput, onAnswer, onFailure }) {
  listeners["ui/notifications/tool-input"] = ({ arguments: given }) => onInput(given ?? {});
  listeners["ui/notifications/tool-result"] = (result) => {
    try {
      onAnswer(readResult(result));
    } catch (error) {
      onFailure(wordsOf(error));
    }
  };
  listeners["ui/notifications/tool-cancelled"] = () => onFailure("The call was cancelled.");
  try {
    const host = await request("ui/initialize", {
      protocolVersion: "2026-01-26",
      appInfo: { name, version: "1" },
      appCapabilities: { availableDisplayModes: ["inline", "fullscreen"] },
    });
    capabilities = host.hostCapabilities ?? {};
    applyContext(host.hostContext ?? {});
  } catch (error) {
    onFailure(wordsOf(error));
    return;
  }
  post({ method: "ui/notifications/initialized" });
  new ResizeObserver(reportSize).observe(document.documentElement);
}

/**
 * @param {ToolResult} result
 * @returns {ToolAnswer}
 */
function readResult({ content = [], structuredContent, isError }) {
  const [first = "", ...notes] = content.flatMap(({ type, text }) =>
    type === "text" && text !== undefined ? [text] : [],
  );
  if (isError) throw new Error(first);
  // Some hosts forward only the text block, which contains the data as JSON.
  return { answer: structuredContent ?? JSON.parse(first), notes };
}

/** @param {unknown} error */
export function wordsOf(error) {
  return error instanceof Error && error.message !== ""
    ? error.message
    : "Something went wrong. Try again.";
}

export function canCallTools() {
  return capabilities.serverTools !== undefined;
}

/**
 * Calls a tool of the server. Throws an error with the server's text if the call is refused.
 *
 * @param {string} name
 * @param {object} given
 */
export async function callTool(name, given) {
  return readResult(await request("tools/call", { name, arguments: given }));
}

/**
 * Returns true if the host opened the address.
 *
 * @param {string} url
 */
export async function openLink(url) {
  if (capabilities.openLinks === undefined) return false;
  try {
    const { isError } = await request("ui/open-link", { url });
    return isError !== true;
  } catch {
    return false;
  }
}

/**
 * Tells the assistant about changes made here, with its next message.
 *
 * @param {string} text
 */
export function tellAssistant(text) {
  if (capabilities.updateModelContext === undefined) return;
  request("ui/update-model-context", { content: [{ type: "text", text }] }).catch(() => {});
}
