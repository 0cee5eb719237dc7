import type { LightMyRequestResponse } from "fastify";
import { attributeOf, type TestBrowser } from "../support/browser.js";
import { typedFor, type Chance } from "./walk-values.js";

interface Form {
  action: string;
  /** The name of the file field, if any. */
  file: string | undefined;
  fields: Record<string, string>;
}

/**
 * Forms that end sessions or data that others need, leave the server, or are for people without an
 * account.
 */
const leftOut =
  /^\/(?:signout|setup|sign|sample|organizations|oauth|password|settings\/(?:security|sessions|password|organization\/provider))/;

/** Submits one of the page's forms with plausible input. Returns undefined if the page has none. */
export async function sendSomeForm(
  browser: TestBrowser,
  page: LightMyRequestResponse,
  chance: Chance,
  photo: Buffer,
): Promise<{ form: Form; answer: LightMyRequestResponse } | undefined> {
  const forms = formsOf(page, chance).filter(({ action }) => !leftOut.test(action));
  if (forms.length === 0) return undefined;
  const form = chance.pick(forms);
  const { action, file, fields } = form;
  const [path = "", query = ""] = action.split("?", 2);
  if (file === undefined) return { form, answer: await browser.post(action, fields) };
  const photos = [{ field: file, name: "photo.jpg", content: photo }];
  const answer = await browser.sendFiles(page, query === "" ? path : action, photos, fields);
  return { form, answer };
}

function formsOf(page: LightMyRequestResponse, chance: Chance): Form[] {
  return [...page.body.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)]
    .filter(([, attributes = ""]) => attributeOf(attributes, "method") === "post")
    .map(([, attributes = "", body = ""]) => ({
      action: attributeOf(attributes, "action") ?? page.raw.req.url ?? "/",
      file: fileOf(body),
      fields: {
        ...inputsOf(body, chance),
        ...textsOf(body, chance),
        ...selectsOf(body, chance),
      },
    }));
}

const inputs = (body: string) => [...body.matchAll(/<input\b[^>]*>/g)].map(([input]) => input);

function fileOf(body: string): string | undefined {
  const input = inputs(body).find((one) => attributeOf(one, "type") === "file");
  return input === undefined ? undefined : (attributeOf(input, "name") ?? "file");
}

function inputsOf(body: string, chance: Chance): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const input of inputs(body)) {
    const [type = "text", name = ""] = [attributeOf(input, "type"), attributeOf(input, "name")];
    if (type === "file" || type === "submit" || name === "") continue;
    const value = valueOf(input, name, type, chance);
    if (value !== undefined) fields[name] = value;
  }
  return fields;
}

/** Returns undefined for an unchecked box. */
function valueOf(input: string, name: string, type: string, chance: Chance): string | undefined {
  const value = attributeOf(input, "value") ?? "";
  const isKept = type === "hidden" || chance.is(0.6);
  if (type !== "checkbox" && type !== "radio") return isKept ? value : typedFor(name, type, chance);
  const isChecked = isKept ? /\schecked\b/.test(input) : chance.is(0.5);
  return isChecked ? value : undefined;
}

function textsOf(body: string, chance: Chance): Record<string, string> {
  return Object.fromEntries(
    [...body.matchAll(/<textarea\b([^>]*)>(.*?)<\/textarea>/gs)].map(([, tag = "", text = ""]) => {
      const name = attributeOf(tag, "name") ?? "";
      return [name, chance.is(0.5) ? text : typedFor(name, "text", chance)];
    }),
  );
}

function selectsOf(body: string, chance: Chance): Record<string, string> {
  return Object.fromEntries(
    [...body.matchAll(/<select\b([^>]*)>(.*?)<\/select>/gs)].map(([, tag = "", inner = ""]) => {
      const options = [...inner.matchAll(/<option\b[^>]*>/g)].map(([option]) => option);
      const chosen = options.find((option) => /\sselected\b/.test(option));
      const option =
        chosen !== undefined && chance.is(0.5) ? chosen : chance.pick(["", ...options]);
      return [attributeOf(tag, "name") ?? "", attributeOf(option, "value") ?? ""];
    }),
  );
}
