#include "http/meter.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/seal.h"
#include "base/token.h"

enum { WAYS = 8, SETS = LIMIT_METERED / WAYS, SECOND_US = 1000 * 1000, MINUTE_US = 60 * SECOND_US };

_Static_assert((SETS & (SETS - 1)) == 0 && SETS * WAYS == LIMIT_METERED, "sets are found by bits of a hash");

/* When all of a quota is there again, for each: what is past is as good as never used, and so is a free place. */
struct place {
	uint64_t address;
	int64_t whole_us[QUOTA_COUNT];
};

struct meter {
	unsigned most[QUOTA_COUNT];
	uint64_t add, times;  /* secret, so that nobody finds addresses that share a set */
	pthread_mutex_t lock; /* guards what follows */
	struct place places[SETS][WAYS];
};

static void
draw_secrets(struct meter *meter)
{
	char token[TOKEN_LEN + 1];
	unsigned char bytes[SEAL_KEY_LEN];
	token_new(token);
	seal_hash("iuvod meter", &(struct seal_part){token, TOKEN_LEN}, 1, bytes);
	memcpy(&meter->add, bytes, sizeof meter->add);
	memcpy(&meter->times, bytes + sizeof meter->add, sizeof meter->times);
	meter->times |= 1;
}

struct meter *
meter_open(const unsigned most[QUOTA_COUNT])
{
	struct meter *meter = calloc(1, sizeof *meter);
	if (meter == NULL)
		return NULL;
	memcpy(meter->most, most, sizeof meter->most);
	draw_secrets(meter);
	pthread_mutex_init(&meter->lock, NULL);
	return meter;
}

void
meter_close(struct meter *meter)
{
	if (meter == NULL)
		return;
	pthread_mutex_destroy(&meter->lock);
	free(meter);
}

static struct place *
set_of(struct meter *meter, uint64_t address)
{
	uint64_t hash = (address + meter->add) * meter->times;
	hash = (hash ^ hash >> 32) * meter->times;
	return meter->places[(hash >> 32) & (SETS - 1)];
}

static int64_t
last_whole(const struct place *place)
{
	int64_t last = place->whole_us[0];
	for (unsigned i = 1; i < QUOTA_COUNT; i++)
		if (place->whole_us[i] > last)
			last = place->whole_us[i];
	return last;
}

/* The place of an address; NULL: it has none, and nothing is counted of it. */
static struct place *
look_up(struct meter *meter, uint64_t address)
{
	struct place *set = set_of(meter, address);
	for (struct place *place = set; place < set + WAYS; place++)
		if (place->address == address)
			return place;
	return NULL;
}

/* The same; if it has none, that of the one who wins everything back first. */
static struct place *
find(struct meter *meter, uint64_t address)
{
	struct place *set = set_of(meter, address), *least = set, *found = look_up(meter, address);
	if (found != NULL)
		return found;
	for (struct place *place = set; place < set + WAYS; place++)
		if (last_whole(place) < last_whole(least))
			least = place;
	*least = (struct place){.address = address};
	return least;
}

static unsigned
seconds(int64_t us)
{
	return (unsigned)((us + SECOND_US - 1) / SECOND_US);
}

static void
take(int64_t *whole_us, int64_t now_us, struct quota_mark *mark)
{
	int64_t each_us = MINUTE_US / mark->most;
	int64_t used_us = *whole_us > now_us ? *whole_us - now_us : 0;
	if (used_us + each_us > MINUTE_US) {
		mark->refused_s = seconds(used_us + each_us - MINUTE_US);
	} else {
		used_us += each_us;
		*whole_us = now_us + used_us;
	}
	mark->left = (unsigned)((MINUTE_US - used_us) / each_us);
	mark->whole_s = seconds(used_us);
}

void
meter_take(struct meter *meter, enum quota quota, uint64_t address, int64_t now_us, struct quota_mark *mark)
{
	*mark = (struct quota_mark){.quota = quota, .most = meter->most[quota]};
	if (mark->most == 0)
		return;
	pthread_mutex_lock(&meter->lock);
	take(&find(meter, address)->whole_us[quota], now_us, mark);
	pthread_mutex_unlock(&meter->lock);
}

void
meter_look(struct meter *meter, enum quota quota, uint64_t address, int64_t now_us, struct quota_mark *mark)
{
	*mark = (struct quota_mark){.quota = quota, .most = meter->most[quota]};
	if (mark->most == 0)
		return;
	pthread_mutex_lock(&meter->lock);
	const struct place *place = look_up(meter, address);
	int64_t whole_us = place == NULL ? 0 : place->whole_us[quota];
	pthread_mutex_unlock(&meter->lock);
	take(&whole_us, now_us, mark);
}
