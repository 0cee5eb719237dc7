import type { FastifyInstance, LightMyRequestResponse } from "fastify";

type Fields = Record<string, string | readonly string[]>;
type Headers = Record<string, string>;

export function toCookieHeader(cookies: ReadonlyMap<string, string>): string {
  return [...cookies].map((pair) => pair.join("=")).join("; ");
}

/** Simulates a browser: stores cookies, fills in and submits forms. */
export interface TestBrowser {
  cookies: Map<string, string>;
  get: (url: string, headers?: Headers) => Promise<LightMyRequestResponse>;
  post: (url: string, fields: Fields, headers?: Headers) => Promise<LightMyRequestResponse>;
  /** Submits a form of the page with its hidden inputs. `fields` extend or override them. */
  submitForm: (
    page: LightMyRequestResponse,
    fields: Fields,
    choice?: { action?: string; headers?: Headers },
  ) => Promise<LightMyRequestResponse>;
  /** Submits a form with files, like a browser. */
  sendFiles: (
    page: LightMyRequestResponse,
    action: string,
    files: readonly SentFile[],
    fields?: Fields,
  ) => Promise<LightMyRequestResponse>;
}

export interface SentFile {
  /** Default: "photo". */
  field?: string;
  name: string;
  content: Buffer | string;
  type?: string;
}

export function createBrowser(app: FastifyInstance): TestBrowser {
  const cookies = new Map<string, string>();
  const base = new URL(app.services.config.baseUrl);

  async function send(
    method: "GET" | "POST",
    url: string,
    payload: string | Buffer | undefined,
    headers: Headers,
  ): Promise<LightMyRequestResponse> {
    const address = new URL(url, base);
    const response = await app.inject({
      method,
      url: address.pathname + address.search,
      headers: {
        host: base.host,
        accept: "text/html",
        ...(cookies.size > 0 && { cookie: toCookieHeader(cookies) }),
        ...(payload !== undefined && {
          "content-type": "application/x-www-form-urlencoded",
          origin: base.origin,
          "sec-fetch-site": "same-origin",
        }),
        ...headers,
      },
      ...(payload !== undefined && { payload }),
    });
    for (const { name, value, maxAge, expires } of response.cookies) {
      const isGone = maxAge === 0 || (expires !== undefined && expires.getTime() <= Date.now());
      if (isGone) cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  }

  const findForm = (page: LightMyRequestResponse, action: string | undefined) => {
    const form = findForms(page.body).find((found) =>
      action === undefined
        ? !["/signout", "/search"].includes(found.action ?? "") && !found.action?.endsWith("/undo")
        : found.action === action,
    );
    if (form === undefined) throw new Error(`There is no such form on the page: ${page.body}`);
    return form;
  };

  const browser: TestBrowser = {
    cookies,
    get: (url, headers = {}) => send("GET", url, undefined, headers),
    post: (url, fields, headers = {}) => send("POST", url, toForm(fields), headers),
    submitForm: (page, fields, { action, headers = {} } = {}) => {
      const form = findForm(page, action);
      return browser.post(
        form.action ?? page.raw.req.url ?? "/",
        { ...form.hidden, ...fields },
        headers,
      );
    },
    sendFiles: async (page, action, files, fields = {}) => {
      const form = new FormData();
      const isNamed = findForms(page.body).some((found) => found.action === action);
      const { hidden } = findForm(page, isNamed ? action : undefined);
      for (const [name, values] of Object.entries({ ...hidden, ...fields })) {
        for (const value of [values].flat()) form.append(name, value);
      }
      for (const { field = "photo", name, content, type = "image/jpeg" } of files) {
        form.append(field, new Blob([new Uint8Array(Buffer.from(content))], { type }), name);
      }
      const body = new Response(form);
      const payload = Buffer.from(await body.arrayBuffer());
      const headers = { "content-type": body.headers.get("content-type") ?? "" };
      return send("POST", action, payload, headers);
    },
  };
  return browser;
}

export async function press(
  browser: TestBrowser,
  page: LightMyRequestResponse,
  button: string,
  fields: Fields = {},
): Promise<LightMyRequestResponse> {
  const forms = findForms(page.body);
  // Some buttons add a number: "Undo changes to 2 records".
  const form =
    forms.find(({ buttons }) => buttons.includes(button)) ??
    forms.find(({ buttons }) => buttons.some((words) => words.startsWith(`${button} `)));
  if (form === undefined) throw new Error(`There is no button ${button} on ${page.body}`);
  return browser.post(form.action ?? page.raw.req.url ?? "/", { ...form.hidden, ...fields });
}

interface FoundForm {
  buttons: string[];
  action: string | undefined;
  hidden: Record<string, string>;
}

/** The forms that change something. */
export function findForms(html: string): FoundForm[] {
  return [...html.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)]
    .filter(([, attributes = ""]) => attributeOf(attributes, "method") === "post")
    .map(([, attributes = "", body = ""]) => ({
      action: attributeOf(attributes, "action"),
      buttons: [...body.matchAll(/<button\b[^>]*>(.*?)<\/button>/gs)].map(
        ([, words = ""]) => words,
      ),
      hidden: Object.fromEntries(
        [...body.matchAll(/<input\b[^>]*>/g)]
          .filter(([input]) => attributeOf(input, "type") === "hidden")
          .map(([input]) => [attributeOf(input, "name") ?? "", attributeOf(input, "value") ?? ""]),
      ),
    }));
}

export function attributeOf(tag: string, name: string): string | undefined {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
  return value
    ?.replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}

function toForm(fields: Fields): string {
  const form = new URLSearchParams();
  for (const [name, values] of Object.entries(fields)) {
    for (const value of [values].flat()) form.append(name, value);
  }
  return form.toString();
}

/** Removes our own scripts from a page. Any script left was injected by a text. */
export function withoutPageScript(body: string): string {
  return body.replace(
    /<script src="\/static\/(?:pages|keyboard|offline)-[^"]+\.js" defer[^>]*><\/script>/g,
    "",
  );
}
