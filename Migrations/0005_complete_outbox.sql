-- The outbox, complete: circuit breakers of endpoints, workers, a clock that nobody can set, and what it takes to give up what
-- may have been sent.

-- One row: the queue's clock counts on from here, however the time of day is set. Everything that expires lives by it.
CREATE TABLE queue_clock (
    one          INTEGER PRIMARY KEY CHECK (one = 1),
    boot_id      TEXT NOT NULL,                -- the run of the machine that the anchors belong to
    wall_anchor  INTEGER NOT NULL,             -- the queue's time, in milliseconds since 1970, …
    boot_anchor  INTEGER NOT NULL,             -- … when the machine had been running for so many milliseconds
    high_water   INTEGER NOT NULL,             -- a queue's time that was reached for certain, …
    high_wall    INTEGER NOT NULL,             -- … and the time of day then
    uncounted    INTEGER NOT NULL DEFAULT 0 CHECK (uncounted >= 0),  -- by how much the time of day jumped between two runs
                                               -- of the machine, in milliseconds, while nobody knows whether that is true
    uncounted_since INTEGER NOT NULL DEFAULT 0 -- when the first such jump was found, by the queue's clock
) STRICT;

-- Whoever delivers, or did and has died since. The proof of life is a locked file beside the database.
CREATE TABLE workers (
    id         TEXT NOT NULL PRIMARY KEY,
    pid        INTEGER NOT NULL,
    started_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The networks that flows were begun for, the first one first, each with its breaker: no failures, no breaker.
CREATE TABLE endpoints (
    seq          INTEGER PRIMARY KEY,
    name         TEXT NOT NULL UNIQUE,
    failures     INTEGER NOT NULL DEFAULT 0 CHECK (failures >= 0),
    open_until INTEGER,                      -- by the queue's clock; NULL while it is open
    not_before   INTEGER,                      -- until when the endpoint itself wants to be left alone
    reason       TEXT,
    prober       TEXT,                         -- the one worker that tries
    changed_at   TEXT NOT NULL,
    CHECK ((open_until IS NULL) = (reason IS NULL)),
    CHECK (prober IS NULL OR open_until IS NOT NULL)
) STRICT;

-- begun: the holder is about to send, or has sent. cancel_wanted: the network is asked to refuse it.
-- forget_after: when the row may go, by the queue's clock; no network takes its key any more then.
ALTER TABLE submissions ADD COLUMN begun INTEGER NOT NULL DEFAULT 0 CHECK (begun = 0 OR begun = 1 AND state = 'sending');
ALTER TABLE submissions ADD COLUMN cancel_wanted INTEGER NOT NULL DEFAULT 0 CHECK (cancel_wanted IN (0, 1));
ALTER TABLE submissions ADD COLUMN forget_after INTEGER CHECK (forget_after IS NULL OR settled_at IS NOT NULL);
UPDATE submissions SET begun = 1 WHERE state = 'sending';
UPDATE submissions SET forget_after = CAST((julianday(settled_at) - 2440557.5) * 86400000 AS INTEGER)
WHERE settled_at IS NOT NULL;
CREATE INDEX submissions_expiring ON submissions (expires_at) WHERE state IN ('ready', 'parked');
CREATE INDEX submissions_forgettable ON submissions (forget_after) WHERE forget_after IS NOT NULL;

CREATE TRIGGER submissions_are_born_ready BEFORE INSERT ON submissions
WHEN new.state <> 'ready' OR new.fence <> 0 OR new.claims <> 0 OR new.maybe_sent <> 0
BEGIN
    SELECT RAISE(ABORT, 'submissions: a new one is ready and was never sent');
END;

DROP TRIGGER submissions_payload_is_frozen;
CREATE TRIGGER submissions_payload_is_frozen BEFORE UPDATE OF id, kind, lane, body ON submissions
WHEN (old.begun = 1 OR old.maybe_sent = 1)
    -- Another key is another claim's: what is known of the old one says nothing of it.
    AND (new.id IS NOT old.id AND new.fence <= old.fence OR new.kind IS NOT old.kind OR new.lane IS NOT old.lane OR new.body IS NOT old.body)
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

-- One row per sending; what was asked of the network stands in it, too.
CREATE TABLE attempts (
    submission_id TEXT NOT NULL REFERENCES submissions (id) ON DELETE CASCADE ON UPDATE CASCADE,
    fence         INTEGER NOT NULL,
    worker        TEXT NOT NULL,
    task          TEXT NOT NULL CHECK (task IN ('submit', 'cancel', 'ask outcome')),
    started_at    TEXT NOT NULL,
    ended_at      TEXT,
    outcome       TEXT CHECK (outcome IN (
        'accepted', 'rejected', 'cancelled', 'expired', 'unsent', 'retry', 'parked', 'worker died', 'lapsed')),
    http_status   INTEGER,
    error         TEXT,
    PRIMARY KEY (submission_id, fence)
) STRICT, WITHOUT ROWID;
INSERT INTO attempts
SELECT submission_id, fence, worker, 'submit', started_at, ended_at, outcome, http_status, error
FROM submission_attempts;
DROP TABLE submission_attempts;
ALTER TABLE attempts RENAME TO submission_attempts;

-- Who is half-way through a registration, and at which of its steps.
CREATE VIEW registrations_in_progress AS
SELECT
    flows.id AS flow_id,
    (SELECT value FROM flow_steps WHERE flow_id = flows.id AND step = 'email' AND kept = 'clear') AS email,
    flows.step,
    CASE
        WHEN flows.step IS NULL THEN 'all answered'
        -- The fingerprint lists the steps in order, parted by spaces: count those before this one, and all.
        ELSE 'step ' || (
            length(substr(fingerprint, 1, instr(' ' || fingerprint, ' ' || flows.step || '@') - 1))
            - length(replace(substr(fingerprint, 1, instr(' ' || fingerprint, ' ' || flows.step || '@') - 1), ' ', ''))
            + 1
        ) || ' of ' || (length(fingerprint) - length(replace(fingerprint, ' ', '')) + 1)
    END AS progress,
    flows.updated_at AS last_activity,
    strftime('%Y-%m-%dT%H:%M:%fZ',
        (flows.expires_at + coalesce((SELECT high_wall - high_water FROM queue_clock), 0)) / 1000.0, 'unixepoch'
    ) AS expires_at
FROM flows
WHERE flows.kind = 'register' AND flows.status = 'open'
ORDER BY flows.counted_from DESC;

-- Every submission without a verdict, and why it waits.
DROP VIEW submissions_waiting;
CREATE VIEW submissions_waiting AS
SELECT
    waiting.seq, waiting.id, waiting.flow_id, waiting.kind, waiting.endpoint, waiting.lane,
    waiting.state,
    CASE
        WHEN waiting.state = 'parked' THEN 'parked: ' || coalesce(waiting.reason, 'needs help')
        WHEN waiting.state = 'sending' THEN
            'leased by ' || waiting.lease_worker || ' for ' || max(0, (waiting.lease_until - clock.now + 999) / 1000) || ' s'
        WHEN EXISTS (
            SELECT 1 FROM submissions AS earlier
            WHERE earlier.endpoint = waiting.endpoint AND earlier.lane = waiting.lane AND earlier.seq < waiting.seq
                AND earlier.state IN ('ready', 'sending', 'parked')
        ) THEN 'behind ' || (
            SELECT earlier.id FROM submissions AS earlier
            WHERE earlier.endpoint = waiting.endpoint AND earlier.lane = waiting.lane AND earlier.seq < waiting.seq
                AND earlier.state IN ('ready', 'sending', 'parked')
            ORDER BY earlier.seq DESC LIMIT 1
        )
        WHEN waiting.due_at > clock.now THEN
            'due in ' || ((waiting.due_at - clock.now + 999) / 1000) || ' s'
            || coalesce(': ' || waiting.last_error, '')
        WHEN breaker.open_until > clock.now THEN
            'endpoint unreachable, next try in ' || ((breaker.open_until - clock.now + 999) / 1000) || ' s: '
            || breaker.reason
        ELSE 'due now' || coalesce(': ' || waiting.last_error, '')
    END
    || CASE WHEN waiting.cancel_wanted = 1 THEN ' (to be taken back)' ELSE '' END AS why,
    waiting.claims, waiting.failures, waiting.created_at
FROM submissions AS waiting
    -- The queue's clock, as well as it can be told from the time of day.
    CROSS JOIN (
        SELECT coalesce((SELECT high_water + max(0, today.wall - high_wall) FROM queue_clock), today.wall) AS now
        FROM (SELECT CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) AS wall) AS today
    ) AS clock
    LEFT JOIN endpoints AS breaker ON breaker.name = waiting.endpoint
WHERE waiting.state IN ('ready', 'sending', 'parked')
ORDER BY waiting.seq;
