-- The whole server, a table after the other: read_T is what `iuvod dump` writes, in
-- an order that is always the same, and write_T takes it back.  What a row refers
-- to stands before it.  A test holds the columns against those of the schema.

-- Numbers given out, so that none is given out again: before the rows that have them.
-- fragment: sequences
name, seq

-- name: read_sequences
SELECT {sequences} FROM sqlite_sequence ORDER BY name;

-- name: write_sequences
INSERT INTO sqlite_sequence ({sequences}) VALUES (?, ?);

-- fragment: players
player, id, name, created, seq

-- name: read_players
SELECT {players} FROM players ORDER BY player;

-- name: write_players
INSERT INTO players ({players}) VALUES (?, ?, ?, ?, ?);

-- fragment: player_tokens
player, prefix, hash

-- name: read_player_tokens
SELECT {player_tokens} FROM player_tokens ORDER BY prefix, hash;

-- name: write_player_tokens
INSERT INTO player_tokens ({player_tokens}) VALUES (?, ?, ?);

-- fragment: games
game, id, variant, status, listed, imported, start, position, turn, ply, seq, reason, winner, deadline,
created, updated, clock_type, on_timeout, per_move_seconds, initial_seconds, increment_seconds, twice, tags, marks,
creator, due, paused, offers, rematch_of, rematch, thinks

-- name: read_games
SELECT {games} FROM games ORDER BY game;

-- name: write_games
INSERT INTO games ({games})
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- fragment: seats
game, seat, name, kind, level, own, out_reason, remaining, listed, player, namesake, due

-- name: read_seats
SELECT {seats} FROM seats ORDER BY game, seat;

-- name: write_seats
INSERT INTO seats ({seats}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- fragment: tokens
game, seat, prefix, hash

-- name: read_tokens
SELECT {tokens} FROM tokens ORDER BY prefix, hash, game, seat;

-- name: write_tokens
INSERT INTO tokens ({tokens}) VALUES (?, ?, ?, ?);

-- fragment: moves
game, ply, seat, at, left, seq, move, kind, path, out, position, event, remaining

-- name: read_moves
SELECT {moves} FROM moves ORDER BY game, ply;

-- name: write_moves
INSERT INTO moves ({moves}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- fragment: endings
game, n, ply, seat, reason, position, at

-- name: read_endings
SELECT {endings} FROM endings ORDER BY game, n;

-- name: write_endings
INSERT INTO endings ({endings}) VALUES (?, ?, ?, ?, ?, ?, ?);

-- fragment: events
game, seq, type, at, ply, seat, data

-- name: read_events
SELECT {events} FROM events ORDER BY game, seq;

-- name: write_events
INSERT INTO events ({events}) VALUES (?, ?, ?, ?, ?, ?, ?);

-- fragment: offers
game, id, kind, seat, ply, subject, asked, accepted, declined, at, due

-- name: read_offers
SELECT {offers} FROM offers ORDER BY game, id;

-- name: write_offers
INSERT INTO offers ({offers}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- fragment: sat
player, game

-- name: read_sat
SELECT {sat} FROM sat ORDER BY player, game;

-- name: write_sat
INSERT INTO sat ({sat}) VALUES (?, ?);

-- fragment: feed
entry, player, seq, game, game_seq, ply, seats, turn

-- name: read_feed
SELECT {feed} FROM feed ORDER BY entry;

-- name: write_feed
INSERT INTO feed ({feed}) VALUES (?, ?, ?, ?, ?, ?, ?, ?);

-- fragment: retries
retry, hash, expires, sealed, game, player

-- name: read_retries
SELECT {retries} FROM retries ORDER BY retry;

-- name: write_retries
INSERT INTO retries ({retries}) VALUES (?, ?, ?, ?, ?, ?);

-- These have one row each, made with the schema.

-- fragment: alive
only_row, at, owed, given

-- name: read_alive
SELECT {alive} FROM alive ORDER BY only_row;

-- name: write_alive
REPLACE INTO alive ({alive}) VALUES (?, ?, ?, ?);

-- fragment: probe
only_row, times

-- name: read_probe
SELECT {probe} FROM probe ORDER BY only_row;

-- name: write_probe
REPLACE INTO probe ({probe}) VALUES (?, ?);
