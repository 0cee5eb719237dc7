import type { MigrationInterface, QueryRunner } from "typeorm";

/** What statistics count, and what one person did, without reading everything. */
export class IndexFigures1763683200006 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(indexes);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      "DROP INDEX maintenance_tasks_counts_idx, history_events_actor_user_id_idx;",
    );
  }
}

const indexes = `
CREATE INDEX maintenance_tasks_counts_idx ON maintenance_tasks
  (organization_id, workspace_id, state) WHERE NOT hidden;
CREATE INDEX history_events_actor_user_id_idx ON history_events
  (organization_id, actor_user_id, occurred_at DESC, sequence DESC);
`;
