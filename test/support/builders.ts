import type { DataSource } from "typeorm";
import type { OrganizationRole, WorkspaceRole } from "../../server/src/domain/caller.js";
import { addAccount } from "../../server/src/domain/memberships.js";

export interface Member {
  userId: string;
  organizationId: string;
  organization: string;
  workspaceId?: string;
  email: string;
  name: string;
  password: string;
}

export interface MemberOptions {
  organization?: string;
  role?: OrganizationRole;
  workspace?: string;
  workspaceRole?: WorkspaceRole;
  email?: string;
  name?: string;
}

let count = 0;

/** A person with an account in an organization (a new one unless named), made by the domain itself. */
export async function aMember(db: DataSource, options: MemberOptions = {}): Promise<Member> {
  count += 1;
  const person = {
    email: options.email ?? `person-${count}@example.com`,
    name: options.name ?? `Person ${count}`,
    organization: options.organization ?? `Organization ${count}`,
    password: "correct horse battery",
  };
  const { role, workspace, workspaceRole } = options;
  const ids = await db.transaction((tx) =>
    addAccount(tx, {
      ...person,
      ...(role !== undefined && { role }),
      ...(workspace !== undefined && { workspace }),
      ...(workspaceRole !== undefined && { workspaceRole }),
    }),
  );
  return {
    userId: ids.userId,
    organizationId: ids.organizationId,
    ...(ids.workspaceId !== undefined && { workspaceId: ids.workspaceId }),
    ...person,
  };
}
