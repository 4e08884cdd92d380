-- People, and signing in without the network.

CREATE TABLE users (
    id            TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 36),
    remote_id     TEXT,                        -- the network's name for this person
    email         TEXT,
    email_key     TEXT,                        -- what addresses are compared by
    user_name     TEXT,
    user_name_key TEXT,                        -- what user names are compared by
    first_name    TEXT,
    last_name     TEXT,
    status        TEXT NOT NULL CHECK (status = 'pending' OR status = 'active'),
    created_at    TEXT NOT NULL,
    updated_at    TEXT NOT NULL
) STRICT;
-- Taken or free is the network's verdict: the keys are indexed, not unique.
CREATE INDEX users_by_email ON users (email_key);
CREATE INDEX users_by_user_name ON users (user_name_key);
CREATE UNIQUE INDEX users_by_remote_id ON users (remote_id) WHERE remote_id IS NOT NULL;

-- A verifier is a password's Argon2id text, sealed under the device's key: nothing in this file can be tried against a
-- password. Only where the app allows signing in offline.
CREATE TABLE verifiers (
    user_id    TEXT NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    key_id     TEXT NOT NULL,
    box        TEXT NOT NULL,
    expires_at INTEGER NOT NULL                -- by the queue's clock
) STRICT, WITHOUT ROWID;

-- Tries since the last right one; each is written before its password is hashed.
CREATE TABLE offline_attempts (
    account      TEXT NOT NULL PRIMARY KEY,    -- the person's id, else a keyed hash of a name that nobody here has
    user_id      TEXT REFERENCES users (id) ON DELETE CASCADE,
    count        INTEGER NOT NULL,
    locked_until INTEGER NOT NULL              -- by the queue's clock
) STRICT, WITHOUT ROWID;
