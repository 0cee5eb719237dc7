import type { LightMyRequestResponse } from "fastify";
import { attributeOf, type TestBrowser } from "./browser.js";

export interface PageForm {
  action: string;
  /** Values as the page prefills them. */
  fields: Record<string, string>;
  /** Names of the visible fields. */
  seen: string[];
}

/** Returns a page's forms that change something, with the values of their controls. */
export function formsOf(page: LightMyRequestResponse): PageForm[] {
  const forms = page.body.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs);
  return [...forms]
    .filter(([, attributes = ""]) => attributeOf(attributes, "method") === "post")
    .map(([, attributes = "", body = ""]) => readForm(attributes, body, page.raw.req.url ?? "/"));
}

type Control = [name: string | undefined, value: string, isSeen: boolean];

function readForm(attributes: string, body: string, address: string): PageForm {
  const action = attributeOf(attributes, "action") ?? address;
  const form: PageForm = { action, fields: {}, seen: [] };
  for (const [name, value, isSeen] of [...inputsOf(body), ...textsOf(body), ...selectsOf(body)]) {
    if (name === undefined) continue;
    form.fields[name] = value;
    if (isSeen) form.seen.push(name);
  }
  return form;
}

function inputsOf(body: string): Control[] {
  return [...body.matchAll(/<input\b[^>]*>/g)].flatMap(([input]) => {
    const type = attributeOf(input, "type") ?? "text";
    const isOff = /^(?:checkbox|radio)$/.test(type) && !/\schecked\b/.test(input);
    const control = [attributeOf(input, "name"), attributeOf(input, "value") ?? ""] as const;
    return isOff || type === "submit" ? [] : [[...control, type !== "hidden"]];
  });
}

function textsOf(body: string): Control[] {
  const texts = body.matchAll(/<textarea\b([^>]*)>(.*?)<\/textarea>/gs);
  return [...texts].map(([, tag = "", text = ""]) => [attributeOf(tag, "name"), text, true]);
}

function selectsOf(body: string): Control[] {
  const selects = body.matchAll(/<select\b([^>]*)>(.*?)<\/select>/gs);
  return [...selects].map(([, tag = "", options = ""]) => {
    const [chosen] =
      /<option\b[^>]*\sselected\b[^>]*>/.exec(options) ?? /<option\b[^>]*>/.exec(options) ?? [];
    return [attributeOf(tag, "name"), attributeOf(chosen ?? "", "value") ?? "", true];
  });
}

/** Submits a form with `value` in every input that people fill in, or unchanged. */
export async function sendForm(
  browser: TestBrowser,
  { action, fields, seen }: PageForm,
  value?: string,
  headers: Record<string, string> = {},
): Promise<LightMyRequestResponse> {
  const given = value === undefined ? {} : Object.fromEntries(seen.map((name) => [name, value]));
  return browser.post(action, { ...fields, ...given }, headers);
}
