-- The outbox: finished flows on their way to the network.

CREATE TABLE submissions (
    seq           INTEGER PRIMARY KEY,         -- the order of committing
    id            TEXT NOT NULL UNIQUE CHECK (length(id) = 36),  -- the idempotency key
    flow_id       TEXT REFERENCES flows (id) ON DELETE SET NULL,
    user_id       TEXT REFERENCES users (id) ON DELETE SET NULL,
    kind          TEXT NOT NULL CHECK (kind IN ('register', 'login', 'reset')),
    endpoint      TEXT NOT NULL,               -- the network that it is made for, and is sent to
    lane          TEXT NOT NULL,               -- the account; order is kept inside a lane of an endpoint
    state         TEXT NOT NULL DEFAULT 'ready' CHECK (
        state IN ('ready', 'sending', 'parked', 'accepted', 'rejected', 'cancelled', 'expired')),
    reason        TEXT,                        -- why it is parked, rejected, cancelled or expired
    due_at        INTEGER NOT NULL,
    expires_at    INTEGER,
    claims        INTEGER NOT NULL DEFAULT 0,  -- how often it was claimed
    failures       INTEGER NOT NULL DEFAULT 0,  -- failures that speak against this row
    worker_deaths       INTEGER NOT NULL DEFAULT 0,  -- workers that died while they held it
    fence         INTEGER NOT NULL DEFAULT 0,  -- raised by every claim: older plans are discarded
    maybe_sent    INTEGER NOT NULL DEFAULT 0 CHECK (maybe_sent IN (0, 1)),  -- the network may have acted
    lease_worker  TEXT,
    lease_until   INTEGER,
    body          TEXT NOT NULL,               -- the JSON body without its secrets
    http_status   INTEGER,
    last_error    TEXT,
    created_at    TEXT NOT NULL,
    settled_at    TEXT,
    CHECK ((state = 'sending') = (lease_worker IS NOT NULL)),
    CHECK ((lease_worker IS NULL) = (lease_until IS NULL)),
    CHECK ((state IN ('accepted', 'rejected', 'cancelled', 'expired')) = (settled_at IS NOT NULL))
) STRICT;
CREATE INDEX submissions_ready ON submissions (endpoint, due_at, seq) WHERE state = 'ready';
CREATE INDEX submissions_live_lane ON submissions (endpoint, lane, seq) WHERE state IN ('ready', 'sending', 'parked');
CREATE UNIQUE INDEX submissions_one_in_flight ON submissions (endpoint, lane) WHERE state = 'sending';
CREATE INDEX submissions_lease ON submissions (lease_until) WHERE state = 'sending';
CREATE INDEX submissions_by_flow ON submissions (flow_id) WHERE flow_id IS NOT NULL;
CREATE INDEX submissions_by_user ON submissions (user_id) WHERE user_id IS NOT NULL;

CREATE TRIGGER submissions_verdict_is_final BEFORE UPDATE OF state ON submissions
WHEN old.state IN ('accepted', 'rejected', 'cancelled', 'expired') AND new.state <> old.state
BEGIN
    SELECT RAISE(ABORT, 'submissions: a verdict is final');
END;

CREATE TRIGGER submissions_stay_while_they_are_sent BEFORE UPDATE OF endpoint ON submissions
WHEN new.endpoint IS NOT old.endpoint AND old.state NOT IN ('ready', 'parked')
BEGIN
    SELECT RAISE(ABORT, 'submissions: only what waits can be moved to another endpoint');
END;

CREATE TRIGGER submissions_payload_is_frozen BEFORE UPDATE OF id, kind, lane, body ON submissions
WHEN old.claims > 0
    AND (new.id IS NOT old.id OR new.kind IS NOT old.kind OR new.lane IS NOT old.lane OR new.body IS NOT old.body)
BEGIN
    SELECT RAISE(ABORT, 'submissions: what may have been sent cannot be changed');
END;

-- One row per sending.
CREATE TABLE submission_attempts (
    submission_id TEXT NOT NULL REFERENCES submissions (id) ON DELETE CASCADE,
    fence         INTEGER NOT NULL,
    worker        TEXT NOT NULL,
    started_at    TEXT NOT NULL,
    ended_at      TEXT,
    outcome       TEXT CHECK (outcome IN ('accepted', 'rejected', 'unsent', 'retry', 'parked', 'worker died', 'lapsed')),
    http_status   INTEGER,
    error         TEXT,
    PRIMARY KEY (submission_id, fence)
) STRICT, WITHOUT ROWID;
