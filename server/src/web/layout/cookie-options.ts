/**
 * For our cookies. Not `secure` here, because the plugin would then withhold the cookie on
 * http://localhost. It is added when cookies are sent.
 */
export const cookieOptions = {
  path: "/",
  httpOnly: true,
  sameSite: "lax",
  secure: false,
} as const;
