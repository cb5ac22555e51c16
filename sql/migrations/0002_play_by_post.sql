-- Play by post: players, offers, clocks, rematches.

PRAGMA user_version = 2;

CREATE TABLE players (
	player INTEGER PRIMARY KEY,        -- never shown
	id TEXT NOT NULL UNIQUE,
	name TEXT NOT NULL,
	created INTEGER NOT NULL,
	seq INTEGER NOT NULL               -- of the newest entry of his feed
) STRICT;

-- As `tokens`; a player has one at a time.
CREATE TABLE player_tokens (
	prefix INTEGER NOT NULL,
	hash BLOB NOT NULL CHECK (length(hash) = 32),
	player INTEGER NOT NULL REFERENCES players,
	PRIMARY KEY (prefix, hash)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX player_tokens_player ON player_tokens (player);

-- One token may be for seats of several games: those of a game and of its rematch.
CREATE TABLE seat_tokens (
	prefix INTEGER NOT NULL,
	hash BLOB NOT NULL CHECK (length(hash) = 32),
	game INTEGER NOT NULL REFERENCES games,
	seat INTEGER NOT NULL,             -- 0: the game's creator
	PRIMARY KEY (prefix, hash, game, seat)
) STRICT, WITHOUT ROWID;

INSERT INTO seat_tokens SELECT prefix, hash, game, seat FROM tokens ORDER BY prefix, hash;
DROP TABLE tokens;
ALTER TABLE seat_tokens RENAME TO tokens;
CREATE UNIQUE INDEX tokens_seat ON tokens (game, seat);

ALTER TABLE games ADD COLUMN creator INTEGER REFERENCES players; -- NULL: nobody who has a lasting name
ALTER TABLE games ADD COLUMN due INTEGER;                        -- when the service must look at it by itself
ALTER TABLE games ADD COLUMN paused INTEGER;                     -- ms that the seat to move had left; NULL: not paused
ALTER TABLE games ADD COLUMN offers INTEGER NOT NULL DEFAULT 0;  -- how many are open
ALTER TABLE games ADD COLUMN rematch_of TEXT;                    -- ids
ALTER TABLE games ADD COLUMN rematch TEXT;
ALTER TABLE games ADD COLUMN thinks INTEGER;                     -- while an engine must move or answer: 1 where people play too, 2 where engines play alone

CREATE INDEX games_creator ON games (creator) WHERE creator IS NOT NULL;
CREATE INDEX games_due ON games (due) WHERE due IS NOT NULL;
CREATE INDEX games_thinks ON games (thinks) WHERE thinks IS NOT NULL;
CREATE INDEX games_open ON games (status) WHERE status = 'open';
CREATE INDEX games_clock ON games (status) WHERE status = 'active' AND clock_type <> 'none';

-- What was open before waits thirty days, as any open game does.
UPDATE games SET due = created + 2592000000 WHERE status = 'open';

ALTER TABLE seats ADD COLUMN player INTEGER REFERENCES players;
ALTER TABLE seats ADD COLUMN namesake INTEGER NOT NULL DEFAULT 0; -- 1: it has its name of its player, not of who asked for it
ALTER TABLE seats ADD COLUMN due INTEGER;                        -- while its player must move or answer an offer: the game's deadline, without one the largest number

CREATE INDEX seats_player ON seats (player, game, seat) WHERE player IS NOT NULL;
CREATE INDEX seats_player_listed ON seats (player, game, seat) WHERE player IS NOT NULL AND listed = 1;
CREATE INDEX seats_due ON seats (player, due, game, seat) WHERE player IS NOT NULL AND due IS NOT NULL;

ALTER TABLE moves ADD COLUMN remaining INTEGER;                  -- ms that a budget had left after the move

-- Open offers alone: what became of the others, the log tells.
CREATE TABLE offers (
	game INTEGER NOT NULL REFERENCES games,
	id TEXT NOT NULL,
	kind TEXT NOT NULL,                -- draw, takeback, pause, resume, handover
	seat INTEGER NOT NULL,             -- that made it
	ply INTEGER NOT NULL,              -- of a takeback: to which
	subject INTEGER NOT NULL,          -- of a handover: the seat; 0 otherwise
	asked INTEGER NOT NULL,            -- seats whose acceptance is wanted, as bits: 1 for seat 1
	accepted INTEGER NOT NULL,         -- those that have accepted, as bits
	declined INTEGER NOT NULL,
	at INTEGER NOT NULL,
	due INTEGER,                       -- when it takes effect by itself
	PRIMARY KEY (game, id),
	UNIQUE (game, kind)
) STRICT, WITHOUT ROWID;

-- Every game that a player has had to do with: in which he sat at some time, or that he created.
CREATE TABLE sat (
	player INTEGER NOT NULL REFERENCES players,
	game INTEGER NOT NULL REFERENCES games,
	PRIMARY KEY (player, game)
) STRICT, WITHOUT ROWID;

-- A player's own log: which events of his games, in the order in which they happened.
CREATE TABLE feed (
	entry INTEGER PRIMARY KEY AUTOINCREMENT, -- in order, over all players; none is given twice
	player INTEGER NOT NULL REFERENCES players,
	seq INTEGER NOT NULL,              -- the player's own, from 1 without gaps
	game INTEGER NOT NULL REFERENCES games,
	game_seq INTEGER NOT NULL,
	ply INTEGER NOT NULL,              -- of the event: leads to it, if it lies in `moves`
	seats INTEGER NOT NULL,            -- that were his then, as bits: 1 for seat 1
	turn INTEGER NOT NULL,             -- 1: one of them was to move after it
	UNIQUE (player, seq)
) STRICT;

ALTER TABLE retries ADD COLUMN game INTEGER;                     -- of the game that the call was about
ALTER TABLE retries ADD COLUMN player INTEGER;                   -- who called

CREATE INDEX retries_game ON retries (game) WHERE game IS NOT NULL;
CREATE INDEX retries_player ON retries (player) WHERE player IS NOT NULL;

-- When the service was last seen to run: what it misses of that, it gives back to the clocks.
CREATE TABLE alive (
	only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
	at INTEGER NOT NULL,               -- 0: never
	owed INTEGER NOT NULL,             -- ms that it is just giving back
	given INTEGER NOT NULL             -- to the games up to this one
) STRICT;

INSERT INTO alive VALUES (1, 0, 0, 0);
