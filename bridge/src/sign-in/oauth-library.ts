// The used parts of the client package. Named exports let the build drop the rest.
export {
  auth,
  AuthorizationServerMismatchError,
  computeScopeUnion,
  discoverOAuthServerInfo,
  exchangeAuthorization,
  extractWWWAuthenticateParams,
  IssuerMismatchError,
  OAuthError,
  RegistrationRejectedError,
  selectClientAuthMethod,
  validateAuthorizationResponseIssuer,
} from "@modelcontextprotocol/client";
