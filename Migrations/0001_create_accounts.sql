-- People, and the flows in which they make an account, sign in or ask for a new password.
-- Ids are UUIDv7 texts; times that people read are UTC ISO-8601 texts by the time of day, times that the program compares
-- are milliseconds by the queue's clock, which nobody can set. Whatever expires has its age counted by that clock.

CREATE TABLE users (
    id            TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 36),
    remote_id     TEXT,                        -- the network's name for this person
    email         TEXT,
    email_key     TEXT,                        -- what addresses are compared by
    user_name     TEXT,
    user_name_key TEXT,                        -- what user names are compared by
    first_name    TEXT,
    last_name     TEXT,
    status        TEXT NOT NULL CHECK (status IN ('pending', 'active')),
    created_at    TEXT NOT NULL,
    updated_at    TEXT NOT NULL
) STRICT;
-- Taken or free is the network's verdict: the keys are indexed, not unique.
CREATE INDEX users_by_email ON users (email_key);
CREATE INDEX users_by_user_name ON users (user_name_key);
CREATE UNIQUE INDEX users_by_remote_id ON users (remote_id) WHERE remote_id IS NOT NULL;

CREATE TABLE flows (
    id            TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 36),
    kind          TEXT NOT NULL CHECK (kind IN ('register', 'login', 'reset')),
    path          TEXT NOT NULL,               -- the coordinator that runs it
    status        TEXT NOT NULL CHECK (status IN ('open', 'submitted', 'finished', 'cancelled', 'expired')),
    fingerprint   TEXT NOT NULL,               -- the steps of the last save: 'email@1 userName@1 …'
    step          TEXT,                        -- the first step without a usable answer
    revision      INTEGER NOT NULL CHECK (revision > 0),
    user_id       TEXT REFERENCES users (id) ON DELETE SET NULL,
    endpoint      TEXT NOT NULL,               -- the network that it is made for
    submission_id TEXT NOT NULL UNIQUE,        -- the submission that finishing makes: the idempotency key
    created_at    TEXT NOT NULL,
    updated_at    TEXT NOT NULL,
    expires_at    INTEGER,
    counted_from  INTEGER NOT NULL DEFAULT 0   -- when it was last changed, by the queue's clock
) STRICT;
CREATE INDEX flows_unfinished ON flows (counted_from) WHERE status IN ('open', 'submitted');
CREATE INDEX flows_by_user ON flows (user_id) WHERE user_id IS NOT NULL;

CREATE TABLE flow_steps (
    flow_id     TEXT NOT NULL REFERENCES flows (id) ON DELETE CASCADE,
    step        TEXT NOT NULL,
    version     INTEGER NOT NULL,
    kept        TEXT NOT NULL CHECK (kept IN ('clear', 'sealed', 'volatile', 'aside')),
    value       TEXT,
    error       TEXT,                          -- the message with which the network refused it
    seq         INTEGER NOT NULL,              -- the order of answering
    answered_at TEXT NOT NULL,
    counted_from INTEGER NOT NULL DEFAULT 0,   -- when it was given, by the queue's clock
    PRIMARY KEY (flow_id, step),
    CHECK (kept NOT IN ('sealed', 'volatile') OR value IS NULL)
) STRICT, WITHOUT ROWID;

-- Sealed under the device's key, which is in another folder: nothing in this file can open a box.
CREATE TABLE secrets (
    flow_id    TEXT NOT NULL REFERENCES flows (id) ON DELETE CASCADE,
    step       TEXT NOT NULL,
    version    INTEGER NOT NULL,               -- raised by every new box, and bound into it
    key_id     TEXT NOT NULL,
    box        BLOB NOT NULL,
    created_at TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
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

-- What happened to which flow, submission and person, and why. Rows are only ever added.
CREATE TABLE events (
    seq           INTEGER PRIMARY KEY,
    at            TEXT NOT NULL,
    what          TEXT NOT NULL,
    flow_id       TEXT,
    submission_id TEXT,
    user_id       TEXT,
    detail        TEXT,
    counted_from  INTEGER NOT NULL DEFAULT 0   -- when it happened, by the queue's clock, within a minute
) STRICT;
CREATE INDEX events_by_flow ON events (flow_id) WHERE flow_id IS NOT NULL;

-- One row, made when the first secret is sealed.
CREATE TABLE store (
    one        INTEGER PRIMARY KEY CHECK (one = 1),
    id         TEXT NOT NULL,                  -- bound into every box
    key_id     TEXT NOT NULL,                  -- the key that new boxes are made with
    key_check  BLOB NOT NULL,                  -- a box with a known text: tells a wrong key from a changed box
    created_at TEXT NOT NULL
) STRICT;
