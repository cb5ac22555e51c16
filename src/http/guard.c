#include "http/guard.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#include "http/figures.h"

enum { BUCKETS = 1024 };

struct guard_place {
	struct guard_place *next;
	uint64_t address;
	unsigned count;   /* connections */
	unsigned streams; /* and answers that wait */
};

struct guard {
	struct guard_limits most;
	pthread_mutex_t lock; /* guards what follows */
	unsigned count, streams;
	struct guard_place *buckets[BUCKETS];
};

struct guard *
guard_open(const struct guard_limits *limits)
{
	struct guard *guard = calloc(1, sizeof *guard);
	if (guard == NULL)
		return NULL;
	guard->most = *limits;
	pthread_mutex_init(&guard->lock, NULL);
	return guard;
}

void
guard_close(struct guard *guard)
{
	if (guard == NULL)
		return;
	pthread_mutex_destroy(&guard->lock);
	free(guard);
}

bool
guard_has_room(struct guard *guard)
{
	pthread_mutex_lock(&guard->lock);
	bool room = guard->count < guard->most.connections + GUARD_RESERVE;
	pthread_mutex_unlock(&guard->lock);
	return room;
}

static struct guard_place **
bucket_of(struct guard *guard, uint64_t address)
{
	return &guard->buckets[(address * 0x9E3779B97F4A7C15u >> 32) % BUCKETS];
}

/* The place of an address, made if there is none.  Under the lock. */
static struct guard_place *
find(struct guard *guard, uint64_t address)
{
	struct guard_place **bucket = bucket_of(guard, address);
	for (struct guard_place *place = *bucket; place != NULL; place = place->next)
		if (place->address == address)
			return place;
	struct guard_place *place = malloc(sizeof *place);
	if (place == NULL)
		return NULL;
	*place = (struct guard_place){.next = *bucket, .address = address};
	*bucket = place;
	return place;
}

struct guard_place *
guard_enter(struct guard *guard, struct ip ip, bool *served)
{
	pthread_mutex_lock(&guard->lock);
	struct guard_place *place = find(guard, ip_key(ip));
	if (place != NULL) {
		*served = guard->count < guard->most.connections && place->count < guard->most.connections_address;
		if (guard->count >= guard->most.connections)
			figures_refused(FIGURES_CONNECTIONS);
		else if (!*served)
			figures_refused(FIGURES_CONNECTIONS_ADDRESS);
		guard->count++;
		place->count++;
	}
	pthread_mutex_unlock(&guard->lock);
	return place;
}

/* Under the lock. */
static void
drop_if_empty(struct guard *guard, struct guard_place *place)
{
	if (place->count > 0 || place->streams > 0)
		return;
	struct guard_place **at = bucket_of(guard, place->address);
	while (*at != place)
		at = &(*at)->next;
	*at = place->next;
	free(place);
}

void
guard_leave(struct guard *guard, struct guard_place *place)
{
	pthread_mutex_lock(&guard->lock);
	guard->count--;
	place->count--;
	drop_if_empty(guard, place);
	pthread_mutex_unlock(&guard->lock);
}

bool
guard_enter_stream(struct guard *guard, struct ip ip, struct guard_place **place, const char **why)
{
	*why = NULL;
	pthread_mutex_lock(&guard->lock);
	struct guard_place *found = find(guard, ip_key(ip));
	if (guard->streams >= guard->most.streams) {
		figures_refused(FIGURES_STREAMS);
		*why = "as many streams are open as there may be in all";
	} else if (found != NULL && found->streams >= guard->most.streams_address) {
		figures_refused(FIGURES_STREAMS_ADDRESS);
		*why = "as many streams are open as there may be from one address";
	}
	bool entered = found != NULL && *why == NULL;
	if (entered) {
		guard->streams++;
		found->streams++;
		*place = found;
	} else if (found != NULL) {
		drop_if_empty(guard, found);
	}
	pthread_mutex_unlock(&guard->lock);
	return entered;
}

void
guard_leave_stream(struct guard *guard, struct guard_place *place)
{
	pthread_mutex_lock(&guard->lock);
	guard->streams--;
	place->streams--;
	drop_if_empty(guard, place);
	pthread_mutex_unlock(&guard->lock);
}

void
guard_count(struct guard *guard, unsigned *connections, unsigned *streams)
{
	pthread_mutex_lock(&guard->lock);
	*connections = guard->count;
	*streams = guard->streams;
	pthread_mutex_unlock(&guard->lock);
}
