import type { TestBrowser } from "./browser.js";

/** Shares a task on its page. Returns the path of the link, which is shown once. */
export async function shareTask(
  browser: TestBrowser,
  taskId: string,
  fields: Record<string, string> = {},
): Promise<string> {
  const address = `/tasks/${taskId}/share`;
  const page = await browser.get(address);
  const shown = await browser.submitForm(page, {
    ...{ contractor: "Lindqvist Lifts", days: "7", ...fields },
  });
  const [, path] = /value="[^"]*?(\/job\/[\w-]+)"/.exec(shown.body) ?? [];
  if (path === undefined) throw new Error(`${shown.statusCode}: ${shown.body}`);
  return path;
}
