import { mcpPath } from "fettle-shared";

/** The one protected resource: what every token is for (RFC 8707). */
export function resourceOf(config: { baseUrl: string }): string {
  return config.baseUrl + mcpPath;
}

/** Whether a `resource` parameter names it; scheme and host in any case, one slash at the end. */
export function isResource(value: string, resource: string): boolean {
  if (value.includes("#") || value.includes("?") || !URL.canParse(value)) return false;
  const { origin, pathname, username, password } = new URL(value);
  return username === "" && password === "" && origin + pathname.replace(/\/$/, "") === resource;
}
