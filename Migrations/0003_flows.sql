-- The flows in which people make an account, sign in or ask for a new password, with their answers and their screens.

CREATE TABLE flows (
    id            TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 36),
    kind          TEXT NOT NULL CHECK (length(kind) > 0 AND kind NOT GLOB '*[^A-Za-z0-9._-]*'),
    path          TEXT NOT NULL,               -- the coordinator that runs it
    status        TEXT NOT NULL CHECK (
        status = 'open' OR status = 'submitted' OR status = 'finished' OR status = 'cancelled' OR status = 'expired'),
    fingerprint   TEXT NOT NULL,               -- the steps of the last save: 'email@1 userName@1 …'
    step          TEXT,                        -- the first step without a usable answer
    refused       TEXT,                        -- a refusal that waits for the person: 'email: email.taken'
    revision      INTEGER NOT NULL CHECK (revision > 0),
    user_id       TEXT REFERENCES users (id) ON DELETE SET NULL,
    endpoint      TEXT NOT NULL,               -- the network that it is made for
    submission_id TEXT NOT NULL,               -- the submission that finishing makes: the idempotency key
    created_at    TEXT NOT NULL,
    updated_at    TEXT NOT NULL,
    expires_at    INTEGER,                     -- by the queue's clock
    counted_from  INTEGER NOT NULL             -- when it was last changed, by the queue's clock
) STRICT;
CREATE INDEX flows_unfinished ON flows (counted_from) WHERE status = 'open' OR status = 'submitted';
CREATE INDEX flows_open_by_expiry ON flows (expires_at) WHERE status = 'open';
CREATE INDEX flows_ended ON flows (counted_from) WHERE status = 'finished' OR status = 'cancelled';
CREATE INDEX flows_expired ON flows (id) WHERE status = 'expired';
CREATE INDEX flows_by_user ON flows (user_id) WHERE user_id IS NOT NULL;

CREATE TABLE flow_steps (
    flow_id      TEXT NOT NULL REFERENCES flows (id) ON DELETE CASCADE,
    step         TEXT NOT NULL,
    version      INTEGER NOT NULL,
    kept         TEXT NOT NULL CHECK (kept = 'clear' OR kept = 'sealed' OR kept = 'volatile' OR kept = 'aside'),
    value        TEXT,
    error        TEXT,                         -- the message with which the network refused it
    seq          INTEGER NOT NULL,             -- the order of answering
    answered_at  TEXT NOT NULL,
    counted_from INTEGER NOT NULL,             -- when it was given, by the queue's clock
    PRIMARY KEY (flow_id, step),
    CHECK (kept = 'clear' OR kept = 'aside' OR value IS NULL)
) STRICT, WITHOUT ROWID;

-- A text that stood in the field of a step, unconfirmed, when the person went elsewhere; never a secret.
CREATE TABLE unsent_texts (
    flow_id TEXT NOT NULL REFERENCES flows (id) ON DELETE CASCADE,
    step    TEXT NOT NULL,
    text    TEXT NOT NULL,
    PRIMARY KEY (flow_id, step)
) STRICT, WITHOUT ROWID;

-- Sealed answers. The verifier is made with the password, and counts from the network's acceptance on.
CREATE TABLE secrets (
    flow_id    TEXT NOT NULL REFERENCES flows (id) ON DELETE CASCADE,
    step       TEXT NOT NULL,
    version    INTEGER NOT NULL,               -- raised by every new box, and bound into it
    key_id     TEXT NOT NULL,
    box        TEXT NOT NULL,
    verifier   TEXT,
    expires_at INTEGER NOT NULL,               -- by the queue's clock
    lifetime   INTEGER NOT NULL CHECK (lifetime >= 0),  -- for how long it can be used while its flow is open, in milliseconds
    PRIMARY KEY (flow_id, step)
) STRICT, WITHOUT ROWID;

-- The saved coordinator trees: the whole program's under the host 'app', a single command's under its flow's id.
CREATE TABLE coordinators (
    host     TEXT NOT NULL,
    path     TEXT NOT NULL,
    slot     TEXT NOT NULL,
    position INTEGER NOT NULL,
    config   TEXT NOT NULL,
    state    TEXT NOT NULL,
    PRIMARY KEY (host, path)
) STRICT, WITHOUT ROWID;
