/** Problems that people report, and organizations where whoever stands at a label may do so. */
export const problemReports = `
ALTER TABLE organizations ADD COLUMN public_reports boolean NOT NULL DEFAULT false;

-- Who is nobody's member comes with the code of a label alone.
CREATE INDEX assets_qr_token_idx ON assets (qr_token);

CREATE TABLE problem_reports (
  organization_id text NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id text NOT NULL,
  asset_id text NOT NULL,
  request_key text NOT NULL,
  description text NOT NULL
    CONSTRAINT problem_reports_description_check CHECK (char_length(description) BETWEEN 1 AND 2000),
  still_usable boolean NOT NULL,
  state_before text,
  reported_by text CONSTRAINT problem_reports_reported_by_fkey REFERENCES users,
  name text,
  email citext,
  status text NOT NULL DEFAULT 'open' CONSTRAINT problem_reports_status_check
    CHECK (status IN ('open', 'accepted', 'merged', 'answered', 'refused')),
  task_id text,
  merged_into text,
  answer text,
  closed_by text CONSTRAINT problem_reports_closed_by_fkey REFERENCES users,
  closed_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT fettle_now(),
  CONSTRAINT problem_reports_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT problem_reports_organization_id_request_key_key UNIQUE (organization_id, request_key),
  CONSTRAINT problem_reports_asset_id_fkey FOREIGN KEY (organization_id, asset_id)
    REFERENCES assets ON DELETE CASCADE,
  CONSTRAINT problem_reports_task_id_fkey FOREIGN KEY (organization_id, task_id)
    REFERENCES maintenance_tasks ON DELETE CASCADE,
  CONSTRAINT problem_reports_merged_into_fkey FOREIGN KEY (organization_id, merged_into)
    REFERENCES problem_reports ON DELETE CASCADE,
  CONSTRAINT problem_reports_closed_check CHECK ((status = 'open') = (closed_at IS NULL))
);
CREATE INDEX problem_reports_asset_id_idx ON problem_reports (organization_id, asset_id);
CREATE INDEX problem_reports_task_id_idx ON problem_reports (organization_id, task_id);
CREATE INDEX problem_reports_merged_into_idx ON problem_reports (organization_id, merged_into);
CREATE INDEX problem_reports_reported_by_idx ON problem_reports (organization_id, reported_by, created_at);
CREATE INDEX problem_reports_open_idx ON problem_reports (organization_id, created_at)
  WHERE status = 'open';

ALTER TABLE files ADD COLUMN report_id text,
  ADD CONSTRAINT files_report_id_fkey FOREIGN KEY (organization_id, report_id)
    REFERENCES problem_reports ON DELETE CASCADE;
CREATE INDEX files_report_id_idx ON files (organization_id, report_id);

ALTER TABLE mail_outbox DROP CONSTRAINT mail_outbox_kind_check,
  ADD CONSTRAINT mail_outbox_kind_check CHECK
    (kind IN ('invitation', 'password_reset', 'sign_up', 'account_exists', 'connection_ended',
      'second_factor_changed', 'only_way_ended', 'second_factor_guessed', 'report_closed'));
`;
