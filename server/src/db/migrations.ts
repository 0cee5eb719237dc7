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
import { confirmations } from "./migrations/15-confirmations.js";
import { eventPlaces } from "./migrations/16-event-places.js";
import { groupFigures } from "./migrations/16-group-figures.js";
import { listIndexes } from "./migrations/16-list-indexes.js";
import { changeSets } from "./migrations/17-change-sets.js";
import { importFiles } from "./migrations/18-import-files.js";
import { files } from "./migrations/19-files.js";
import { problemReports } from "./migrations/20-problem-reports.js";
import { questionsOnStreams } from "./migrations/21-questions-on-streams.js";
import { callsAndLevels } from "./migrations/22-calls-and-levels.js";
import { rounds } from "./migrations/23-rounds.js";
import { naturalNames } from "./migrations/24-natural-names.js";
import { calendarAndDowntime } from "./migrations/25-calendar-and-downtime.js";
import { notifications } from "./migrations/26-notifications.js";
import { webhooks } from "./migrations/27-webhooks.js";
import { connectionEnds } from "./migrations/28-connection-ends.js";
import { signUpPlace } from "./migrations/29-sign-up-place.js";
import { firstSteps } from "./migrations/30-first-steps.js";
import { awaitsWork } from "./migrations/31-awaits-work.js";
import { meters } from "./migrations/32-meters.js";
import { expiredConnections } from "./migrations/34-expired-connections.js";
import { deletionClients } from "./migrations/35-deletion-clients.js";
import { locales } from "./migrations/36-locales.js";
import { questions } from "./migrations/37-questions.js";
import { urgency } from "./migrations/38-urgency.js";
import { timeZones } from "./migrations/39-time-zones.js";
import { sampleOrigins } from "./migrations/40-sample-origins.js";
import { auditTogether } from "./migrations/41-audit-together.js";
import { workWithAsset } from "./migrations/42-work-with-asset.js";
import { workOfPlace } from "./migrations/43-work-of-place.js";
import { appChanges } from "./migrations/44-app-changes.js";
import { roundsStay } from "./migrations/45-rounds-stay.js";
import { brokenAssets } from "./migrations/46-broken-assets.js";
import { keptInputs } from "./migrations/50-kept-inputs.js";
import { foldedSearch } from "./migrations/52-folded-search.js";
import { sampleOrganizations } from "./migrations/33-sample-organizations.js";

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
  migration("Confirmations1763683200015", confirmations),
  migration("PlacesAndGroups1763683200016", eventPlaces + groupFigures + listIndexes),
  migration("ChangeSets1763683200017", changeSets),
  migration("ImportFiles1763683200018", importFiles),
  migration("Files1763683200019", files),
  migration("ProblemReports1763683200020", problemReports),
  migration("QuestionsOnStreams1763683200021", questionsOnStreams),
  migration("CallsAndLevels1763683200022", callsAndLevels),
  migration("Rounds1763683200023", rounds),
  migration("NaturalNames1763683200024", naturalNames),
  migration("CalendarAndDowntime1763683200025", calendarAndDowntime),
  migration("Notifications1763683200026", notifications),
  migration("Webhooks1763683200027", webhooks),
  migration("ConnectionEnds1763683200028", connectionEnds),
  migration("SignUpPlace1763683200029", signUpPlace),
  migration("FirstSteps1763683200030", firstSteps),
  migration("AwaitsWork1763683200031", awaitsWork),
  migration("Meters1763683200032", meters),
  migration("SampleOrganizations1763683200033", sampleOrganizations),
  migration("ExpiredConnections1763683200034", expiredConnections),
  migration("DeletionClients1763683200035", deletionClients),
  migration("Locales1763683200036", locales),
  migration("Questions1763683200037", questions),
  migration("Urgency1763683200038", urgency),
  migration("TimeZones1763683200039", timeZones),
  migration("SampleOrigins1763683200040", sampleOrigins),
  migration("AuditTogether1763683200041", auditTogether),
  migration("WorkWithAsset1763683200042", workWithAsset),
  migration("WorkOfPlace1763683200043", workOfPlace),
  migration("AppChanges1763683200044", appChanges),
  migration("RoundsStay1763683200045", roundsStay),
  migration("BrokenAssets1763683200046", brokenAssets),
  migration("KeptInputs1763683200050", keptInputs),
  migration("FoldedSearch1763683200052", foldedSearch),
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
