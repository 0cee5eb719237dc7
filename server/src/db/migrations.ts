import type { MigrationInterface, QueryRunner } from "typeorm";
import { clock, people } from "./migrations/01-people.js";
import { assets } from "./migrations/02-assets.js";
import { tasks } from "./migrations/03-tasks.js";
import { history } from "./migrations/04-history.js";
import { authorization } from "./migrations/05-authorization.js";
import { invites } from "./migrations/06-invites.js";
import { search } from "./migrations/07-search.js";
import { costCenter } from "./migrations/08-cost-center.js";
import { secondFactor } from "./migrations/09-second-factor.js";
import { auditChain } from "./migrations/10-audit-chain.js";
import { identityProviders } from "./migrations/11-identity-providers.js";
import { guessedFactorMail } from "./migrations/12-guessed-factor-mail.js";
import { largeOrganizations } from "./migrations/13-large-organizations.js";
import { figures } from "./migrations/14-figures.js";

/** In the order they run; a new one comes last. Names end in the 13 digits they are sorted by. */
export const allMigrations = [
  migration("People1763683200001", clock + people),
  migration("Assets1763683200002", assets),
  migration("Tasks1763683200003", tasks),
  migration("History1763683200004", history),
  migration("Authorization1763683200005", authorization),
  migration("Invites1763683200006", invites),
  migration("Search1763683200007", search),
  migration("CostCenter1763683200008", costCenter),
  migration("SecondFactor1763683200009", secondFactor),
  migration("AuditChain1763683200010", auditChain),
  migration("IdentityProviders1763683200011", identityProviders),
  migration("GuessedFactorMail1763683200012", guessedFactorMail),
  migration("LargeOrganizations1763683200013", largeOrganizations),
  migration("Figures1763683200014", figures),
];

export const migrationNames = allMigrations.map((Migration) => new Migration().name);

/** A step of the schema in SQL. There is no step back: a backup is. */
function migration(name: string, sql: string): new () => MigrationInterface & { name: string } {
  return class implements MigrationInterface {
    readonly name = name;

    async up(runner: QueryRunner): Promise<void> {
      await runner.query(sql);
    }

    async down(): Promise<void> {
      throw new Error("Migrations only go forward.");
    }
  };
}
