-- For people at the sqlite3 shell. The program reads only why a submission waits.

-- Everybody who is half-way, the latest change first.
CREATE VIEW flows_in_progress AS
SELECT
    flows.id AS flow_id,
    flows.kind,
    coalesce(users.user_name, user_name.value) AS user_name,
    coalesce(users.email, email.value) AS email,
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
    -- 'email: email.taken' reads 'email: taken'.
    substr(refused, 1, instr(refused, ': ') + 1)
        || replace(substr(substr(refused, instr(refused, ': ') + 2),
            instr(substr(refused, instr(refused, ': ') + 2), '.') + 1), '_', ' ') AS refused,
    flows.status,
    flows.updated_at AS last_activity,
    strftime('%Y-%m-%dT%H:%M:%fZ', (flows.expires_at + clock.behind) / 1000.0, 'unixepoch') AS expires_at
FROM flows
    LEFT JOIN users ON users.id = flows.user_id
    LEFT JOIN flow_steps AS user_name
        ON user_name.flow_id = flows.id AND user_name.step = 'userName' AND user_name.kept = 'clear'
    LEFT JOIN flow_steps AS email ON email.flow_id = flows.id AND email.step = 'email' AND email.kept = 'clear'
    -- How far the queue's clock is behind the time of day.
    CROSS JOIN (SELECT coalesce((SELECT high_wall - high_water FROM queue_clock), 0) AS behind) AS clock
WHERE (flows.status = 'open' OR flows.status = 'submitted')
    AND (flows.status = 'submitted' OR flows.expires_at IS NULL
        OR flows.expires_at + clock.behind > CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER))
ORDER BY flows.counted_from DESC;

CREATE VIEW registrations_in_progress AS
SELECT flow_id, user_name, email, step, progress, refused, status, last_activity, expires_at
FROM flows_in_progress WHERE kind = 'register';

-- Every submission without a verdict: whose it is, and why it waits.
CREATE VIEW submissions_waiting AS
SELECT
    waiting.seq, waiting.id, waiting.flow_id, waiting.kind,
    coalesce(users.user_name, user_name.value) AS user_name,
    coalesce(users.email, email.value) AS email,
    waiting.endpoint, waiting.lane, waiting.state,
    CASE
        WHEN waiting.state = 'parked' THEN 'parked: ' || coalesce(waiting.reason, 'needs help')
        WHEN waiting.state = 'sending' THEN
            'leased by ' || waiting.lease_worker || ' for ' || max(0, (waiting.lease_until - clock.now + 999) / 1000) || ' s'
        WHEN EXISTS (
            SELECT 1 FROM submissions AS earlier
            WHERE earlier.endpoint = waiting.endpoint AND earlier.lane = waiting.lane AND earlier.seq < waiting.seq
                AND earlier.settled_at IS NULL
        ) THEN 'behind ' || (
            SELECT earlier.id FROM submissions AS earlier
            WHERE earlier.endpoint = waiting.endpoint AND earlier.lane = waiting.lane AND earlier.seq < waiting.seq
                AND earlier.settled_at IS NULL
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
    LEFT JOIN users ON users.id = waiting.user_id
    LEFT JOIN flow_steps AS user_name
        ON user_name.flow_id = waiting.flow_id AND user_name.step = 'userName' AND user_name.kept = 'clear'
    LEFT JOIN flow_steps AS email ON email.flow_id = waiting.flow_id AND email.step = 'email' AND email.kept = 'clear'
    LEFT JOIN endpoints AS breaker ON breaker.name = waiting.endpoint
    -- The queue's clock, as well as it can be told from the time of day.
    CROSS JOIN (
        SELECT coalesce((SELECT high_water + max(0, today.wall - high_wall) FROM queue_clock), today.wall) AS now
        FROM (SELECT CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) AS wall) AS today
    ) AS clock
WHERE waiting.settled_at IS NULL
ORDER BY waiting.seq;

-- The events with names instead of ids.
CREATE VIEW journal AS
SELECT
    events.seq, events.at, events.what, events.detail, flows.kind,
    coalesce(users.user_name, user_name.value) AS user_name,
    coalesce(users.email, email.value) AS email,
    flows.endpoint
FROM events
    LEFT JOIN flows ON flows.id = events.flow_id
    LEFT JOIN users ON users.id = coalesce(events.user_id, flows.user_id)
    LEFT JOIN flow_steps AS user_name
        ON user_name.flow_id = events.flow_id AND user_name.step = 'userName' AND user_name.kept = 'clear'
    LEFT JOIN flow_steps AS email ON email.flow_id = events.flow_id AND email.step = 'email' AND email.kept = 'clear'
ORDER BY events.seq;
