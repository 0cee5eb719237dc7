/** Addresses that are told of what happens in an organization, and what each was told. */
export const webhooks = `
CREATE TABLE webhooks (
  organization_id text NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id text NOT NULL,
  url text NOT NULL CONSTRAINT webhooks_url_check
    CHECK (url LIKE 'https://%' AND char_length(url) <= 500),
  events text[] NOT NULL,
  secret_encrypted bytea NOT NULL,
  is_active boolean NOT NULL DEFAULT true,
  failing_since timestamptz,
  busy_until timestamptz NOT NULL DEFAULT fettle_now(),
  created_by text NOT NULL CONSTRAINT webhooks_created_by_fkey REFERENCES users,
  created_at timestamptz NOT NULL DEFAULT fettle_now(),
  PRIMARY KEY (organization_id, id)
);

-- The id is that of what happened, which each address is told of once.
CREATE TABLE webhook_deliveries (
  organization_id text NOT NULL,
  webhook_id text NOT NULL,
  id text NOT NULL,
  type text NOT NULL,
  data jsonb NOT NULL,
  state text NOT NULL DEFAULT 'queued' CONSTRAINT webhook_deliveries_state_check
    CHECK (state IN ('queued', 'delivered', 'failed')),
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz NOT NULL DEFAULT fettle_now(),
  last_result text,
  created_at timestamptz NOT NULL DEFAULT fettle_now(),
  finished_at timestamptz,
  PRIMARY KEY (organization_id, webhook_id, id),
  CONSTRAINT webhook_deliveries_webhook_id_fkey FOREIGN KEY (organization_id, webhook_id)
    REFERENCES webhooks ON DELETE CASCADE,
  CONSTRAINT webhook_deliveries_finished_check CHECK ((state = 'queued') = (finished_at IS NULL))
);
CREATE INDEX webhook_deliveries_due_idx ON webhook_deliveries
  (organization_id, webhook_id, next_attempt_at) WHERE state = 'queued';
CREATE INDEX webhook_deliveries_finished_idx ON webhook_deliveries (finished_at);
CREATE INDEX webhook_deliveries_created_at_idx ON webhook_deliveries
  (organization_id, webhook_id, created_at);
`;
