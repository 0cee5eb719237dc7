import type { FastifyPluginAsync } from "fastify";
import { authenticatorForm, removeAuthenticatorForm } from "./authenticator.js";
import { confirmByPasskeyForm, confirmForm } from "./confirm.js";
import { overviewPages } from "./overview.js";
import { newPasskeyForm, removePasskeyForm } from "./passkeys.js";
import { recoveryCodesForm } from "./recovery-codes.js";

export const securityPages: FastifyPluginAsync = async (app) => {
  await app.register(overviewPages);
  await app.register(confirmForm);
  await app.register(confirmByPasskeyForm);
  await app.register(authenticatorForm);
  await app.register(removeAuthenticatorForm);
  await app.register(newPasskeyForm);
  await app.register(removePasskeyForm);
  await app.register(recoveryCodesForm);
};
