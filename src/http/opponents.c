#include "http/opponents.h"

#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "http/statistics.h"
#include "play/opponent.h"
#include "store/db.h"

enum {
	GLANCE = 16,         /* games that one look at the store finds */
	REST_US = 500 * 1000 /* after a failure */
};

/* One game in hand. */
struct thought {
	struct think_job job;
	struct lane_entry entry;
	struct call call; /* without an arena while it is not the writer's */
	struct opponents *opponents;
	struct thought *next; /* of its slot */
	char game[ID_LEN + 1];
	bool again; /* told of once more since it was begun; guarded by the lock */
	struct opponent_task task;
	enum fault fault; /* why it came to nothing */
};

/* Of each class: games that may be in the store and not in hand. */
struct backlog {
	bool looking;  /* there may be any */
	bool more;     /* there may be some before `after`, too */
	bool lacked;   /* there was no room for one since the store was looked at from its beginning on */
	bool full;     /* until all have had their turn nobody goes before them */
	int64_t after; /* where the next look begins */
};

struct opponents {
	struct opponents_options options;
	pthread_t thread;

	pthread_mutex_t reading; /* guards the connection; nobody who has it waits for the lock */
	struct db *db;
	struct arena *arena;

	pthread_mutex_t lock; /* guards all that follows */
	pthread_cond_t work;  /* to the thread */
	struct backlog backlogs[THINK_CLASSES];
	int64_t rest_until_us;
	bool room; /* there may be some again since the thread was last at work */
	bool ending;
	struct thought *slots[CHANGES_SLOTS];
};

static enum think_class
class_of(unsigned thinks)
{
	return thinks == OPPONENT_AMONG_PEOPLE ? THINK_PERSON : THINK_ENGINE;
}

/* ---- games in hand; under the lock ---- */

static struct thought **
find(struct opponents *opponents, const char *game)
{
	struct thought **at = &opponents->slots[changes_slot(game)];
	while (*at != NULL && strcmp((*at)->game, game) != 0)
		at = &(*at)->next;
	return at;
}

static void
forget(struct thought *thought)
{
	struct thought **at = find(thought->opponents, thought->game);
	*at = thought->next;
	free(thought);
}

/* Somebody looks for it in the store, later. */
static void
put_off(struct opponents *opponents, enum think_class class)
{
	struct backlog *backlog = &opponents->backlogs[class];
	backlog->more |= backlog->looking;
	if (!backlog->looking)
		*backlog = (struct backlog){.looking = true};
	pthread_cond_signal(&opponents->work);
}

static bool step(struct think_job *job, struct search *search);
static void thought_out(struct think_job *job);

/* Gives it to the engine; false if there is no room, or no more is taken. */
static bool
submit(struct thought *thought, enum think_class class, enum fault *fault)
{
	thought->again = false;
	thought->fault = FAULT_NONE;
	thought->job = (struct think_job){.class = class, .step = step, .done = thought_out};
	return think_submit(thought->opponents->options.think, &thought->job, fault);
}

/* Takes a game in hand, if it is not; false if there is no room for it. */
static bool
begin(struct opponents *opponents, const char *game, enum think_class class)
{
	enum fault fault;
	struct thought **at = find(opponents, game);
	if (*at != NULL) {
		(*at)->again = true;
		return true;
	}
	struct thought *thought = memory_take(sizeof *thought);
	if (thought == NULL) {
		opponents->rest_until_us = clock_mono_us() + REST_US;
		return false;
	}
	memset(thought, 0, sizeof *thought);
	thought->opponents = opponents;
	memcpy(thought->game, game, sizeof thought->game);
	*at = thought;
	if (submit(thought, class, &fault))
		return true;
	forget(thought);
	return fault == FAULT_STOPPING;
}

/* ---- one game, from its reading to its end ---- */

/* It is in hand no more, or is begun anew. */
static void
finish(struct thought *thought)
{
	struct opponents *opponents = thought->opponents;
	enum think_class class = thought->job.class;
	struct backlog *backlog = &opponents->backlogs[class];
	char game[ID_LEN + 1];
	enum fault fault = thought->fault;
	bool later = fault == FAULT_STORAGE || fault == FAULT_OUT_OF_MEMORY || fault == FAULT_OVERLOADED;
	memcpy(game, thought->game, sizeof game);
	pthread_mutex_lock(&opponents->lock);
	if (later)
		opponents->rest_until_us = clock_mono_us() + REST_US;
	opponents->room = true;
	bool again = !opponents->ending && (later || thought->again);
	/* Where others wait for room, it goes behind them. */
	bool at_once = again && !later && !backlog->full && submit(thought, class, &fault);
	if (!at_once)
		forget(thought);
	if (again && !at_once)
		put_off(opponents, class);
	else if (backlog->looking)
		pthread_cond_signal(&opponents->work);
	pthread_mutex_unlock(&opponents->lock);
	if (fault != FAULT_NONE && fault != FAULT_STOPPING && fault != FAULT_ENGINE_BUSY && !later)
		log_line(LOG_ERROR, "opponent_failed", "game=%s fault=%s", game, fault_row(fault)->slug);
}

static enum fault
read_task(struct thought *thought, struct history *history)
{
	struct opponents *opponents = thought->opponents;
	pthread_mutex_lock(&opponents->reading);
	arena_reset(opponents->arena);
	enum fault fault = db_read_begin(opponents->db);
	if (fault == FAULT_NONE)
		fault = opponent_read(opponents->db, opponents->arena, thought->game, &thought->task, history);
	db_end(opponents->db);
	pthread_mutex_unlock(&opponents->reading);
	return fault;
}

/* On an engine thread, which has room for a past. */
static bool
step(struct think_job *job, struct search *search)
{
	struct thought *thought = (struct thought *)(void *)((char *)job - offsetof(struct thought, job));
	struct history history;
	thought->task.act = OPPONENT_NOTHING;
	thought->fault = read_task(thought, &history);
	if (thought->fault == FAULT_NONE && thought->task.act != OPPONENT_NOTHING)
		opponent_think(&thought->task, search, &history, &job->stop);
	return false;
}

/* In the writer's transaction. */
static bool
act(struct call *call)
{
	struct thought *thought = (struct thought *)(void *)((char *)call - offsetof(struct thought, call));
	struct game game;
	bool done = false;
	enum fault fault = opponent_do(call->db, call->arena, call->now_ms, &thought->task, &game, &done);
	if (fault == FAULT_NONE && done)
		fault = call_changed(call, &game);
	thought->fault = fault;
	return fault == FAULT_NONE && done;
}

/* The writer is done with it. */
static void
acted(struct lane_entry *entry)
{
	struct thought *thought = (struct thought *)(void *)((char *)entry - offsetof(struct thought, entry));
	struct call *call = &thought->call;
	if (call->replied)
		thought->fault = FAULT_STORAGE; /* its whole batch was lost */
	text_free(&call->reply.body);
	arena_close(call->arena);
	finish(thought);
}

/* To the writer; false if it is not taken. */
static bool
enter_lane(struct thought *thought)
{
	struct opponents *opponents = thought->opponents;
	thought->call = (struct call){.arena = arena_open(LIMIT_ARENA), .service = opponents->options.service};
	thought->entry = (struct lane_entry){.call = &thought->call, .run = act, .done = acted};
	if (thought->call.arena == NULL) {
		thought->fault = FAULT_OUT_OF_MEMORY;
		return false;
	}
	if (lane_append(opponents->options.lane, &thought->entry, &thought->fault))
		return true;
	arena_close(thought->call.arena);
	return false;
}

static void
thought_out(struct think_job *job)
{
	struct thought *thought = (struct thought *)(void *)((char *)job - offsetof(struct thought, job));
	bool found = !job->stop && thought->fault == FAULT_NONE && thought->task.act != OPPONENT_NOTHING;
	if (!found || !enter_lane(thought))
		finish(thought);
}

/* ---- what is to be done ---- */

/* On the writer's thread, after COMMIT. */
static void
hear(void *arg, const struct changed_game *game)
{
	struct opponents *opponents = arg;
	enum think_class class = class_of(game->thinks);
	pthread_mutex_lock(&opponents->lock);
	struct thought *thought = *find(opponents, game->id);
	if (thought != NULL)
		thought->again = true;
	else if (!opponents->ending && (opponents->backlogs[class].full || !begin(opponents, game->id, class)))
		put_off(opponents, class);
	pthread_mutex_unlock(&opponents->lock);
}

/* The ids of games that were found; none for one whose row is damaged: its engine keeps nobody from the others. */
static enum fault
name_all(struct db *db, const int64_t *games, struct game_key *keys, unsigned count)
{
	enum fault fault = FAULT_NONE;
	for (unsigned i = 0; i < count && fault == FAULT_NONE; i++) {
		keys[i] = (struct game_key){.game = games[i]};
		fault = games_id(db, games[i], keys[i].id);
		if (fault == FAULT_DAMAGED_DATA || fault == FAULT_NO_SUCH_GAME)
			fault = FAULT_NONE;
	}
	return fault;
}

static enum fault
look(struct opponents *opponents, unsigned thinks, int64_t after, struct game_key keys[GLANCE], unsigned *count)
{
	int64_t games[GLANCE];
	pthread_mutex_lock(&opponents->reading);
	enum fault fault = db_read_begin(opponents->db);
	if (fault == FAULT_NONE)
		fault = games_thinking(opponents->db, thinks, after, games, GLANCE, count);
	if (fault == FAULT_NONE)
		fault = name_all(opponents->db, games, keys, *count);
	db_end(opponents->db);
	pthread_mutex_unlock(&opponents->reading);
	return fault;
}

/* Takes in hand what was found, in order; false if there was no room for one of them.  Under the lock. */
static bool
begin_all(struct opponents *opponents, enum think_class class, const struct game_key *keys, unsigned count)
{
	struct backlog *backlog = &opponents->backlogs[class];
	for (unsigned i = 0; i < count; i++) {
		bool waits = keys[i].id[0] != '\0' && *find(opponents, keys[i].id) == NULL;
		if (waits && !begin(opponents, keys[i].id, class))
			return false;
		backlog->after = keys[i].game;
	}
	return true;
}

/* Looks for games of a class, and takes in hand as many as there is room for.  Under the lock, which it lets go. */
static void
catch_up(struct opponents *opponents, unsigned thinks)
{
	enum think_class class = class_of(thinks);
	struct backlog *backlog = &opponents->backlogs[class];
	struct game_key keys[GLANCE];
	while (backlog->looking && !opponents->ending) {
		unsigned count = 0;
		/* What is put off from here on may be missed by this look. */
		if (backlog->after == 0)
			backlog->more = backlog->lacked = false;
		int64_t after = backlog->after;
		pthread_mutex_unlock(&opponents->lock);
		enum fault fault = look(opponents, thinks, after, keys, &count);
		pthread_mutex_lock(&opponents->lock);
		if (fault != FAULT_NONE) {
			opponents->rest_until_us = clock_mono_us() + REST_US;
			return;
		}
		if (!begin_all(opponents, class, keys, count)) {
			backlog->lacked = backlog->full = true;
			return;
		}
		if (count == GLANCE)
			continue;
		backlog->looking = backlog->more;
		backlog->full = backlog->lacked;
		backlog->after = 0;
	}
}

/* Waits until there is something to look for, and room for it.  Under the lock. */
static void
wait_for_work(struct opponents *opponents)
{
	int64_t now_us = clock_mono_us(), until = opponents->rest_until_us;
	bool looking = opponents->backlogs[THINK_PERSON].looking || opponents->backlogs[THINK_ENGINE].looking;
	if (!looking || now_us >= until) {
		pthread_cond_wait(&opponents->work, &opponents->lock);
		return;
	}
	struct timespec limit = {.tv_sec = until / 1000000, .tv_nsec = until % 1000000 * 1000};
	pthread_cond_timedwait(&opponents->work, &opponents->lock, &limit);
	opponents->room = true;
}

static bool
may_look(const struct opponents *opponents)
{
	bool looking = opponents->backlogs[THINK_PERSON].looking || opponents->backlogs[THINK_ENGINE].looking;
	return looking && opponents->room && clock_mono_us() >= opponents->rest_until_us;
}

static void *
run(void *arg)
{
	struct opponents *opponents = arg;
	pthread_mutex_lock(&opponents->lock);
	while (!opponents->ending) {
		if (!may_look(opponents)) {
			wait_for_work(opponents);
			continue;
		}
		opponents->room = false;
		catch_up(opponents, OPPONENT_AMONG_PEOPLE);
		catch_up(opponents, OPPONENT_AMONG_ENGINES);
	}
	pthread_mutex_unlock(&opponents->lock);
	log_flush();
	return NULL;
}

/* ---- opening and closing ---- */

static bool
start(struct opponents *opponents)
{
	pthread_condattr_t attributes;
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_mutex_init(&opponents->lock, NULL);
	pthread_mutex_init(&opponents->reading, NULL);
	pthread_cond_init(&opponents->work, &attributes);
	pthread_condattr_destroy(&attributes);
	opponents->room = true;
	opponents->backlogs[THINK_PERSON].looking = opponents->backlogs[THINK_ENGINE].looking = true;
	/* The writer tells from now on, so that what the first look misses is heard of. */
	lane_tell(opponents->options.lane, hear, opponents);
	if (pthread_create(&opponents->thread, NULL, run, opponents) == 0)
		return true;
	lane_tell(opponents->options.lane, NULL, NULL);
	pthread_cond_destroy(&opponents->work);
	pthread_mutex_destroy(&opponents->reading);
	pthread_mutex_destroy(&opponents->lock);
	return false;
}

struct opponents *
opponents_open(const struct opponents_options *options, char *why, size_t room)
{
	struct opponents *opponents = calloc(1, sizeof *opponents);
	if (opponents == NULL) {
		snprintf(why, room, "no memory for the engines at the board");
		return NULL;
	}
	opponents->options = *options;
	opponents->arena = arena_open(LIMIT_ARENA);
	opponents->db = db_open(options->database, DB_READ, why, room);
	if (opponents->db == NULL)
		goto failed;
	if (opponents->arena != NULL && start(opponents))
		return opponents;
	snprintf(why, room, "no memory for the engines at the board");
failed:
	db_close(opponents->db);
	arena_close(opponents->arena);
	free(opponents);
	return NULL;
}

void
opponents_end(struct opponents *opponents)
{
	if (opponents == NULL)
		return;
	pthread_mutex_lock(&opponents->lock);
	opponents->ending = true;
	pthread_cond_signal(&opponents->work);
	pthread_mutex_unlock(&opponents->lock);
	pthread_join(opponents->thread, NULL);
}

void
opponents_close(struct opponents *opponents)
{
	if (opponents == NULL)
		return;
	statistics_log(opponents->db);
	log_flush();
	db_close(opponents->db);
	arena_close(opponents->arena);
	pthread_cond_destroy(&opponents->work);
	pthread_mutex_destroy(&opponents->reading);
	pthread_mutex_destroy(&opponents->lock);
	free(opponents);
}
