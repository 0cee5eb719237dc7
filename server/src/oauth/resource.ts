import { mcpPath } from "fettle-shared";

/** The only protected resource, which every token is for (RFC 8707). */
export function resourceOf(config: { baseUrl: string }): string {
  return config.baseUrl + mcpPath;
}

/**
 * Returns true if a `resource` parameter names the resource. Scheme and host ignore case, and one
 * trailing slash is allowed.
 */
export function isResource(value: string, resource: string): boolean {
  if (value.includes("#") || value.includes("?") || !URL.canParse(value)) return false;
  const { origin, pathname, username, password } = new URL(value);
  return username === "" && password === "" && origin + pathname.replace(/\/$/, "") === resource;
}
