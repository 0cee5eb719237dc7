export { allScopes, isScope } from "./scopes.js";
export type { Scope } from "./scopes.js";
export {
  authorizationServerMetadataPath,
  bridgeClientId,
  mcpPath,
  protectedResourceMetadataPath,
} from "./discovery.js";
