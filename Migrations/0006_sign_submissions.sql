-- What a submission with a secret was queued with, under the device's key: a row that somebody has edited is not sent.
-- Rows from before are signed when the next one is queued; from then on `store.key_check` tells that each has to be.
ALTER TABLE submissions ADD COLUMN signature BLOB;
