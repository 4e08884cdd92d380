-- The outbox: finished flows on their way to the network.

CREATE TABLE submissions (
    seq           INTEGER PRIMARY KEY,         -- the order of committing
    id            TEXT NOT NULL UNIQUE CHECK (length(id) = 36),  -- the idempotency key
    flow_id       TEXT REFERENCES flows (id) ON DELETE SET NULL,
    user_id       TEXT REFERENCES users (id) ON DELETE SET NULL,
    kind          TEXT NOT NULL CHECK (length(kind) > 0 AND kind NOT GLOB '*[^A-Za-z0-9._-]*'),
    endpoint      TEXT NOT NULL,               -- the network that it is made for, and is sent to
    lane          TEXT NOT NULL,               -- the account; order is kept inside a lane of an endpoint
    state         TEXT NOT NULL DEFAULT 'ready' CHECK (
        state = 'ready' OR state = 'sending' OR state = 'parked'
        OR state = 'accepted' OR state = 'rejected' OR state = 'cancelled' OR state = 'expired'),
    reason        TEXT,                        -- why it is parked, rejected, cancelled or expired
    due_at        INTEGER NOT NULL,            -- by the queue's clock, like every time in milliseconds here
    expires_at    INTEGER,
    claims        INTEGER NOT NULL DEFAULT 0,  -- how often it was claimed
    failures      INTEGER NOT NULL DEFAULT 0,  -- failures that speak against this row
    worker_deaths INTEGER NOT NULL DEFAULT 0,  -- workers that died while they held it
    fence         INTEGER NOT NULL DEFAULT 0,  -- raised by every claim: older plans are discarded
    maybe_sent    INTEGER NOT NULL DEFAULT 0 CHECK (maybe_sent = 0 OR maybe_sent = 1),  -- the network may have acted
    cancel_wanted INTEGER NOT NULL DEFAULT 0 CHECK (cancel_wanted = 0 OR cancel_wanted = 1),  -- to be refused
    lease_worker  TEXT,
    lease_until   INTEGER,
    begun         INTEGER NOT NULL DEFAULT 0 CHECK (begun = 0 OR begun = 1 AND state = 'sending'),  -- the holder sends, or has
    body          TEXT NOT NULL,               -- the JSON body without its secrets
    signature     TEXT,                        -- a box over what was queued with a secret: an edited row is not sent
    http_status   INTEGER,
    last_error    TEXT,
    created_at    TEXT NOT NULL,
    settled_at    TEXT,
    forget_after  INTEGER CHECK (forget_after IS NULL OR settled_at IS NOT NULL),  -- no network takes its key any more then
    CHECK ((state = 'sending') = (lease_worker IS NOT NULL)),
    CHECK ((lease_worker IS NULL) = (lease_until IS NULL)),
    CHECK ((state = 'ready' OR state = 'sending' OR state = 'parked') = (settled_at IS NULL))
) STRICT;
-- A claim moves a row from one index to one other: the rest go by columns that it leaves alone.
CREATE INDEX submissions_ready ON submissions (endpoint, due_at, seq) WHERE state = 'ready';
CREATE UNIQUE INDEX submissions_one_in_flight ON submissions (endpoint, lane) WHERE lease_worker IS NOT NULL;
CREATE INDEX submissions_live_lane ON submissions (endpoint, lane, seq) WHERE settled_at IS NULL;
CREATE INDEX submissions_expiring ON submissions (expires_at) WHERE settled_at IS NULL;
CREATE INDEX submissions_forgettable ON submissions (forget_after) WHERE forget_after IS NOT NULL;
CREATE INDEX submissions_by_flow ON submissions (flow_id) WHERE flow_id IS NOT NULL;
CREATE INDEX submissions_by_user ON submissions (user_id) WHERE user_id IS NOT NULL;

CREATE TRIGGER submissions_are_born_ready BEFORE INSERT ON submissions
WHEN new.state <> 'ready' OR new.fence <> 0 OR new.claims <> 0 OR new.maybe_sent <> 0
BEGIN
    SELECT RAISE(ABORT, 'submissions: a new one is ready and was never sent');
END;

CREATE TRIGGER submissions_verdict_is_final BEFORE UPDATE OF state ON submissions
WHEN old.settled_at IS NOT NULL AND new.state <> old.state
BEGIN
    SELECT RAISE(ABORT, 'submissions: a verdict is final');
END;

CREATE TRIGGER submissions_stay_while_they_are_sent BEFORE UPDATE OF endpoint ON submissions
WHEN new.endpoint IS NOT old.endpoint AND (old.settled_at IS NOT NULL OR old.lease_worker IS NOT NULL)
BEGIN
    SELECT RAISE(ABORT, 'submissions: only what waits can be moved to another endpoint');
END;

CREATE TRIGGER submissions_payload_is_frozen BEFORE UPDATE OF id, kind, lane, body ON submissions
WHEN (old.begun = 1 OR old.maybe_sent = 1)
    -- Another key is another claim's: what is known of the old one says nothing of it.
    AND (new.id IS NOT old.id AND new.fence <= old.fence
        OR new.kind IS NOT old.kind OR new.lane IS NOT old.lane OR new.body IS NOT old.body)
BEGIN
    SELECT RAISE(ABORT, 'submissions: what may have been sent cannot be changed');
END;

CREATE TRIGGER submissions_fence_only_rises BEFORE UPDATE OF fence ON submissions
WHEN new.fence < old.fence
BEGIN
    SELECT RAISE(ABORT, 'submissions: a fence only rises');
END;

CREATE TRIGGER submissions_doubt_stays BEFORE UPDATE OF maybe_sent ON submissions
WHEN new.maybe_sent < old.maybe_sent
BEGIN
    SELECT RAISE(ABORT, 'submissions: what may have been sent cannot become unsent');
END;

-- One row per sending.
CREATE TABLE submission_attempts (
    submission_id TEXT NOT NULL REFERENCES submissions (id) ON DELETE CASCADE ON UPDATE CASCADE,
    fence         INTEGER NOT NULL,
    worker        TEXT NOT NULL,
    task          TEXT NOT NULL CHECK (task = 'submit' OR task = 'cancel' OR task = 'ask outcome'),
    started_at    TEXT NOT NULL,
    ended_at      TEXT,
    outcome       TEXT CHECK (
        outcome = 'accepted' OR outcome = 'rejected' OR outcome = 'cancelled' OR outcome = 'expired' OR outcome = 'unsent'
        OR outcome = 'retry' OR outcome = 'parked' OR outcome = 'worker died' OR outcome = 'lapsed'),
    http_status   INTEGER,
    error         TEXT,
    PRIMARY KEY (submission_id, fence)
) STRICT, WITHOUT ROWID;

-- The networks that flows were begun for, the first one first, each with its circuit breaker.
CREATE TABLE endpoints (
    seq        INTEGER PRIMARY KEY,
    name       TEXT NOT NULL UNIQUE,
    failures   INTEGER NOT NULL DEFAULT 0 CHECK (failures >= 0),
    open_until INTEGER,                        -- until when nothing is sent; NULL while the breaker is closed
    not_before INTEGER,                        -- until when the endpoint itself wants to be left alone
    reason     TEXT,                           -- why the breaker is open
    prober     TEXT,                           -- the one worker that tries
    changed_at TEXT NOT NULL,
    CHECK ((open_until IS NULL) = (reason IS NULL)),
    CHECK (prober IS NULL OR open_until IS NOT NULL),
    CHECK (not_before IS NULL OR open_until IS NOT NULL)
) STRICT;

-- Who delivers, or did and has died since. The proof of life is a locked file beside the database.
CREATE TABLE workers (
    id TEXT NOT NULL PRIMARY KEY               -- the process number, a hyphen and eight hexadecimal digits
) STRICT, WITHOUT ROWID;
