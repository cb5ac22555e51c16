#include "http/cache.h"

#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>

#include "base/token.h"

/* What an entry costs apart from its key and body: the response with its headers, mostly. */
enum { OVERHEAD = 1024, BYTES_PER_BUCKET = 4096, BUCKETS_LEAST = 64 };

struct entry {
	struct entry *chain;         /* of the same bucket */
	struct entry *newer, *older; /* by last use */
	uint64_t hash;
	uint64_t epoch;
	unsigned slot;
	size_t cost;
	struct cache_document document;
	size_t target_len, accept_len; /* accept_len SIZE_MAX: none was sent */
	char key[];                    /* target, accept */
};

struct cache {
	const struct changes *changes;
	size_t room, used;
	uint64_t seed;
	struct entry *newest, *oldest;
	size_t bucket_count; /* a power of two */
	struct entry *buckets[];
};

struct key {
	const char *target, *accept;
	size_t target_len, accept_len;
	uint64_t hash;
};

/* Seeded, so that nobody can choose keys that fall into one bucket without seeing the seed. */
static uint64_t
mix(uint64_t hash, const char *bytes, size_t len)
{
	while (len > 0) {
		uint64_t word = 0;
		size_t part = len < sizeof word ? len : sizeof word;
		memcpy(&word, bytes, part);
		__uint128_t product = (__uint128_t)(hash ^ word) * 0x9E3779B97F4A7C15u;
		hash = (uint64_t)product ^ (uint64_t)(product >> 64) ^ len;
		bytes += part;
		len -= part;
	}
	return hash;
}

static struct key
key_of(const struct cache *cache, const char *target, const char *accept)
{
	struct key key = {.target = target, .accept = accept};
	key.target_len = strlen(target);
	key.accept_len = accept == NULL ? SIZE_MAX : strlen(accept);
	key.hash = mix(cache->seed, target, key.target_len);
	if (accept != NULL)
		key.hash = mix(key.hash + 1, accept, key.accept_len);
	return key;
}

static bool
matches(const struct entry *entry, const struct key *key)
{
	return entry->hash == key->hash && entry->target_len == key->target_len &&
	       entry->accept_len == key->accept_len && memcmp(entry->key, key->target, key->target_len) == 0 &&
	       (key->accept == NULL || memcmp(entry->key + key->target_len, key->accept, key->accept_len) == 0);
}

static struct entry **
bucket_of(struct cache *cache, uint64_t hash)
{
	return &cache->buckets[hash & (cache->bucket_count - 1)];
}

struct cache *
cache_open(size_t room, const struct changes *changes)
{
	size_t buckets = BUCKETS_LEAST;
	while (buckets < room / BYTES_PER_BUCKET)
		buckets *= 2;
	struct cache *cache = calloc(1, sizeof *cache + buckets * sizeof(struct entry *));
	if (cache == NULL)
		return NULL;
	char id[ID_LEN + 1];
	token_new_id(id);
	cache->seed = mix(1, id, ID_LEN);
	cache->changes = changes;
	cache->room = room;
	cache->bucket_count = buckets;
	return cache;
}

static void
unlink_use(struct cache *cache, struct entry *entry)
{
	*(entry->newer == NULL ? &cache->newest : &entry->newer->older) = entry->older;
	*(entry->older == NULL ? &cache->oldest : &entry->older->newer) = entry->newer;
}

static void
link_newest(struct cache *cache, struct entry *entry)
{
	entry->newer = NULL;
	entry->older = cache->newest;
	*(cache->newest == NULL ? &cache->oldest : &cache->newest->newer) = entry;
	cache->newest = entry;
}

static void
drop(struct cache *cache, struct entry *entry)
{
	struct entry **at = bucket_of(cache, entry->hash);
	while (*at != entry)
		at = &(*at)->chain;
	*at = entry->chain;
	unlink_use(cache, entry);
	cache->used -= entry->cost;
	MHD_destroy_response(entry->document.response);
	free(entry);
}

void
cache_close(struct cache *cache)
{
	if (cache == NULL)
		return;
	while (cache->newest != NULL)
		drop(cache, cache->newest);
	free(cache);
}

static struct entry *
find(struct cache *cache, const struct key *key)
{
	struct entry *entry = *bucket_of(cache, key->hash);
	while (entry != NULL && !matches(entry, key))
		entry = entry->chain;
	return entry;
}

const struct cache_document *
cache_find(struct cache *cache, const char *target, const char *accept)
{
	struct key key = key_of(cache, target, accept);
	struct entry *entry = find(cache, &key);
	if (entry == NULL)
		return NULL;
	if (!changes_fresh(cache->changes, entry->slot, entry->epoch)) {
		drop(cache, entry);
		return NULL;
	}
	if (entry != cache->newest) {
		unlink_use(cache, entry);
		link_newest(cache, entry);
	}
	return &entry->document;
}

static struct entry *
entry_new(const struct key *key, size_t cost)
{
	size_t accept_len = key->accept == NULL ? 0 : key->accept_len;
	struct entry *entry = malloc(sizeof *entry + key->target_len + accept_len);
	if (entry == NULL)
		return NULL;
	*entry = (struct entry){
	    .hash = key->hash, .cost = cost, .target_len = key->target_len, .accept_len = key->accept_len};
	memcpy(entry->key, key->target, key->target_len);
	if (accept_len > 0)
		memcpy(entry->key + key->target_len, key->accept, accept_len);
	return entry;
}

bool
cache_keep(struct cache *cache, const char *target, const char *accept, const char *game, uint64_t epoch,
    const struct cache_document *document)
{
	struct key key = key_of(cache, target, accept);
	size_t cost = OVERHEAD + key.target_len + (accept == NULL ? 0 : key.accept_len) + document->bytes;
	struct entry *old = find(cache, &key);
	if (old != NULL)
		drop(cache, old);
	/* One document may not push out all others. */
	if (cost > cache->room / 4)
		return false;
	while (cache->used + cost > cache->room)
		drop(cache, cache->oldest);
	struct entry *entry = entry_new(&key, cost);
	if (entry == NULL)
		return false;
	entry->document = *document;
	entry->epoch = epoch;
	entry->slot = changes_slot(game);
	entry->chain = *bucket_of(cache, key.hash);
	*bucket_of(cache, key.hash) = entry;
	link_newest(cache, entry);
	cache->used += cost;
	return true;
}
