-- For people at the sqlite3 shell, and for `foyer outbox`, which says the same.

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
    waiting.claims, waiting.failures, waiting.created_at
FROM submissions AS waiting
    CROSS JOIN (SELECT CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) AS now) AS clock
WHERE waiting.state IN ('ready', 'sending', 'parked')
ORDER BY waiting.seq;
