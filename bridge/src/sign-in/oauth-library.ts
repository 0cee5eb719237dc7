// What the bridge needs of the client package: naming it lets the build leave out the rest.
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
