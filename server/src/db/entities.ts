import type { EntitySchema } from "typeorm";
import { AccessToken } from "./entities/access-token.js";
import { ActivityEntry } from "./entities/activity-entry.js";
import { Asset } from "./entities/asset.js";
import { AssetCategory } from "./entities/asset-category.js";
import { AssetPeak } from "./entities/asset-peak.js";
import { AssetStatePeriod } from "./entities/asset-state-period.js";
import { AuditChain } from "./entities/audit-chain.js";
import { AuditCheckpoint } from "./entities/audit-checkpoint.js";
import { Authenticator } from "./entities/authenticator.js";
import { AuthorizationCode } from "./entities/authorization-code.js";
import { AuthorizationRequest } from "./entities/authorization-request.js";
import { CalendarFeed } from "./entities/calendar-feed.js";
import { ChangeSet } from "./entities/change-set.js";
import { ChangeSetRow } from "./entities/change-set-row.js";
import { Confirmation } from "./entities/confirmation.js";
import { Connection } from "./entities/connection.js";
import { DeletionRecord } from "./entities/deletion-record.js";
import { StoredFile } from "./entities/file.js";
import { FileObject } from "./entities/file-object.js";
import { FilePiece } from "./entities/file-piece.js";
import { Figure } from "./entities/figure.js";
import { HistoryEvent } from "./entities/history-event.js";
import { IdempotencyRecord } from "./entities/idempotency-record.js";
import { IdentityProvider } from "./entities/identity-provider.js";
import { IdentityProviderDomain } from "./entities/identity-provider-domain.js";
import { ImportPiece } from "./entities/import-piece.js";
import { Invite } from "./entities/invite.js";
import { MaintenancePlan } from "./entities/maintenance-plan.js";
import { Meter } from "./entities/meter.js";
import { MeterReading } from "./entities/meter-reading.js";
import { MaintenanceTask } from "./entities/maintenance-task.js";
import { OauthClient } from "./entities/oauth-client.js";
import { Organization } from "./entities/organization.js";
import { OrganizationMember } from "./entities/organization-member.js";
import { Notification, NotificationChoice } from "./entities/notification.js";
import { OutgoingMail } from "./entities/outgoing-mail.js";
import { Passkey } from "./entities/passkey.js";
import { KeptPhoto } from "./entities/kept-photo.js";
import { TypedForm } from "./entities/typed-form.js";
import { PasswordReset } from "./entities/password-reset.js";
import { ProblemReport } from "./entities/problem-report.js";
import { ProviderIdentity } from "./entities/provider-identity.js";
import { RecoveryCode } from "./entities/recovery-code.js";
import { RefreshToken } from "./entities/refresh-token.js";
import { RetiredInventoryNumber } from "./entities/retired-inventory-number.js";
import { Round } from "./entities/round.js";
import { RoundFinding } from "./entities/round-finding.js";
import { Session } from "./entities/session.js";
import { SetupLink } from "./entities/setup-link.js";
import { SignUp } from "./entities/sign-up.js";
import { SpentChallenge } from "./entities/spent-challenge.js";
import { TaskChecklistItem } from "./entities/task-checklist-item.js";
import { ToolCall } from "./entities/tool-call.js";
import { UniqueName } from "./entities/unique-name.js";
import { User } from "./entities/user.js";
import { UserPassword } from "./entities/user-password.js";
import { Workspace } from "./entities/workspace.js";
import { Webhook, WebhookDelivery } from "./entities/webhook.js";
import { WorkspaceMember } from "./entities/workspace-member.js";

export const allEntities: EntitySchema[] = [
  Organization,
  UniqueName,
  User,
  UserPassword,
  Authenticator,
  Passkey,
  RecoveryCode,
  SpentChallenge,
  IdentityProvider,
  IdentityProviderDomain,
  ProviderIdentity,
  OrganizationMember,
  CalendarFeed,
  Workspace,
  Webhook,
  WebhookDelivery,
  WorkspaceMember,
  AssetCategory,
  Asset,
  RetiredInventoryNumber,
  AssetStatePeriod,
  Meter,
  MeterReading,
  MaintenancePlan,
  MaintenanceTask,
  TaskChecklistItem,
  ProblemReport,
  Round,
  RoundFinding,
  StoredFile,
  FilePiece,
  FileObject,
  AssetPeak,
  Figure,
  DeletionRecord,
  HistoryEvent,
  ChangeSet,
  ChangeSetRow,
  ImportPiece,
  ActivityEntry,
  AuditChain,
  AuditCheckpoint,
  ToolCall,
  IdempotencyRecord,
  Invite,
  Notification,
  NotificationChoice,
  OutgoingMail,
  Session,
  TypedForm,
  KeptPhoto,
  SetupLink,
  PasswordReset,
  SignUp,
  OauthClient,
  AuthorizationRequest,
  AuthorizationCode,
  Confirmation,
  Connection,
  AccessToken,
  RefreshToken,
];
