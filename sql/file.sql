-- What is asked of and said to a data file while it is opened, before the
-- statements of queries.sql can be prepared.

-- name: settings
PRAGMA foreign_keys = ON;
PRAGMA trusted_schema = OFF;
PRAGMA synchronous = FULL;
PRAGMA temp_store = MEMORY;
PRAGMA mmap_size = 0;
PRAGMA wal_autocheckpoint = 0;
PRAGMA journal_size_limit = 33554432;
PRAGMA cache_size = -1024;

-- The writer keeps what the next moves will touch, and leaves nothing of what is deleted.
-- name: settings_writer
PRAGMA cache_size = -4096;
PRAGMA secure_delete = ON;

-- name: settings_reader
PRAGMA query_only = ON;

-- name: use_wal
PRAGMA journal_mode = WAL;

-- name: application_id
PRAGMA application_id;

-- name: user_version
PRAGMA user_version;

-- name: object_count
SELECT count(*) FROM sqlite_schema;

-- name: back_up
VACUUM INTO ?;

-- name: migration_begin
BEGIN IMMEDIATE;

-- name: migration_commit
COMMIT;

-- name: migration_rollback
ROLLBACK;

-- A copy that is being made can be made again: no journal on disk, and synced once at its end.
-- name: settings_copy
PRAGMA journal_mode = MEMORY;
PRAGMA synchronous = OFF;
PRAGMA temp_store = MEMORY;
PRAGMA mmap_size = 0;

-- What does not hang together in a file, a line each; and rows that refer to none.

-- name: integrity_check
PRAGMA integrity_check(20);

-- name: foreign_key_check
PRAGMA foreign_key_check;

-- Of the newest schema alone: 1 if the games are as many as it says.
-- name: game_counts_check
SELECT count(*) FROM game_counts WHERE (open, active, finished, withdrawn) = (
	SELECT count(*) FILTER (WHERE status = 'open'), count(*) FILTER (WHERE status = 'active'),
		count(*) FILTER (WHERE status = 'finished'), count(*) FILTER (WHERE status = 'withdrawn')
	FROM games);
