/*
 * Every size that a client controls, by name.  Each has a fault and a test; the
 * README and the contract quote this table.
 */
#ifndef IUVOD_BASE_LIMITS_H
#define IUVOD_BASE_LIMITS_H

enum {
	LIMIT_TARGET = 2048,             /* bytes of path and query: 414 */
	LIMIT_SEGMENTS = 12,             /* segments of a path that are told apart: no-such-path */
	LIMIT_QUERY = 16,                /* parameters of a query that are read: the first that is wrong is told */
	LIMIT_HEAD = 16 * 1024,          /* bytes of a head, about (--header-bytes): 431, 414 or 413 */
	LIMIT_HEAD_LEAST = 8 * 1024,     /* fewest that may be set */
	LIMIT_HEAD_MOST = 64 * 1024,     /* most that may be set */
	LIMIT_BODY = 16 * 1024,          /* bytes of a body (--body-bytes): 413 */
	LIMIT_BODY_LEAST = 4 * 1024,     /* fewest that may be set */
	LIMIT_BODY_RECORD = 512 * 1024,  /* bytes of a record, and of an analysis (--record-bytes): 413 */
	LIMIT_BODY_RECORD_LEAST = 16 * 1024, /* fewest that may be set */
	LIMIT_BODY_MOST = 1024 * 1024,   /* most that may be set of either */
	LIMIT_BODY_DRAIN = 64 * 1024,    /* bytes read past the limit, so that the sender sees the refusal */
	LIMIT_BODIES = 32 * 1024 * 1024, /* bytes of bodies above 32 KiB that all calls hold at once: 503 */
	LIMIT_JSON_DEPTH = 16,           /* nested arrays and objects: malformed-json */
	LIMIT_JSON_VALUES = 16384,       /* values of a body, arrays and objects counted: malformed-json */
	LIMIT_JSON_NUMBER = 32,          /* bytes of a number: malformed-json */
	LIMIT_JSON_ERRORS = 32,          /* faults listed in one invalid-body */
	LIMIT_ARENA = 8 * 1024 * 1024,   /* bytes of memory one call may take */
	LIMIT_NAME = 64,                 /* code points of a name */
	LIMIT_POSITION_TEXT = 512,       /* code points of a position as text: invalid-body */
	LIMIT_MOVE_TEXT = 512,           /* code points of a move as text: invalid-body */
	LIMIT_ENGINE_LEVELS = 10,        /* levels of an engine: invalid-body, invalid-parameter */
	LIMIT_ENGINE_NODES_DEFAULT = 14000, /* nodes of a hint or an analysis where neither they nor a level are asked for */
	LIMIT_ENGINE_NODES = 1000000,    /* nodes of a hint or an analysis (--engine-nodes): invalid-body, invalid-parameter */
	LIMIT_ENGINE_NODES_LEAST = 25000, /* fewest that may be set: room for what is asked where nothing is said */
	LIMIT_ENGINE_LINES = 5,          /* lines of them: invalid-body, invalid-parameter */
	LIMIT_COMMAND = 64 * 1024,      /* bytes of a line that iuvod engine reads: an error, and nothing of it is obeyed */
	LIMIT_REPORT_NODES = 20000,     /* nodes of each of the two searches for a ply of a report: invalid-parameter */
	LIMIT_REPORT_NODES_LEAST = 500, /* fewest of them: invalid-parameter */
	LIMIT_REPORT_NODES_DEFAULT = 2000,         /* the same where none are asked for */
	LIMIT_REPORT_PLIES = 50,                   /* plies of one answer of a report: invalid-parameter */
	LIMIT_CLOCK_SECONDS = 400 * 24 * 60 * 60,  /* seconds for a move, and of a budget: invalid-body */
	LIMIT_CLOCK_SECONDS_LEAST = 60,            /* fewest seconds of either: invalid-body */
	LIMIT_CLOCK_INCREMENT = 30 * 24 * 60 * 60, /* seconds that a move adds to a budget: invalid-body */
	LIMIT_TAGS = 32,                           /* tags of a record */
	LIMIT_TAG_NAME = 32,                       /* code points of a tag's name */
	LIMIT_TAG_VALUE = 1024,                    /* code points of a tag's value */
	LIMIT_PAGE = 100,                          /* entries of a page */
	LIMIT_PAGE_DEFAULT = 20,                   /* the same where no limit is asked for */
	LIMIT_EVENTS = 1000,                       /* events of one answer: invalid-parameter */
	LIMIT_EVENTS_DEFAULT = 100,                /* the same where no limit is asked for */
	LIMIT_WAIT_SECONDS = 50, /* the longest that an answer waits for news; a longer wish is cut to it */
	LIMIT_KEY = 255,         /* bytes of an Idempotency-Key: invalid-header */
	LIMIT_KEY_ALONE = 22,    /* fewest bytes of one that is sent without a token: weak-idempotency-key */
	LIMIT_KEPT = 64 * 1024,  /* bytes of an answer that is kept for retries */
	LIMIT_KEPT_MS = 24 * 60 * 60 * 1000, /* for how long it is kept at least */
	LIMIT_NOTICE_MS = 604800 * 1000,     /* of an offer that takes effect without the answer of all: 7 days */
	LIMIT_CONNECTIONS = 1024,            /* open connections: 503 */
	LIMIT_CONNECTIONS_ADDRESS = 1024,    /* the same, from one address: 503 */
	LIMIT_ADMIN_CONNECTIONS = 32,        /* of the operator's listeners: 503 */
	LIMIT_STREAMS = 12000,               /* open streams and answers that wait: too-many-streams */
	LIMIT_STREAMS_GAME = 10000,          /* the same, of one game: too-many-streams */
	LIMIT_STREAMS_ADDRESS = 10000,       /* the same, from one address: too-many-streams */
	LIMIT_STALL_MS = 30 * 1000,          /* a stream whose reader takes nothing */
	LIMIT_WRITE_QUEUE = 4096,            /* calls waiting for the writer: 503 */
	LIMIT_GAMES_MINUTE = 60,             /* games made in a minute from one address: too-many-requests */
	LIMIT_MOVES_MINUTE = 600,            /* moves, the same */
	LIMIT_CHANGES_MINUTE = 300,          /* whatever else changes something, the same */
	LIMIT_QUESTIONS_MINUTE = 60,         /* hints, analyses and reports of the engine, the same */
	LIMIT_REFUSALS_MINUTE = 1200,        /* calls that are refused (4xx), the same */
	LIMIT_HELD_MS = 500,       /* for so long, or half a second more, the answer to one refusal too many is held back */
	LIMIT_METERED = 16384,     /* addresses of which that is remembered; then those that did least are forgotten */
	LIMIT_QUESTIONS = 64,      /* hints, analyses and reports in the engine's queue (--engine-questions): engine-busy */
	LIMIT_QUESTIONS_MOST = 1000, /* most that may be set: each holds some 64 KiB */
	LIMIT_ENGINE_MOVES = 256,  /* moves in its queues of games with people and without (--engine-moves); others wait */
	LIMIT_ENGINE_MOVES_MOST = 4096, /* most that may be set */
	LIMIT_HANDSHAKE_MS = 10 * 1000, /* of TLS, from the accepted connection on */
	LIMIT_FLUSH_MS = 20 * 1000,     /* the last bytes of a closed connection, to be taken by who reads by TLS */
	LIMIT_CLOSING = 256,            /* connections by TLS that are closed and still have such time */
	LIMIT_HEAD_MS = 10 * 1000, /* from the first byte of a request to the end of its head */
	LIMIT_BODY_MS = 20 * 1000, /* from the end of the head to the end of the body */
	LIMIT_SEND_MS = 60 * 1000, /* from the beginning of a reply to its last byte */
	LIMIT_IDLE_MS = 75 * 1000  /* a connection without a request */
};

#endif
