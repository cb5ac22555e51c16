-- The first schema.  Times are milliseconds since 1970, texts of positions and
-- moves are those of RULES.md T1 and T2.  Room is left for what comes later
-- (players, offers): tables and columns that later migrations add.
-- Three words or more stand as OR, since for IN (...) SQLite makes a table of
-- them, anew for each row that it checks.

PRAGMA application_id = 1232434799; -- "Iuvo"
PRAGMA user_version = 1;

CREATE TABLE games (
	game INTEGER PRIMARY KEY,          -- in order of creation; never shown
	id TEXT NOT NULL UNIQUE,
	variant TEXT NOT NULL,
	status TEXT NOT NULL CHECK (status = 'open' OR status = 'active' OR status = 'finished' OR status = 'withdrawn'),
	listed INTEGER NOT NULL CHECK (listed IN (0, 1)),
	imported INTEGER NOT NULL CHECK (imported IN (0, 1)),
	start TEXT NOT NULL,
	position TEXT NOT NULL,
	turn INTEGER NOT NULL,             -- 0 while nobody is to move: before the start, and when it is over
	ply INTEGER NOT NULL,
	seq INTEGER NOT NULL,              -- of the newest event
	reason TEXT,                       -- of the outcome; NULL while there is none
	winner INTEGER NOT NULL,           -- 0 for a draw and while there is no outcome
	deadline INTEGER,
	created INTEGER NOT NULL,
	updated INTEGER NOT NULL,
	clock_type TEXT NOT NULL CHECK (clock_type = 'none' OR clock_type = 'per_move' OR clock_type = 'budget'),
	on_timeout TEXT NOT NULL CHECK (on_timeout IN ('forfeit', 'claim')),
	per_move_seconds INTEGER NOT NULL,
	initial_seconds INTEGER NOT NULL,
	increment_seconds INTEGER NOT NULL,
	twice BLOB NOT NULL,               -- keys left twice (I16, H8), 8 bytes each, little-endian
	tags TEXT,                         -- JSON object; of an imported record
	marks BLOB NOT NULL DEFAULT x''    -- four bytes of each key that a move has left: most are in it once
) STRICT;

-- The list of public games.  The first four change when a game begins or ends,
-- the last two with every move.
CREATE INDEX games_listed ON games (listed) WHERE listed = 1;
CREATE INDEX games_variant ON games (variant) WHERE listed = 1;
CREATE INDEX games_status ON games (status) WHERE listed = 1;
CREATE INDEX games_variant_status ON games (variant, status) WHERE listed = 1;
CREATE INDEX games_turn ON games (turn) WHERE listed = 1 AND status = 'active';
CREATE INDEX games_updated ON games (updated) WHERE listed = 1;

CREATE TABLE seats (
	game INTEGER NOT NULL REFERENCES games,
	seat INTEGER NOT NULL,
	name TEXT,
	kind TEXT NOT NULL CHECK (kind = 'player' OR kind = 'open' OR kind = 'engine'),
	level INTEGER NOT NULL,            -- of an engine; 0 otherwise
	own INTEGER NOT NULL CHECK (own IN (0, 1)), -- made by the creator as his own, and re-keyed by nobody else
	out_reason TEXT,                   -- NULL while the seat is in
	remaining INTEGER,                 -- ms, of a budget clock
	listed INTEGER NOT NULL CHECK (listed IN (0, 1)), -- the game's, for the index below
	PRIMARY KEY (game, seat)
) STRICT, WITHOUT ROWID;

CREATE INDEX seats_name ON seats (name, game, seat) WHERE listed = 1 AND name IS NOT NULL;

-- Found by their first eight bytes; the whole hash is then compared in constant time.
CREATE TABLE tokens (
	prefix INTEGER NOT NULL,
	hash BLOB NOT NULL CHECK (length(hash) = 32),
	game INTEGER NOT NULL REFERENCES games,
	seat INTEGER NOT NULL,             -- 0: the game's creator
	PRIMARY KEY (prefix, hash)
) STRICT, WITHOUT ROWID;

-- A seat has one token at a time, and none while it is open.
CREATE UNIQUE INDEX tokens_seat ON tokens (game, seat);

-- A row has all that the move brings, its event too: fewer pages to write.
CREATE TABLE moves (
	game INTEGER NOT NULL REFERENCES games,
	ply INTEGER NOT NULL CHECK (ply > 0),
	seat INTEGER NOT NULL,
	at INTEGER NOT NULL,
	left INTEGER NOT NULL,             -- the key that counts for repetition (I16, H8)
	seq INTEGER,                       -- of the event move_played
	move TEXT NOT NULL,
	kind TEXT NOT NULL CHECK (kind = 'own' OR kind = 'shared' OR kind = 'neutral'),
	path TEXT,                         -- where it is more than from and to (H11)
	out TEXT,                          -- the seats that it made go out
	position TEXT NOT NULL,
	event TEXT,                        -- JSON object; the data of the event
	PRIMARY KEY (game, ply)
) STRICT, WITHOUT ROWID;

CREATE TABLE endings (
	game INTEGER NOT NULL REFERENCES games,
	n INTEGER NOT NULL,                -- from 0, in order
	ply INTEGER NOT NULL,              -- plies played before
	seat INTEGER NOT NULL,             -- 0: an agreed draw
	reason TEXT NOT NULL,
	position TEXT NOT NULL,
	at INTEGER NOT NULL,
	PRIMARY KEY (game, n)
) STRICT, WITHOUT ROWID;

-- The log of a game is these and the events in `moves`, in the order of seq.
CREATE TABLE events (
	game INTEGER NOT NULL REFERENCES games,
	seq INTEGER NOT NULL CHECK (seq > 0),
	type TEXT NOT NULL,
	at INTEGER NOT NULL,
	ply INTEGER NOT NULL,
	seat INTEGER NOT NULL,             -- 0: of no seat
	data TEXT NOT NULL,                -- JSON object
	PRIMARY KEY (game, seq)
) STRICT, WITHOUT ROWID;

-- Answers to calls with an Idempotency-Key, each written in the transaction of
-- what it tells of.  Whoever has the file but not the key can read none of it:
-- the hash and the key of the seal are made of the Idempotency-Key, the token and
-- the path (src/api/retry.c).
CREATE TABLE retries (
	retry INTEGER PRIMARY KEY,         -- in order of writing: the large rows are only added at the end
	hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
	expires INTEGER NOT NULL,
	sealed BLOB NOT NULL
) STRICT;

CREATE INDEX retries_expires ON retries (expires);

-- One row, written now and then to learn whether the disk takes writes.
CREATE TABLE probe (
	only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
	times INTEGER NOT NULL
) STRICT;

INSERT INTO probe VALUES (1, 0);
