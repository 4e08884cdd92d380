-- Signing in without the network, where the app allows it. A verifier is a password's Argon2id text, sealed under the
-- device's key: nothing in this file can be tried against a password.

-- Made when the password is typed; counts from the network's acceptance on, and goes with the secret otherwise.
ALTER TABLE secrets ADD COLUMN verifier BLOB;

CREATE TABLE verifiers (
    user_id    TEXT NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    key_id     TEXT NOT NULL,
    box        BLOB NOT NULL,
    expires_at INTEGER NOT NULL                -- by the queue's clock
) STRICT, WITHOUT ROWID;

-- Tries since the last right one; each is written before its password is hashed.
CREATE TABLE offline_attempts (
    account      TEXT NOT NULL PRIMARY KEY,    -- the person's id, else a keyed hash of a name that nobody here has
    user_id      TEXT REFERENCES users (id) ON DELETE CASCADE,
    count        INTEGER NOT NULL,
    locked_until INTEGER NOT NULL              -- by the queue's clock
) STRICT, WITHOUT ROWID;
