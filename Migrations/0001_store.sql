-- The store itself: its identity, its clock, and what an erasure still has to wipe.
-- Ids are UUIDv7 texts. Times that people read are UTC ISO-8601 texts by the time of day; times that the program compares
-- are milliseconds by the queue's clock, which counts on however the time of day is set.
-- A sealed box is the text 'b1' and Base64: its key lies in another folder, so nothing in this file can open it.

-- One row, made when the first secret is sealed.
CREATE TABLE store (
    one       INTEGER PRIMARY KEY CHECK (one = 1),
    id        TEXT NOT NULL,                   -- bound into every box
    key_id    TEXT NOT NULL,                   -- the key that new boxes are made with
    key_check TEXT NOT NULL                    -- a box with a known text: tells a wrong key from a changed box
) STRICT;

-- One row: where the queue's clock counts on from.
CREATE TABLE queue_clock (
    one             INTEGER PRIMARY KEY CHECK (one = 1),
    boot_id         TEXT NOT NULL,             -- the run of the machine that the anchors belong to
    wall_anchor     INTEGER NOT NULL,          -- the queue's time, in milliseconds since 1970, …
    boot_anchor     INTEGER NOT NULL,          -- … when the machine had been running for so many milliseconds
    high_water      INTEGER NOT NULL,          -- a queue's time that was reached for certain, …
    high_wall       INTEGER NOT NULL,          -- … and the time of day then
    uncounted       INTEGER NOT NULL DEFAULT 0 CHECK (uncounted >= 0),  -- how far the time of day jumped between two runs of
                                               -- the machine, in milliseconds, while it is unknown whether that is true
    uncounted_since INTEGER NOT NULL DEFAULT 0 -- when the first such jump was found, by the queue's clock
) STRICT;

-- While there is a row, erased values may still lie in the log or in the free room of pages. The subject is the one in
-- the event, and belongs to nobody.
CREATE TABLE scrubs (
    subject TEXT NOT NULL PRIMARY KEY
) STRICT, WITHOUT ROWID;
