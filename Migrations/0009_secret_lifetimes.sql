-- How long a secret can be used while its flow is open, in milliseconds: each step says so for its own.
ALTER TABLE secrets ADD COLUMN lifetime INTEGER NOT NULL DEFAULT 86400000 CHECK (lifetime >= 0);
