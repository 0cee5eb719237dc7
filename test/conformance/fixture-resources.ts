import { image } from "./fixture-contents.js";

const contents = [
  {
    uri: "test://static-text",
    mimeType: "text/plain",
    text: "This is the content of the static text resource.",
  },
  { uri: "test://static-binary", mimeType: "image/png", blob: image.data },
  { uri: "test://watched-resource", mimeType: "text/plain", text: "Watched resource content." },
];

export const resourceList = {
  resources: contents.map(({ uri, mimeType }) => ({ uri, name: uri, mimeType })),
};

export const resourceTemplateList = {
  resourceTemplates: [
    { uriTemplate: "test://template/{id}/data", name: "template", mimeType: "application/json" },
  ],
};

export function readFixture(uri: unknown): object | undefined {
  const id = /^test:\/\/template\/(\w+)\/data$/.exec(String(uri))?.[1];
  if (id === undefined) return contents.find((content) => content.uri === uri);
  const data = { id, templateTest: true, data: `Data for ID: ${id}` };
  return { uri, mimeType: "application/json", text: JSON.stringify(data) };
}
