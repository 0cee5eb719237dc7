import helmet from "@fastify/helmet";
import type { FastifyInstance, FastifyReply } from "fastify";

const directives = {
  "default-src": ["'none'"],
  "style-src": ["'self'"],
  "img-src": ["'self'"],
  "manifest-src": ["'self'"],
  "script-src": ["'none'"],
  "base-uri": ["'none'"],
  "frame-ancestors": ["'none'"],
};

/**
 * The page's script: none, one of ours, the one for lists and forms, which calls the server, the one
 * for scanning, which sends scans and works offline, or the one for push messages.
 */
export type PageScript = boolean | "page" | "scan" | "push";

const policies = {
  false: {},
  true: allowing("script-src"),
  page: allowing("script-src", "connect-src", "worker-src"),
  scan: allowing("script-src", "connect-src", "worker-src"),
  push: allowing("script-src", "worker-src"),
};

function allowing(...kinds: string[]) {
  const own = Object.fromEntries(kinds.map((kind) => [kind, ["'self'"]]));
  return { contentSecurityPolicy: { useDefaults: false, directives: { ...directives, ...own } } };
}

/** Only pages that scan may request the camera. */
export function setPageHeaders(reply: FastifyReply, script: PageScript = false): void {
  reply.helmet(policies[`${script}`]);
  reply.header("permissions-policy", script === "scan" ? "camera=(self)" : "camera=()");
}

/**
 * Configures the default headers of `reply.helmet()`. `form-action` is missing on purpose: Chromium
 * applies it to the whole redirect chain, which ends at the app that asked for consent. There is no
 * opener policy either, because an app may have opened us in a window that it waits for.
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
