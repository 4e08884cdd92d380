-- What happened to which flow, submission and person, and why. Rows are only ever added.

CREATE TABLE events (
    seq           INTEGER PRIMARY KEY,
    at            TEXT NOT NULL,
    what          TEXT NOT NULL,
    flow_id       TEXT,
    submission_id TEXT,
    user_id       TEXT,
    detail        TEXT,
    counted_from  INTEGER NOT NULL             -- when it happened, by the queue's clock, within a minute
) STRICT;
