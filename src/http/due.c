#include "http/due.h"

#include <stddef.h>

void
due_add(struct due_list *list, struct due_entry *entry, int64_t at_us)
{
	*entry = (struct due_entry){.before = list->last, .at_us = at_us};
	if (list->last != NULL)
		list->last->next = entry;
	else
		list->first = entry;
	list->last = entry;
}

void
due_remove(struct due_list *list, struct due_entry *entry)
{
	if (entry->before != NULL)
		entry->before->next = entry->next;
	else
		list->first = entry->next;
	if (entry->next != NULL)
		entry->next->before = entry->before;
	else
		list->last = entry->before;
}

struct due_entry *
due_first(const struct due_list *list, int64_t now_us)
{
	return list->first != NULL && list->first->at_us <= now_us ? list->first : NULL;
}

int64_t
due_next(const struct due_list *list, int64_t at_us)
{
	if (list->first == NULL || (at_us >= 0 && at_us <= list->first->at_us))
		return at_us;
	return list->first->at_us;
}
