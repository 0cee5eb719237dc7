import type { FastifyPluginAsync } from "fastify";
import { invitationPages } from "./invitations.js";
import { passwordPages } from "./passwords.js";
import { setupPages } from "./setup.js";
import { signInPages } from "./sign-in.js";
import { signOutPages } from "./sign-out.js";
import { signUpConfirmationPages } from "./sign-up-confirmation.js";
import { signUpPages } from "./sign-up.js";

/** How a person gets in: set-up, sign-up, sign-in, invitations, password reset. */
export const accountPages: FastifyPluginAsync = async (app) => {
  await app.register(setupPages);
  await app.register(signInPages);
  await app.register(signOutPages);
  await app.register(signUpPages);
  await app.register(signUpConfirmationPages);
  await app.register(passwordPages);
  await app.register(invitationPages);
};
