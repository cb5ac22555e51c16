-- How many games there are of each status, for the metrics: nobody counts them one by one.

PRAGMA user_version = 3;

CREATE TABLE game_counts (
	only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
	open INTEGER NOT NULL,
	active INTEGER NOT NULL,
	finished INTEGER NOT NULL,
	withdrawn INTEGER NOT NULL
) STRICT;

INSERT INTO game_counts
SELECT 1, count(*) FILTER (WHERE status = 'open'), count(*) FILTER (WHERE status = 'active'),
	count(*) FILTER (WHERE status = 'finished'), count(*) FILTER (WHERE status = 'withdrawn')
FROM games;

-- A move leaves the status as it was, and names no column of it: none of these is its.

CREATE TRIGGER games_counted AFTER INSERT ON games BEGIN
	UPDATE game_counts SET open = open + (NEW.status = 'open'), active = active + (NEW.status = 'active'),
		finished = finished + (NEW.status = 'finished'), withdrawn = withdrawn + (NEW.status = 'withdrawn')
	WHERE only_row = 1;
END;

CREATE TRIGGER games_recounted AFTER UPDATE OF status ON games WHEN OLD.status <> NEW.status BEGIN
	UPDATE game_counts SET open = open + (NEW.status = 'open') - (OLD.status = 'open'),
		active = active + (NEW.status = 'active') - (OLD.status = 'active'),
		finished = finished + (NEW.status = 'finished') - (OLD.status = 'finished'),
		withdrawn = withdrawn + (NEW.status = 'withdrawn') - (OLD.status = 'withdrawn')
	WHERE only_row = 1;
END;
