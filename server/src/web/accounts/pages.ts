import type { FastifyPluginAsync } from "fastify";
import { demoSignIn } from "./demo-sign-in.js";
import { confirmEmailForm } from "./email-confirmation.js";
import { invitationForm } from "./invitations.js";
import { passwordPages } from "./passwords.js";
import { secondFactorForm } from "./second-factor.js";
import { setupForm } from "./setup.js";
import { passkeySignInForm } from "./passkey-sign-in.js";
import { providerSignInPages } from "./provider-sign-in.js";
import { signInForm } from "./sign-in.js";
import { signOutPages } from "./sign-out.js";
import { confirmSignUpForm } from "./sign-up-confirmation.js";
import { signUpPages } from "./sign-up.js";

/** Set-up, sign-up, sign-in, invitations and password reset. */
export const accountPages: FastifyPluginAsync = async (app) => {
  await app.register(setupForm);
  await app.register(signInForm);
  await app.register(demoSignIn);
  await app.register(secondFactorForm);
  await app.register(passkeySignInForm);
  await app.register(providerSignInPages);
  await app.register(signOutPages);
  await app.register(signUpPages);
  await app.register(confirmSignUpForm);
  await app.register(passwordPages);
  await app.register(confirmEmailForm);
  await app.register(invitationForm);
};
