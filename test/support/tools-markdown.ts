import type { JsonSchema } from "../../server/src/mcp/json-schema.js";
import { promptList } from "../../server/src/mcp/prompts.js";
import { resourceList, resourceTemplateList } from "../../server/src/mcp/resources.js";
import type { RegisteredTool } from "../../server/src/mcp/define-tool.js";
import { viewList } from "../../server/src/mcp/views/views.js";

/** The text of server/TOOLS.md, made from the definitions. */
export function toMarkdown(tools: Iterable<RegisteredTool>): string {
  const sections = [...tools].map(describeTool);
  return [
    "# Tools",
    "Made from the definitions in `src/mcp/tools`. Run `npx vitest run test/unit/registry.test.ts -u` after a change.",
    ...sections,
    ...aboutCalls,
    "## Resources",
    "Read with the scope `mcp_read`, the rights and the limits of the tools. Their variables complete.",
    [
      ...resourceList.resources.filter(({ uri }) => !isView(uri)),
      ...resourceTemplateList.resourceTemplates.map(({ uriTemplate: uri, ...other }) => ({
        ...other,
        uri,
      })),
    ]
      .map(({ uri, description }) => `- \`${uri}\`: ${description}`)
      .join("\n"),
    "## Views",
    "Documents for hosts with MCP Apps (`io.modelcontextprotocol/ui`), read as resources of the type `text/html;profile=mcp-app`. They load nothing, and what they change they ask the host to call, with the rights of the connection. Text and structured answer are the same without them.",
    viewList.map(({ uri, description }) => `- \`${uri}\`: ${description}`).join("\n"),
    "## Prompts",
    promptList.prompts.map(describePrompt).join("\n"),
    "",
  ].join("\n\n");
}

function isView(uri: string): boolean {
  return viewList.some((view) => view.uri === uri);
}
const aboutCalls = [
  "## Confirmation",
  [
    "The person is asked before `force_delete_asset`, `delete_workspace`, `remove_user` from the organization, and a",
    "change of more than 20 records, where the client shows forms. They type a name or number into a field of text.",
    "The question is open for five minutes; a yes counts once, for this person, connection, tool and arguments. A dry run,",
    "and what is refused anyway, is not asked about.",
  ].join("\n"),
  [
    "- Revision 2026-07-28: the result is `input_required`, and the client repeats the call with what was typed. Each request says what the client can.",
    "- Revisions 2025-06-18 and 2025-11-25: `elicitation/create` on the stream of the call, which goes on when the response is posted, to whichever node. The `Mcp-Session-Id` that `initialize` answers with says whether the client declared forms; nothing is stored, and every node reads it. A client without the header is not asked. A call that would ask is answered with 404 when the id was issued to another connection, so that the client initializes again. The call has to accept `text/event-stream`. A client that responds with an error counts as one without forms.",
    "- Everywhere else the arguments decide. An organization can want a person for what deletes: then the answer holds the address of a page where the person says yes.",
  ].join("\n"),
  "## Progress and cancellation",
  [
    "A request with a `_meta.progressToken` that accepts `text/event-stream` is told how far it is: every five records of a",
    "change of several, and once a second before there are any to count, with numbers below one. Its answer is the last",
    "event. Without a token, or without that in `Accept`, the answer is JSON.",
  ].join("\n"),
  [
    "- Revision 2026-07-28: who closes the connection cancels the request.",
    "- Before: `notifications/cancelled` cancels a request of the same connection on the same node; a broken connection ends what is read, not what is changed. When two windows of an app have a request of the same id under way at once, neither is cancelled.",
    "- What is cancelled leaves the database within half a second and changes nothing; a change whose commit has begun is made, and told as made. The embedded database ends a change between two of its statements, and looks a notification's token up only after it.",
  ].join("\n"),
];

function describePrompt({
  name,
  description,
  arguments: list,
}: (typeof promptList)["prompts"][number]): string {
  const names = list.map(({ name: argument, required }) => argument + (required ? "" : "?"));
  return `- \`${name}\` (${names.join(", ")}): ${description}`;
}

function describeTool({ tool, inputSchema, outputSchema }: RegisteredTool): string {
  const hints = Object.entries(tool.annotations)
    .map(([hint, value]) => `${hint.replace("Hint", "")} ${String(value)}`)
    .join(", ");
  const outputs = Object.entries(outputSchema.properties ?? {}).map(([name, part]) =>
    describeOutput(name, part, outputSchema.required?.includes(name) === true),
  );
  return [
    `## ${tool.name}`,
    `Scope \`${tool.scope}\`. ${tool.description}`,
    `Hints: ${hints}.`,
    describeInputs(inputSchema),
    `Answer (\\* always present): ${outputs.join("; ")}`,
  ].join("\n\n");
}

function describeInputs({ properties = {}, required = [] }: JsonSchema): string {
  const listed = Object.entries(properties).filter(([, { unlisted }]) => unlisted !== true);
  const rows = listed.map(([name, part]) => {
    const cells = [
      `\`${name}\``,
      required.includes(name) ? "yes" : "",
      describeType(part),
      describeLimits(part),
      part.description ?? "",
    ];
    return `| ${cells.join(" | ")} |`;
  });
  if (rows.length === 0) return "No parameters.";
  const head = ["| parameter | required | type | limits | description |", "|---|---|---|---|---|"];
  return [...head, ...rows].join("\n");
}

function describeType({
  type = "",
  format,
  enum: values,
  items,
  description = "",
}: JsonSchema): string {
  // Columns are named in the description.
  const isTold = items?.enum?.every((value) => description.includes(String(value))) === true;
  if (isTold && description.includes("columns")) return `list of ${items.type ?? ""}`;
  if (values !== undefined) return values.map((value) => `\`${String(value)}\``).join(", ");
  if (items !== undefined) return `list of ${describeType(items)}`;
  return format === undefined ? type : `${type} (${format})`;
}

function describeLimits(part: JsonSchema): string {
  const limits = [
    part.minLength !== undefined && `at least ${part.minLength} characters`,
    part.maxLength !== undefined && `at most ${part.maxLength} characters`,
    part.minimum !== undefined && `≥ ${part.minimum}`,
    part.maximum !== undefined && `≤ ${part.maximum}`,
    part.maxItems !== undefined && `at most ${part.maxItems} entries`,
    part.pattern !== undefined && `\`${part.pattern}\``,
    part.default !== undefined && `default \`${JSON.stringify(part.default)}\``,
  ];
  return limits.filter((limit) => limit !== false).join(", ");
}

function describeOutput(name: string, part: JsonSchema, always: boolean): string {
  const inner = part.items?.properties === undefined ? part : part.items;
  const list = part.type === "array" ? "[]" : "";
  const fields = Object.keys(inner.properties ?? {}).map(
    (field) => field + (inner.required?.includes(field) === true ? "\\*" : ""),
  );
  const inside = fields.length === 0 ? "" : ` {${fields.join(", ")}}`;
  return `\`${name}${list}\`${always ? "\\*" : ""}${inside}`;
}
