const maxLength = 2048;

const loopbackHosts: ReadonlySet<string> = new Set(["127.0.0.1", "[::1]", "localhost"]);

/**
 * Always rejected as redirect targets, because they run or read something on the person's device.
 */
const dangerousSchemes: ReadonlySet<string> = new Set([
  "javascript:",
  "data:",
  "vbscript:",
  "file:",
  "blob:",
  "about:",
]);

/**
 * Returns why a redirect URI can't be registered, or undefined if it can. Allowed are https, http
 * on loopback, private-use schemes in reverse-domain form, and `allowedSchemes`. Requires the
 * browser-normalized form, so text comparison is safe.
 */
export function redirectUriProblem(
  uri: string,
  allowedSchemes: readonly string[],
): string | undefined {
  const problem = textProblem(uri);
  if (problem !== undefined) return problem;
  if (!URL.canParse(uri)) return "is not an absolute address";
  const url = new URL(uri);
  if (dangerousSchemes.has(url.protocol)) return "uses a scheme that is not allowed";
  if (url.username !== "" || url.password !== "") return "must not name a user";
  if (url.href !== uri && url.href !== `${uri}/`) {
    return "is not in canonical form (default port, upper-case host, dot segments or a number as host)";
  }
  return url.protocol === "https:" || url.protocol === "http:"
    ? webAddressProblem(url)
    : privateSchemeProblem(uri, url, allowedSchemes);
}

function textProblem(uri: string): string | undefined {
  if (uri.length > maxLength) return `is longer than ${maxLength} characters`;
  if (!/^[!-~]+$/.test(uri)) return "contains spaces, control characters or letters beyond ASCII";
  if (/["'*<>\\^`{|}]/.test(uri)) return "contains a character that is not allowed in an address";
  if (uri.includes("#")) return "must not have a fragment";
  return undefined;
}

function webAddressProblem(url: URL): string | undefined {
  if (!/^([a-z0-9.-]+|\[[0-9a-f:.]+\])$/.test(url.hostname)) return "has an unusual host name";
  if (url.protocol === "http:" && !isLoopbackAddress(url)) {
    return "must use https (http is for 127.0.0.1, [::1] and localhost only)";
  }
  return undefined;
}

/** OAuth 2.1 §2.3.1, RFC 8252 §7.1: reverse-domain scheme, one slash, path. */
function privateSchemeProblem(
  uri: string,
  url: URL,
  allowedSchemes: readonly string[],
): string | undefined {
  if (!/^[a-z0-9._-]*(:\d+)?$/i.test(url.host)) return "has an unusual host name";
  const scheme = url.protocol.slice(0, -1);
  if (allowedSchemes.includes(scheme)) return undefined;
  if (!scheme.includes(".")) return "uses a scheme that is not allowed";
  if (!uri.startsWith(`${scheme}:/`)) return "must have a path after its scheme";
  return undefined;
}

function isLoopbackAddress(url: URL): boolean {
  return url.protocol === "http:" && loopbackHosts.has(url.hostname);
}

export function hasRedirectUri(
  { redirect_uris }: { redirect_uris: readonly string[] },
  requested: string,
): boolean {
  return redirect_uris.some((registered) => matchesRedirectUri(registered, requested));
}

/**
 * True if the redirect URIs are identical, or both are http on one loopback host with different
 * ports (RFC 8252 §7.3).
 */
function matchesRedirectUri(registered: string, requested: string): boolean {
  if (registered === requested) return true;
  if (redirectUriProblem(requested, []) !== undefined) return false;
  if (!URL.canParse(registered)) return false;
  const known = new URL(registered);
  const asked = new URL(requested);
  return (
    isLoopbackAddress(known) &&
    isLoopbackAddress(asked) &&
    known.hostname === asked.hostname &&
    known.pathname === asked.pathname &&
    known.search === asked.search
  );
}

/** A redirect target as the consent page and the activity log name it. */
export interface RedirectTarget {
  /** The host, or the scheme with its colon for an app's own scheme. */
  name: string;
  kind: "website" | "loopback" | "app";
}

export function toRedirectTarget(uri: string): RedirectTarget {
  const url = new URL(uri);
  if (isLoopbackAddress(url)) return { name: url.host, kind: "loopback" };
  if (url.protocol === "https:") return { name: url.host, kind: "website" };
  return { name: url.protocol, kind: "app" };
}

/** Appends parameters and leaves the existing URI unchanged byte for byte (OAuth 2.1 §2.3). */
export function withParameters(
  uri: string,
  parameters: Readonly<Record<string, string | undefined>>,
): string {
  const added = Object.entries(parameters)
    .filter((pair): pair is [string, string] => pair[1] !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");
  if (!uri.includes("?")) return `${uri}?${added}`;
  return /[?&]$/.test(uri) ? uri + added : `${uri}&${added}`;
}
