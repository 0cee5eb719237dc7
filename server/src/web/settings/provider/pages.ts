import type { FastifyPluginAsync } from "fastify";
import { checkDomainForm, newDomainForm, removeDomainForm } from "./domains.js";
import {
  editProviderForm,
  ssoRequiredForm,
  removeProviderForm,
  testProviderForm,
} from "./forms.js";
import { providerOverviewPages } from "./overview.js";
import { releaseForm } from "./release.js";

export const providerSettingsPages: FastifyPluginAsync = async (app) => {
  await app.register(providerOverviewPages);
  await app.register(editProviderForm);
  await app.register(testProviderForm);
  await app.register(removeProviderForm);
  await app.register(ssoRequiredForm);
  await app.register(newDomainForm);
  await app.register(checkDomainForm);
  await app.register(removeDomainForm);
  await app.register(releaseForm);
};
