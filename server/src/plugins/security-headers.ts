import helmet from "@fastify/helmet";
import type { FastifyInstance, FastifyReply } from "fastify";

const directives = {
  "default-src": ["'none'"],
  "style-src": ["'self'"],
  "img-src": ["'self'"],
  "script-src": ["'none'"],
  "base-uri": ["'none'"],
  "frame-ancestors": ["'none'"],
};

/**
 * What a page runs: nothing, a script of ours, the one of lists and forms, which asks the server, or that
 * of scanning, which sends what it has read and works offline.
 */
export type PageScript = boolean | "page" | "scan";

const policies = {
  false: {},
  true: allowing("script-src"),
  page: allowing("script-src", "connect-src"),
  scan: allowing("script-src", "connect-src", "worker-src"),
};

/** What is ours, of these kinds. */
function allowing(...kinds: string[]) {
  const own = Object.fromEntries(kinds.map((kind) => [kind, ["'self'"]]));
  return { contentSecurityPolicy: { useDefaults: false, directives: { ...directives, ...own } } };
}

/** Only pages that scan may ask for the camera. */
export function setPageHeaders(reply: FastifyReply, script: PageScript = false): void {
  reply.helmet(policies[`${script}`]);
  reply.header("permissions-policy", script === "scan" ? "camera=(self)" : "camera=()");
}

/**
 * Gives `reply.helmet()` what every page is sent with. `form-action` is missing on purpose: Chromium
 * applies it to the whole chain of redirects, which ends at the app that asked for consent. For the
 * same reason there is no opener policy: an app may have opened us in a window it waits for.
 */
export async function registerSecurityHeaders(app: FastifyInstance): Promise<void> {
  await app.register(helmet, {
    global: false,
    contentSecurityPolicy: {
      useDefaults: false,
      directives,
    },
    crossOriginEmbedderPolicy: false,
    crossOriginOpenerPolicy: false,
    frameguard: { action: "deny" },
    // "no-referrer" would make Chromium send "Origin: null" with our own forms.
    referrerPolicy: { policy: "same-origin" },
    hsts: app.services.config.baseUrl.startsWith("https:") && { maxAge: 31_536_000 },
  });
}
