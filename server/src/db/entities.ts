import type { EntitySchema } from "typeorm";
import * as accounts from "./entities/accounts.js";
import * as assets from "./entities/assets.js";
import * as audit from "./entities/audit.js";
import * as comments from "./entities/comments.js";
import * as exchange from "./entities/exchange.js";
import * as files from "./entities/files.js";
import * as history from "./entities/history.js";
import * as identityProviders from "./entities/identity-providers.js";
import * as insight from "./entities/insight.js";
import * as messaging from "./entities/messaging.js";
import * as meters from "./entities/meters.js";
import * as oauth from "./entities/oauth.js";
import * as organizations from "./entities/organizations.js";
import * as people from "./entities/people.js";
import * as reports from "./entities/reports.js";
import * as rounds from "./entities/rounds.js";
import * as tasks from "./entities/tasks.js";

export const allEntities: EntitySchema[] = [
  organizations.Organization,
  identityProviders.UniqueName,
  accounts.User,
  accounts.UserPassword,
  accounts.Authenticator,
  accounts.Passkey,
  accounts.RecoveryCode,
  accounts.SpentChallenge,
  identityProviders.IdentityProvider,
  identityProviders.IdentityProviderDomain,
  identityProviders.ProviderIdentity,
  people.OrganizationMember,
  people.Absence,
  tasks.CalendarFeed,
  organizations.Workspace,
  messaging.Webhook,
  messaging.WebhookDelivery,
  people.WorkspaceMember,
  people.SavedView,
  assets.AssetCategory,
  assets.Asset,
  assets.RetiredInventoryNumber,
  assets.AssetStatePeriod,
  meters.Meter,
  meters.MeterReading,
  tasks.MaintenancePlan,
  tasks.MaintenanceTask,
  tasks.TaskLink,
  tasks.Procedure,
  tasks.ProcedureVersion,
  tasks.TaskChecklistItem,
  reports.PlaceLabel,
  reports.ProblemReport,
  rounds.Round,
  rounds.RoundFinding,
  comments.Comment,
  files.StoredFile,
  files.FilePiece,
  files.FileObject,
  insight.AssetPeak,
  insight.Figure,
  people.DeletionRecord,
  history.HistoryEvent,
  history.ChangeSet,
  history.ChangeSetRow,
  exchange.ImportPiece,
  audit.ActivityEntry,
  audit.AuditChain,
  audit.AuditCheckpoint,
  oauth.ToolCall,
  history.IdempotencyRecord,
  people.Invite,
  messaging.Notification,
  messaging.NotificationChoice,
  messaging.OutgoingMail,
  messaging.PushSubscription,
  messaging.PushMessage,
  accounts.Session,
  accounts.TypedForm,
  files.KeptPhoto,
  accounts.SetupLink,
  accounts.PasswordReset,
  accounts.EmailChange,
  accounts.SignUp,
  oauth.OauthClient,
  oauth.AuthorizationRequest,
  oauth.AuthorizationCode,
  oauth.Confirmation,
  oauth.Connection,
  oauth.AccessToken,
  oauth.RefreshToken,
];
