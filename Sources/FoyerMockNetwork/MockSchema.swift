import FoyerSQLite

/// The tables of the server's own file.
enum MockSchema {
    static let migrations = [
        Migration(
            version: 1, name: "create_accounts",
            sql: """
                CREATE TABLE accounts (
                    id            TEXT NOT NULL PRIMARY KEY,
                    email         TEXT NOT NULL,
                    email_key     TEXT NOT NULL UNIQUE,
                    user_name     TEXT NOT NULL,
                    user_name_key TEXT NOT NULL UNIQUE,
                    first_name    TEXT NOT NULL,
                    last_name     TEXT NOT NULL,
                    password_hash TEXT NOT NULL,
                    created_at    TEXT NOT NULL
                ) STRICT;
                -- What was answered to each idempotency key; a replay gets the same again.
                CREATE TABLE answers (
                    key         TEXT NOT NULL PRIMARY KEY,
                    fingerprint TEXT NOT NULL,
                    status      INTEGER NOT NULL,
                    body        TEXT NOT NULL,
                    created_at  TEXT NOT NULL
                ) STRICT;
                """),
        Migration(
            version: 2, name: "open_sealed_secrets",
            sql: """
                -- The server's own key pair, to which clients seal; nobody but the server reads this file.
                CREATE TABLE sealing_keys (
                    id         TEXT NOT NULL PRIMARY KEY,
                    public_key BLOB NOT NULL CHECK (length(public_key) = 32),
                    secret_key BLOB NOT NULL CHECK (length(secret_key) = 32),
                    created_at TEXT NOT NULL
                ) STRICT;
                -- The flow that a sealed secret was bound to; once one is accepted, its box opens nothing again.
                ALTER TABLE answers ADD COLUMN flow_id TEXT;
                CREATE INDEX accepted_flows ON answers (flow_id) WHERE status = 201 AND flow_id IS NOT NULL;
                """),
    ]
}
