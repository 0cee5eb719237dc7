import type { JsonSchema } from "../../server/src/mcp/json-schema.js";
import { promptList } from "../../server/src/mcp/prompts.js";
import { resourceList, resourceTemplateList } from "../../server/src/mcp/resources.js";
import type { RegisteredTool } from "../../server/src/mcp/registry.js";

/** The text of server/TOOLS.md, made from the definitions. */
export function toMarkdown(tools: Iterable<RegisteredTool>): string {
  const sections = [...tools].map(describeTool);
  return [
    "# Tools",
    "Made from the definitions in `src/mcp/tools`. Run `npx vitest run test/unit/registry.test.ts -u` after a change.",
    ...sections,
    "## Resources",
    "Read with the scope `mcp_read`, the rights and the limits of the tools. Their variables complete.",
    [
      ...resourceList.resources,
      ...resourceTemplateList.resourceTemplates.map(({ uriTemplate: uri, ...other }) => ({
        ...other,
        uri,
      })),
    ]
      .map(({ uri, description }) => `- \`${uri}\`: ${description}`)
      .join("\n"),
    "## Prompts",
    promptList.prompts.map(describePrompt).join("\n"),
    "",
  ].join("\n\n");
}

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
  const rows = Object.entries(properties).map(([name, part]) => {
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

function describeType({ type = "", format, enum: values, items }: JsonSchema): string {
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
