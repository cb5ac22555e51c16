-- Every statement of the service, under its name: src/store/ knows it as
-- STATEMENT_NAME.  All are prepared when the data file is opened.  `{name}`
-- stands for the fragment of that name.

-- fragment: game
g.game, g.id, g.variant, g.status, g.listed, g.imported, g.start, g.position,
g.turn, g.ply, g.seq, g.reason, g.winner, g.deadline, g.created, g.updated,
g.clock_type, g.on_timeout, g.per_move_seconds, g.initial_seconds, g.increment_seconds,
g.twice, g.tags, g.creator, g.due, g.paused, g.offers, g.rematch_of, g.rematch, g.thinks

-- Transactions.

-- name: read_begin
BEGIN;

-- name: write_begin
BEGIN IMMEDIATE;

-- name: savepoint
SAVEPOINT call;

-- name: release
RELEASE call;

-- name: rollback_to
ROLLBACK TO call;

-- name: commit
COMMIT;

-- name: rollback
ROLLBACK;

-- name: probe
UPDATE probe SET times = times + 1 WHERE only_row = 1;

-- The event tells of the position too: two witnesses, of which damage spares one.
-- fragment: agrees
coalesce(instr(event, position) > 0, 1)

-- Games.

-- name: games_insert
INSERT INTO games (id, variant, status, listed, imported, start, position,
	turn, ply, seq, reason, winner, deadline, created, updated,
	clock_type, on_timeout, per_move_seconds, initial_seconds, increment_seconds,
	twice, tags, creator, due, rematch_of, thinks)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- Most moves leave the status as it was, and then three indexes need not be
-- touched: SQLite writes the index of every column that an UPDATE names.
-- name: games_go_on
UPDATE games SET position = ?, turn = ?, ply = ?, seq = ?, reason = ?, winner = ?,
	deadline = ?, updated = ?, due = ?, paused = ?, offers = ?, rematch = ?, thinks = ?, twice = ?, marks = CAST(marks || ? AS BLOB)
WHERE game = ? AND status = ?;

-- name: games_update
UPDATE games SET position = ?, turn = ?, ply = ?, seq = ?, reason = ?, winner = ?,
	deadline = ?, updated = ?, due = ?, paused = ?, offers = ?, rematch = ?, thinks = ?, twice = ?, marks = CAST(marks || ? AS BLOB), status = ?
WHERE game = ?;

-- name: games_counts
SELECT open, active, finished, withdrawn FROM game_counts WHERE only_row = 1;

-- name: games_by_id
SELECT {game} FROM games AS g WHERE g.id = ?;

-- The position of a game stands where it was come by, too: in its last ending or move, or at its start.
-- name: games_agree
SELECT coalesce(
	(SELECT position FROM endings WHERE game = ?1 AND ply = ?2 ORDER BY n DESC LIMIT 1),
	(SELECT position FROM moves WHERE game = ?1 AND ply = ?2 AND {agrees}),
	?3) IS ?4;

-- name: games_next
SELECT {game} FROM games AS g WHERE g.game > ? ORDER BY g.game LIMIT 1;

-- What passing time asks of: games that are due, and those in which something runs: a clock, the wait for the last
-- seats of an open game, the notice of an offer.

-- Of the index alone: a game whose row is damaged hides none that is due behind it.
-- name: games_overdue
SELECT game FROM games WHERE due <= ? ORDER BY due LIMIT ?;

-- name: games_id
SELECT id FROM games WHERE game = ?;

-- name: walk_games
SELECT game, status = 'open', status = 'active' AND clock_type <> 'none', offers, deadline, due
FROM games WHERE game >= ? ORDER BY game LIMIT ?;

-- name: games_next_due
SELECT due FROM games WHERE due IS NOT NULL ORDER BY due LIMIT 1;

-- An offer that takes effect by itself is a clock too, for whoever may still decline it.
-- name: games_running
SELECT game, id FROM games
WHERE status = 'active' AND clock_type <> 'none' AND game > ?1 AND deadline > ?2
UNION
SELECT game, id FROM games
WHERE status = 'open' AND game > ?1 AND due > ?2
UNION
SELECT game, id FROM games
WHERE game IN (SELECT DISTINCT game FROM offers WHERE game > ?1 AND due > ?2 ORDER BY game LIMIT ?3)
ORDER BY game LIMIT ?3;

-- name: games_any_clock
SELECT 1 FROM games WHERE status = 'active' AND clock_type <> 'none'
UNION ALL
SELECT 1 FROM games WHERE due IS NOT NULL LIMIT 1;

-- Games in which an engine must do something; of the index alone, as above.
-- name: games_thinking
SELECT game FROM games WHERE thinks = ? AND game > ? ORDER BY game LIMIT ?;

-- name: games_leave_alone
UPDATE games SET due = NULL WHERE game = ?;

-- name: alive_read
SELECT at, owed, given FROM alive WHERE only_row = 1;

-- name: alive_write
UPDATE alive SET at = ?, owed = ?, given = ? WHERE only_row = 1;

-- The list of public games, by what it is filtered by.  Newest created first.

-- name: list
SELECT {game} FROM games AS g
WHERE g.listed = 1 AND g.game < ? ORDER BY g.game DESC LIMIT ?;

-- name: list_variant
SELECT {game} FROM games AS g
WHERE g.listed = 1 AND g.variant = ? AND g.game < ? ORDER BY g.game DESC LIMIT ?;

-- name: list_status
SELECT {game} FROM games AS g
WHERE g.listed = 1 AND g.status = ? AND g.game < ? ORDER BY g.game DESC LIMIT ?;

-- name: list_variant_status
SELECT {game} FROM games AS g
WHERE g.listed = 1 AND g.variant = ? AND g.status = ? AND g.game < ? ORDER BY g.game DESC LIMIT ?;

-- name: list_turn
SELECT {game} FROM games AS g
WHERE g.listed = 1 AND g.status = 'active' AND g.turn = ? AND g.game < ? ORDER BY g.game DESC LIMIT ?;

-- A name may have several seats of a game: the first of them counts.
-- name: list_name
SELECT {game} FROM seats AS s CROSS JOIN games AS g ON g.game = s.game
WHERE s.listed = 1 AND s.name = ? AND s.game < ?
	AND NOT EXISTS (SELECT 1 FROM seats AS before
		WHERE before.game = s.game AND before.seat < s.seat AND before.name = s.name)
ORDER BY s.game DESC LIMIT ?;

-- By time of change, ascending: a game that changes while the list is read comes again.
-- name: list_updated
SELECT {game} FROM games AS g
WHERE g.listed = 1 AND (g.updated, g.game) > (?, ?) ORDER BY g.updated, g.game LIMIT ?;

-- Seats and tokens.

-- name: seats_insert
INSERT INTO seats (game, seat, name, kind, level, own, out_reason, remaining, listed, player, namesake)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: seats_out
UPDATE seats SET out_reason = ? WHERE game = ? AND seat = ?;

-- name: seats_hold
UPDATE seats SET name = ?, kind = ?, own = ?, player = ?, namesake = ? WHERE game = ? AND seat = ?;

-- name: seats_due
UPDATE seats SET due = ? WHERE game = ? AND seat = ?;

-- name: seats_remaining
UPDATE seats SET remaining = ? WHERE game = ? AND seat = ?;

-- name: seats_of
SELECT s.seat, s.name, s.kind, s.level, s.own, s.out_reason, s.remaining, s.due, s.namesake, s.player, p.id
FROM seats AS s LEFT JOIN players AS p ON p.player = s.player
WHERE s.game = ? ORDER BY s.seat LIMIT ?;

-- name: tokens_insert
INSERT INTO tokens (prefix, hash, game, seat) VALUES (?, ?, ?, ?);

-- name: tokens_delete
DELETE FROM tokens WHERE game = ? AND seat = ?;

-- One that is for seats of several games is another in all of them.
-- name: tokens_replace
UPDATE tokens SET prefix = ?, hash = ?
WHERE (prefix, hash) = (SELECT prefix, hash FROM tokens WHERE game = ? AND seat = ?);

-- name: tokens_of
SELECT seat FROM tokens WHERE game = ?;

-- name: tokens_move_on
INSERT INTO tokens (prefix, hash, game, seat)
SELECT prefix, hash, ?, CASE seat WHEN 0 THEN 0 ELSE seat % ? + 1 END FROM tokens WHERE game = ?;

-- name: tokens_find
SELECT hash, game, seat FROM tokens WHERE prefix = ?;

-- name: tokens_in
SELECT hash, seat FROM tokens WHERE prefix = ? AND game = ?;

-- name: tokens_insert_player
INSERT INTO player_tokens (prefix, hash, player) VALUES (?, ?, ?);

-- name: tokens_delete_player
DELETE FROM player_tokens WHERE player = ?;

-- name: tokens_find_player
SELECT hash, player FROM player_tokens WHERE prefix = ?;

-- Players, and the games they have had to do with.

-- fragment: player
player, id, name, created, seq

-- name: players_insert
INSERT INTO players (id, name, created, seq) VALUES (?, ?, ?, 0);

-- name: players_by_id
SELECT {player} FROM players WHERE id = ?;

-- name: players_by_key
SELECT {player} FROM players WHERE player = ?;

-- name: players_rename
UPDATE players SET name = ? WHERE player = ?;

-- name: players_delete
DELETE FROM players WHERE player = ?;

-- name: sat_insert
INSERT OR IGNORE INTO sat (player, game) VALUES (?, ?);

-- name: sat_next
SELECT game FROM sat WHERE player = ? AND game > ? ORDER BY game LIMIT 1;

-- name: sat_delete
DELETE FROM sat WHERE player = ?;

-- A player's games: a game in which he has several seats comes once, for the first of them.

-- name: list_player
SELECT {game} FROM seats AS s CROSS JOIN games AS g ON g.game = s.game
WHERE s.player = ? AND s.game < ?
	AND NOT EXISTS (SELECT 1 FROM seats AS before
		WHERE before.game = s.game AND before.seat < s.seat AND before.player = s.player)
ORDER BY s.game DESC LIMIT ?;

-- name: list_player_listed
SELECT {game} FROM seats AS s CROSS JOIN games AS g ON g.game = s.game
WHERE s.listed = 1 AND s.player = ? AND s.game < ?
	AND NOT EXISTS (SELECT 1 FROM seats AS before
		WHERE before.game = s.game AND before.seat < s.seat AND before.player = s.player)
ORDER BY s.game DESC LIMIT ?;

-- name: list_player_due
SELECT {game} FROM seats AS s CROSS JOIN games AS g ON g.game = s.game
WHERE s.due IS NOT NULL AND s.player = ? AND (s.due, s.game) > (?, ?)
	AND NOT EXISTS (SELECT 1 FROM seats AS before
		WHERE before.game = s.game AND before.seat < s.seat AND before.player = s.player AND before.due IS NOT NULL)
ORDER BY s.due, s.game LIMIT ?;

-- A player is erased: from one game after the other, then he himself.

-- name: tokens_erase
DELETE FROM tokens WHERE game = ?1 AND (EXISTS (SELECT 1 FROM seats AS s
		WHERE s.game = ?1 AND s.seat = tokens.seat AND s.player = ?2)
	OR (seat = 0 AND EXISTS (SELECT 1 FROM games AS g WHERE g.game = ?1 AND g.creator = ?2)));

-- name: seats_erase
UPDATE seats SET name = NULL, player = NULL, namesake = 0, due = NULL WHERE game = ? AND player = ?;

-- name: games_erase
UPDATE games SET creator = NULL, tags = NULL WHERE game = ? AND creator = ?;

-- name: events_erase_taker
UPDATE events SET data = json_remove(json_set(data, '$.name', NULL), '$.player')
WHERE game = ? AND type = 'seat_taken' AND json_extract(data, '$.player') = ?;

-- The first event tells of all seats; ?1 counts them from 0.
-- name: events_erase_seat
UPDATE events SET data = json_remove(json_set(data, '$.seats[' || ?1 || '].name', NULL), '$.seats[' || ?1 || '].player')
WHERE game = ?2 AND seq = 1 AND json_extract(data, '$.seats[' || ?1 || '].player') = ?3;

-- Players' own logs.

-- name: players_count
UPDATE players SET seq = seq + 1 WHERE player = ? RETURNING seq;

-- name: feed_insert
INSERT INTO feed (player, seq, game, game_seq, ply, seats, turn) VALUES (?, ?, ?, ?, ?, ?, ?);

-- An event lies in `events`, or in the row of its move.
-- name: feed_of
SELECT f.seq, f.seats, f.turn, g.id, f.game_seq, coalesce(e.type, 'move_played'), coalesce(e.at, m.at), f.ply,
	coalesce(e.seat, m.seat), coalesce(e.data, m.event)
FROM feed AS f CROSS JOIN games AS g ON g.game = f.game
	LEFT JOIN events AS e ON e.game = f.game AND e.seq = f.game_seq
	LEFT JOIN moves AS m ON e.seq IS NULL AND m.game = f.game AND m.ply = f.ply
WHERE f.player = ? AND f.seq > ? ORDER BY f.seq LIMIT ?;

-- name: feed_since
SELECT entry, player FROM feed WHERE entry > ? ORDER BY entry LIMIT ?;

-- name: feed_last
SELECT entry FROM feed ORDER BY entry DESC LIMIT 1;

-- name: feed_delete
DELETE FROM feed WHERE player = ?;

-- Answers kept for retries.

-- name: retries_insert
INSERT INTO retries (hash, expires, sealed, game, player) VALUES (?, ?, ?, ?, ?);

-- name: retries_find
SELECT sealed FROM retries WHERE hash = ?;

-- name: retries_erase_game
UPDATE retries SET sealed = x'' WHERE game = ?;

-- name: retries_erase_player
UPDATE retries SET sealed = x'' WHERE player = ?;

-- name: retries_expire
DELETE FROM retries WHERE retry IN
	(SELECT retry FROM retries WHERE expires <= ? ORDER BY expires LIMIT ?);

-- Moves and endings.

-- fragment: move
ply, seat, at, left, move, kind, path, out, position, remaining

-- name: moves_insert
INSERT INTO moves (game, {move}, seq, event) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: games_marks
SELECT marks FROM games WHERE game = ?;

-- name: moves_at
SELECT {move}, {agrees} FROM moves WHERE game = ? AND ply = ?;

-- name: moves_of
SELECT {move}, {agrees} FROM moves WHERE game = ? AND ply >= ? ORDER BY ply LIMIT ?;

-- name: moves_left_count
SELECT count(*) FROM moves WHERE game = ? AND ply < ? AND left = ?;

-- What a takeback takes out of `moves`: their events stay in the log.

-- name: moves_keep_events
INSERT INTO events (game, seq, type, at, ply, seat, data)
SELECT game, seq, 'move_played', at, ply, seat, event FROM moves WHERE game = ? AND ply > ?;

-- name: moves_delete
DELETE FROM moves WHERE game = ? AND ply > ?;

-- name: moves_left
SELECT left FROM moves WHERE game = ? AND ply <= ? ORDER BY ply;

-- name: moves_remaining
SELECT remaining FROM moves WHERE game = ? AND ply <= ? AND seat = ? ORDER BY ply DESC LIMIT 1;

-- name: games_remark
UPDATE games SET marks = ? WHERE game = ?;

-- name: endings_insert
INSERT INTO endings (game, n, ply, seat, reason, position, at) VALUES (?, ?, ?, ?, ?, ?, ?);

-- name: endings_of
SELECT ply, seat, reason, position, at FROM endings WHERE game = ? ORDER BY n LIMIT ?;

-- Events.  Those of moves lie in the rows of the moves (events.c).

-- name: events_insert
INSERT INTO events (game, seq, type, at, ply, seat, data) VALUES (?, ?, ?, ?, ?, ?, ?);

-- name: events_count
SELECT count(*) FROM events WHERE game = ? AND seq <= ?;

-- name: events_tip
SELECT seq, ply, status = 'finished' OR status = 'withdrawn' FROM games WHERE game = ?;

-- name: events_of
SELECT seq, type, at, ply, seat, data FROM events WHERE game = ? AND seq > ? ORDER BY seq LIMIT ?;

-- name: events_in_moves
SELECT seq, 'move_played', at, ply, seat, event FROM moves
WHERE game = ? AND ply > ? AND seq > ? ORDER BY ply LIMIT ?;

-- Offers that are open.

-- name: offers_insert
INSERT INTO offers (game, id, kind, seat, ply, subject, asked, accepted, declined, at, due)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: offers_update
UPDATE offers SET asked = ?, accepted = ?, declined = ?, due = ? WHERE game = ? AND id = ?;

-- name: offers_delete
DELETE FROM offers WHERE game = ? AND id = ?;

-- name: offers_of
SELECT id, kind, seat, ply, subject, asked, accepted, declined, at, due FROM offers
WHERE game = ? ORDER BY at, kind LIMIT ?;
