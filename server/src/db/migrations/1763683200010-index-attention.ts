import type { MigrationInterface, QueryRunner } from "typeorm";

/** What needs attention is looked for each time somebody opens the home page. */
export class IndexAttention1763683200010 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(indexes);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
DROP INDEX assets_warranty_expires_on_idx, asset_state_periods_failures_idx,
  maintenance_tasks_corrective_idx, maintenance_tasks_asset_open_idx;
`);
  }
}

const indexes = `
CREATE INDEX assets_warranty_expires_on_idx ON assets (organization_id, warranty_expires_on)
  WHERE state <> 'deleted';
CREATE INDEX asset_state_periods_failures_idx ON asset_state_periods (organization_id, started_at)
  WHERE state = 'out_of_service' AND task_id IS NULL;
CREATE INDEX maintenance_tasks_corrective_idx ON maintenance_tasks
  (organization_id, asset_id, completed_at) WHERE type = 'corrective' AND state <> 'cancelled';
CREATE INDEX maintenance_tasks_asset_open_idx ON maintenance_tasks (organization_id, asset_id)
  WHERE NOT hidden AND state IN ('scheduled', 'in_progress', 'on_hold');
`;
