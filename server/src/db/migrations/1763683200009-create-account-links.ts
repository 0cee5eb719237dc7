import type { MigrationInterface, QueryRunner } from "typeorm";

/** Links that give an account a new password or make one, and mails to one person alone. */
export class CreateAccountLinks1763683200009 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(tables);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
DROP TABLE sign_ups, password_resets;
DELETE FROM mail_outbox WHERE kind <> 'invitation';
DROP INDEX mail_outbox_recipient_idx;
ALTER TABLE mail_outbox DROP COLUMN expires_at, DROP CONSTRAINT mail_outbox_kind_check;
ALTER TABLE mail_outbox ADD CONSTRAINT mail_outbox_kind_check CHECK (kind IN ('invitation'));
`);
  }
}

const tables = `
CREATE TABLE password_resets (
  token_hash bytea CONSTRAINT password_resets_pkey PRIMARY KEY,
  user_id text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT fettle_now(),
  expires_at timestamptz NOT NULL,
  -- Used, or replaced by a newer link.
  ended_at timestamptz,
  CONSTRAINT password_resets_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX password_resets_user_id_idx ON password_resets (user_id);
CREATE INDEX password_resets_expires_at_idx ON password_resets (expires_at);

CREATE TABLE sign_ups (
  token_hash bytea CONSTRAINT sign_ups_pkey PRIMARY KEY,
  email citext NOT NULL,
  name text NOT NULL,
  organization_name text NOT NULL,
  password_hash text,
  created_at timestamptz NOT NULL DEFAULT fettle_now(),
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  CONSTRAINT sign_ups_email_check CHECK (char_length(email::text) <= 254),
  CONSTRAINT sign_ups_name_check CHECK (char_length(name) BETWEEN 1 AND 120),
  CONSTRAINT sign_ups_organization_name_check CHECK (char_length(organization_name) BETWEEN 1 AND 120),
  -- The password belongs to the account from then on.
  CONSTRAINT sign_ups_used_check CHECK ((used_at IS NULL) = (password_hash IS NOT NULL))
);
CREATE INDEX sign_ups_expires_at_idx ON sign_ups (expires_at);

ALTER TABLE mail_outbox ADD COLUMN expires_at timestamptz, DROP CONSTRAINT mail_outbox_kind_check;
ALTER TABLE mail_outbox ADD CONSTRAINT mail_outbox_kind_check CHECK
  (kind IN ('invitation', 'password_reset', 'sign_up', 'account_exists', 'connection_ended'));
CREATE INDEX mail_outbox_recipient_idx ON mail_outbox (recipient, created_at)
  WHERE invite_id IS NULL;
`;
