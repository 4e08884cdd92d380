-- For people at the sqlite3 shell, and for `foyer outbox`, which says the same.

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
    flows.expires_at
FROM flows
WHERE flows.kind = 'setup' AND flows.status = 'open'
ORDER BY flows.updated_at DESC;

-- Every submission without a verdict, and why it waits.
CREATE VIEW submissions_waiting AS
SELECT
    waiting.seq, waiting.id, waiting.flow_id, waiting.kind, waiting.lane, waiting.state,
    CASE
        WHEN waiting.state = 'parked' THEN 'parked: ' || coalesce(waiting.reason, 'needs help')
        WHEN waiting.state = 'sending' THEN
            'leased by ' || waiting.lease_worker || ' for ' || max(0, (waiting.lease_until - clock.now + 999) / 1000) || ' s'
        WHEN EXISTS (
            SELECT 1 FROM submissions AS earlier
            WHERE earlier.lane = waiting.lane AND earlier.seq < waiting.seq
                AND earlier.state IN ('ready', 'sending', 'parked')
        ) THEN 'behind ' || (
            SELECT earlier.id FROM submissions AS earlier
            WHERE earlier.lane = waiting.lane AND earlier.seq < waiting.seq
                AND earlier.state IN ('ready', 'sending', 'parked')
            ORDER BY earlier.seq DESC LIMIT 1
        )
        WHEN waiting.due_at > clock.now THEN
            'due in ' || ((waiting.due_at - clock.now + 999) / 1000) || ' s'
            || coalesce(': ' || waiting.last_error, '')
        ELSE 'due now' || coalesce(': ' || waiting.last_error, '')
    END AS why,
    waiting.claims, waiting.strikes, waiting.created_at
FROM submissions AS waiting
    CROSS JOIN (SELECT CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) AS now) AS clock
WHERE waiting.state IN ('ready', 'sending', 'parked')
ORDER BY waiting.seq;
