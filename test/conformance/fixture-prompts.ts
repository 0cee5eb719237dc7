import { askFor, image, resourceOf, textOf } from "./fixture-contents.js";
import type { Answer, FixtureCall } from "./fixture-tools.js";

interface FixturePrompt {
  name: string;
  arguments?: readonly string[];
  answer: (call: FixtureCall) => Answer;
}

const messagesOf = (...contents: object[]) => ({
  messages: contents.map((content) => ({ role: "user", content })),
});

export const prompts: readonly FixturePrompt[] = [
  {
    name: "test_simple_prompt",
    answer: () => messagesOf(textOf("This is a simple prompt for testing.")),
  },
  {
    name: "test_prompt_with_arguments",
    arguments: ["arg1", "arg2"],
    answer: ({ arguments: { arg1, arg2 } }) =>
      messagesOf(textOf(`Prompt with arguments: arg1='${String(arg1)}', arg2='${String(arg2)}'`)),
  },
  {
    name: "test_prompt_with_embedded_resource",
    arguments: ["resourceUri"],
    answer: ({ arguments: { resourceUri } }) =>
      messagesOf(
        resourceOf(String(resourceUri), "text/plain", "Embedded resource content for testing."),
        textOf("Please process the embedded resource above."),
      ),
  },
  {
    name: "test_prompt_with_image",
    answer: () => messagesOf(image, textOf("Please analyze the image above.")),
  },
  {
    name: "test_input_required_result_prompt",
    answer: ({ responses: { user_context: response } }) => {
      if (response !== undefined) return messagesOf(textOf(JSON.stringify(response)));
      const question = "What context should the prompt use?";
      const properties = { context: { type: "string" } };
      return { ask: { user_context: askFor(question, properties, ["context"]) }, state: "prompt" };
    },
  },
];
