-- What stood in the field of a step, and was not confirmed, when somebody went elsewhere; never a secret.
CREATE TABLE unsent_texts (
    flow_id TEXT NOT NULL REFERENCES flows (id) ON DELETE CASCADE,
    step    TEXT NOT NULL,
    text    TEXT NOT NULL,
    PRIMARY KEY (flow_id, step)
) STRICT, WITHOUT ROWID;

-- Flows that were left alone are found without looking at the others.
CREATE INDEX flows_open_by_expiry ON flows (expires_at) WHERE status = 'open';
