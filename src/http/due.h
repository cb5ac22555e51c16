/* What is due after the same time each: a queue in which the first is due first. */
#ifndef IUVOD_HTTP_DUE_H
#define IUVOD_HTTP_DUE_H

#include <stdbool.h>
#include <stdint.h>

struct due_entry {
	struct due_entry *next, *before;
	int64_t at_us;
};

struct due_list {
	struct due_entry *first, *last;
};

/* Adds at the end one that is due at a time not before that of the last; it must be in no list. */
void due_add(struct due_list *list, struct due_entry *entry, int64_t at_us);
void due_remove(struct due_list *list, struct due_entry *entry);

/* The first, if it is due; it stays in the list.  NULL if none is. */
struct due_entry *due_first(const struct due_list *list, int64_t now_us);

/* The earlier of a time and that at which the list's first is due; -1 is never. */
int64_t due_next(const struct due_list *list, int64_t at_us);

#endif
