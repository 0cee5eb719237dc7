import type { MigrationInterface, QueryRunner } from "typeorm";

/** What lets a client that names its refreshes get a lost answer again, until it has used one. */
export class RepeatRefreshes1763683200008 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(columns);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
ALTER TABLE oauth_access_tokens DROP COLUMN ends_repeat_of;
ALTER TABLE oauth_refresh_tokens DROP COLUMN rotation_id_hash;
`);
  }
}

const columns = `
ALTER TABLE oauth_refresh_tokens
  ADD COLUMN rotation_id_hash bytea,
  ADD CONSTRAINT oauth_refresh_tokens_rotation_id_check
    CHECK (rotation_id_hash IS NULL OR successor_sealed IS NOT NULL);
ALTER TABLE oauth_access_tokens ADD COLUMN ends_repeat_of bytea;
`;
