/** Mails about work: which of them each person wants, and of what each was told. */
export const notifications = `
CREATE TABLE notification_choices (
  organization_id text NOT NULL,
  user_id text NOT NULL,
  assigned boolean,
  due_tomorrow boolean,
  overdue boolean,
  report_answered boolean,
  weekly_digest boolean,
  PRIMARY KEY (organization_id, user_id),
  CONSTRAINT notification_choices_user_id_fkey FOREIGN KEY (organization_id, user_id)
    REFERENCES organization_members ON DELETE CASCADE
);

-- The key says of what a person is told once, whichever node is first.
CREATE TABLE notifications (
  organization_id text NOT NULL,
  user_id text NOT NULL,
  kind text NOT NULL CONSTRAINT notifications_kind_check
    CHECK (kind IN ('assigned', 'reminder', 'report_answered', 'weekly_digest')),
  subject text NOT NULL,
  actor_user_id text,
  created_at timestamptz NOT NULL DEFAULT fettle_now(),
  queued_at timestamptz,
  PRIMARY KEY (organization_id, user_id, kind, subject),
  CONSTRAINT notifications_user_id_fkey FOREIGN KEY (organization_id, user_id)
    REFERENCES organization_members ON DELETE CASCADE
);
CREATE INDEX notifications_waiting_idx ON notifications (created_at) WHERE queued_at IS NULL;

ALTER TABLE organizations ADD COLUMN reminded_on date;

ALTER TABLE mail_outbox DROP CONSTRAINT mail_outbox_kind_check,
  ADD CONSTRAINT mail_outbox_kind_check CHECK
    (kind IN ('invitation', 'password_reset', 'sign_up', 'account_exists', 'connection_ended',
      'second_factor_changed', 'only_way_ended', 'second_factor_guessed', 'report_closed',
      'assigned', 'reminder', 'report_answered', 'weekly_digest'));
`;
