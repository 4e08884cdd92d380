-- What was erased may still lie in the log, or in the free room of pages, until the file was written anew: so long
-- there is a row here. Its subject is the one in the event, and belongs to nobody.
CREATE TABLE scrubs (
    subject TEXT NOT NULL PRIMARY KEY,
    since   TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- What is over its time is found without looking at the rest.
CREATE INDEX flows_ended ON flows (counted_from) WHERE status IN ('finished', 'cancelled');
CREATE INDEX flows_expired ON flows (id) WHERE status = 'expired';
