import { setTimeout as pause } from "node:timers/promises";
import { isObject } from "../../server/src/mcp/normalize.js";
import { RpcError } from "../../server/src/mcp/rpc.js";
import { askFor, audio, image, resourceOf, sample, textOf } from "./fixture-contents.js";

export interface FixtureCall {
  arguments: Record<string, unknown>;
  /** The client's responses to earlier questions. */
  responses: Record<string, unknown>;
  /** State of the questions, "" at first. */
  state: string;
  meta: Record<string, unknown>;
  capabilities: Record<string, unknown>;
  notify: (method: string, params: object) => void;
}

export type Answer = { ask: Record<string, object>; state: string } | object;

interface FixtureTool {
  name: string;
  inputSchema?: object;
  answer: (call: FixtureCall) => Answer | Promise<Answer>;
}

const text = { type: "string" };
const contentOf = (...content: object[]) => ({ content });
const inputOf = (name: string) => ({
  type: "object",
  properties: { [name]: text },
  required: [name],
});
const isAnswered = (response: unknown) => isObject(response);

/** A tool that asks one question and answers after the response. */
function asking(
  name: string,
  requests: (call: FixtureCall) => Record<string, object>,
  answer: (responses: Record<string, unknown>) => string,
  inputSchema?: object,
): FixtureTool {
  return {
    name,
    ...(inputSchema && { inputSchema }),
    answer: (call) => {
      const ask = requests(call);
      const isWhole = Object.keys(ask).every((key) => isAnswered(call.responses[key]));
      if (isWhole) return contentOf(textOf(answer(call.responses)));
      return { ask, state: name };
    },
  };
}

const toCompleted = ({ form }: Record<string, unknown>) => {
  const { action, content = {} } = form as { action: string; content?: object };
  return `Elicitation completed: action=${action}, content=${JSON.stringify(content)}`;
};

const askName = askFor("What is your name?", { name: text }, ["name"]);
const askYes = askFor("Please confirm", { ok: { type: "boolean" } }, ["ok"]);

const plainTools: readonly FixtureTool[] = [
  {
    name: "test_simple_text",
    answer: () => contentOf(textOf("This is a simple text response for testing.")),
  },
  { name: "test_image_content", answer: () => contentOf(image) },
  { name: "test_audio_content", answer: () => contentOf(audio) },
  {
    name: "test_embedded_resource",
    answer: () =>
      contentOf(
        resourceOf(
          "test://embedded-resource",
          "text/plain",
          "This is an embedded resource content.",
        ),
      ),
  },
  {
    name: "test_multiple_content_types",
    answer: () =>
      contentOf(
        textOf("Multiple content types test:"),
        image,
        resourceOf(
          "test://mixed-content-resource",
          "application/json",
          '{"test":"data","value":123}',
        ),
      ),
  },
  {
    name: "test_error_handling",
    answer: () => ({
      ...contentOf(textOf("This tool intentionally returns an error for testing")),
      isError: true,
    }),
  },
  {
    name: "test_tool_with_logging",
    answer: async ({ notify }) => {
      const steps = ["started", "processing data", "completed"];
      for (const step of steps) {
        const data = step === "processing data" ? `Tool ${step}` : `Tool execution ${step}`;
        notify("notifications/message", { level: "info", data });
        await pause(50);
      }
      return contentOf(textOf("Logged."));
    },
  },
  {
    name: "test_logging_tool",
    answer: ({ meta, notify }) => {
      const level = meta["io.modelcontextprotocol/logLevel"];
      if (level !== undefined) notify("notifications/message", { level, data: "Asked for." });
      return contentOf(textOf("Done."));
    },
  },
  {
    name: "test_tool_with_progress",
    answer: async ({ meta: { progressToken }, notify }) => {
      for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
        notify("notifications/progress", { progressToken, progress, total: 100 });
        await pause(50);
      }
      return contentOf(textOf("Done."));
    },
  },
  {
    name: "test_missing_capability",
    answer: ({ capabilities: { sampling } }) => {
      if (sampling !== undefined) return contentOf(textOf("Done."));
      const data = { requiredCapabilities: { sampling: {} } };
      throw new RpcError("The client has no sampling", -32_021, { status: 400, data });
    },
  },
  {
    name: "json_schema_2020_12_tool",
    inputSchema: {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      $defs: {
        address: {
          $anchor: "addressDef",
          type: "object",
          properties: { street: text, city: text },
        },
      },
      properties: {
        name: text,
        address: { $ref: "#/$defs/address" },
        contactMethod: { type: "string", enum: ["phone", "email"] },
        phone: text,
        email: text,
      },
      allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
      if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
      then: { required: ["phone"] },
      else: { required: ["email"] },
      additionalProperties: false,
    },
    answer: () => contentOf(textOf("Done.")),
  },
];

const options = ["option1", "option2", "option3"];
const titled = (prefix: string, what: string) =>
  ["First", "Second", "Third"].map((title, index) => ({
    const: `${prefix}${index + 1}`,
    title: `${title} ${what}`,
  }));

const askingTools: readonly FixtureTool[] = [
  asking(
    "test_sampling",
    ({ arguments: { prompt } }) => ({ answer: sample(String(prompt)) }),
    ({ answer }) => `LLM response: ${JSON.stringify(answer)}`,
    inputOf("prompt"),
  ),
  asking(
    "test_elicitation",
    ({ arguments: { message } }) => ({
      form: askFor(String(message), { username: text, email: text }, ["username", "email"]),
    }),
    ({ form }) => `User response: ${JSON.stringify(form)}`,
    inputOf("message"),
  ),
  asking(
    "test_elicitation_sep1034_defaults",
    () => ({
      form: askFor("Please fill in", {
        name: { ...text, default: "John Doe" },
        age: { type: "integer", default: 30 },
        score: { type: "number", default: 95.5 },
        status: { ...text, enum: ["active", "inactive", "pending"], default: "active" },
        verified: { type: "boolean", default: true },
      }),
    }),
    toCompleted,
  ),
  asking(
    "test_elicitation_sep1330_enums",
    () => ({
      form: askFor("Please choose", {
        untitledSingle: { ...text, enum: options },
        titledSingle: { ...text, oneOf: titled("value", "Option") },
        legacyEnum: {
          ...text,
          enum: ["opt1", "opt2", "opt3"],
          enumNames: ["Option One", "Option Two", "Option Three"],
        },
        untitledMulti: { type: "array", items: { ...text, enum: options } },
        titledMulti: { type: "array", items: { anyOf: titled("value", "Choice") } },
      }),
    }),
    toCompleted,
  ),
  asking(
    "test_streaming_elicitation",
    () => ({ user_name: askName }),
    () => "Done.",
  ),
  asking(
    "test_input_required_result_elicitation",
    () => ({ user_name: askName }),
    ({ user_name: response }) => `Hello, ${JSON.stringify(response)}!`,
  ),
  asking(
    "test_input_required_result_sampling",
    () => ({ capital_question: sample("What is the capital of France?") }),
    (responses) => JSON.stringify(responses),
  ),
  asking(
    "test_input_required_result_list_roots",
    () => ({ client_roots: { method: "roots/list", params: {} } }),
    (responses) => JSON.stringify(responses),
  ),
  asking(
    "test_input_required_result_request_state",
    () => ({ confirm: askYes }),
    () => "state-ok",
  ),
  asking(
    "test_input_required_result_tampered_state",
    () => ({ confirm: askYes }),
    () => "state-ok",
  ),
  asking(
    "test_input_required_result_multiple_inputs",
    () => ({
      user_name: askName,
      greeting: sample("Generate a greeting", 50),
      client_roots: { method: "roots/list", params: {} },
    }),
    (responses) => JSON.stringify(responses),
  ),
  asking(
    "test_input_required_result_capabilities",
    ({ capabilities: { elicitation, sampling } }) => ({
      ...(elicitation !== undefined && { user_name: askName }),
      ...(sampling !== undefined && { greeting: sample("Generate a greeting") }),
    }),
    () => "Done.",
  ),
  {
    name: "test_input_required_result_multi_round",
    answer: ({ responses: { step1, step2 }, state }) => {
      if (isAnswered(step2) && state === "round-2") return contentOf(textOf("Both answered."));
      if (isAnswered(step1) && state === "round-1") {
        const colour = askFor("Step 2: What is your favorite color?", { color: text }, ["color"]);
        return { ask: { step2: colour }, state: "round-2" };
      }
      const name = askFor("Step 1: What is your name?", { name: text }, ["name"]);
      return { ask: { step1: name }, state: "round-1" };
    },
  },
];

export const tools = [...plainTools, ...askingTools];
