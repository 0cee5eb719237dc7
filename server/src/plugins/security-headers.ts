import helmet from "@fastify/helmet";
import type { FastifyInstance } from "fastify";

const directives = {
  "default-src": ["'none'"],
  "style-src": ["'self'"],
  "img-src": ["'self'"],
  "script-src": ["'none'"],
  "base-uri": ["'none'"],
  "frame-ancestors": ["'none'"],
};

/** For `reply.helmet()` on the few pages that run the script of passkeys, a file of ours. */
export const withOwnScript = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { ...directives, "script-src": ["'self'"] },
  },
};

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
    hsts: app.config.baseUrl.startsWith("https:") && { maxAge: 31_536_000 },
  });
}
