import type { EntitySchema } from "typeorm";
import { AccessTokenEntity } from "./entities/access-token.js";
import { ActivityEntryEntity } from "./entities/activity-entry.js";
import { AssetEntity } from "./entities/asset.js";
import { AssetCategoryEntity } from "./entities/asset-category.js";
import { AssetStatePeriodEntity } from "./entities/asset-state-period.js";
import { AuthorizationCodeEntity } from "./entities/authorization-code.js";
import { AuthorizationRequestEntity } from "./entities/authorization-request.js";
import { ConnectionEntity } from "./entities/connection.js";
import { DeletionRecordEntity } from "./entities/deletion-record.js";
import { HistoryEventEntity } from "./entities/history-event.js";
import { IdempotencyRecordEntity } from "./entities/idempotency-record.js";
import { InviteEntity } from "./entities/invite.js";
import { MaintenancePlanEntity } from "./entities/maintenance-plan.js";
import { MaintenanceTaskEntity } from "./entities/maintenance-task.js";
import { OauthClientEntity } from "./entities/oauth-client.js";
import { OrganizationEntity } from "./entities/organization.js";
import { OrganizationMemberEntity } from "./entities/organization-member.js";
import { OutgoingMailEntity } from "./entities/outgoing-mail.js";
import { PasswordResetEntity } from "./entities/password-reset.js";
import { RefreshTokenEntity } from "./entities/refresh-token.js";
import { RetiredInventoryNumberEntity } from "./entities/retired-inventory-number.js";
import { SessionEntity } from "./entities/session.js";
import { SetupLinkEntity } from "./entities/setup-link.js";
import { SignUpEntity } from "./entities/sign-up.js";
import { TaskChecklistItemEntity } from "./entities/task-checklist-item.js";
import { ToolCallEntity } from "./entities/tool-call.js";
import { UserEntity } from "./entities/user.js";
import { UserPasswordEntity } from "./entities/user-password.js";
import { WorkspaceEntity } from "./entities/workspace.js";
import { WorkspaceMemberEntity } from "./entities/workspace-member.js";

export const allEntities: EntitySchema[] = [
  OrganizationEntity,
  UserEntity,
  UserPasswordEntity,
  OrganizationMemberEntity,
  WorkspaceEntity,
  WorkspaceMemberEntity,
  AssetCategoryEntity,
  AssetEntity,
  RetiredInventoryNumberEntity,
  AssetStatePeriodEntity,
  MaintenancePlanEntity,
  MaintenanceTaskEntity,
  TaskChecklistItemEntity,
  DeletionRecordEntity,
  HistoryEventEntity,
  ActivityEntryEntity,
  ToolCallEntity,
  IdempotencyRecordEntity,
  InviteEntity,
  OutgoingMailEntity,
  SessionEntity,
  SetupLinkEntity,
  PasswordResetEntity,
  SignUpEntity,
  OauthClientEntity,
  AuthorizationRequestEntity,
  AuthorizationCodeEntity,
  ConnectionEntity,
  AccessTokenEntity,
  RefreshTokenEntity,
];
