/* Links in the order in which they came; each is in one list.  The TLS thread's own. */
#ifndef IUVOD_HTTP_TLS_LIST_H
#define IUVOD_HTTP_TLS_LIST_H

#include "http/tls_link.h"

struct tls_list {
	struct tls_link *first, **end; /* the oldest first */
	unsigned count;
};

static inline void
tls_list_begin(struct tls_list *list)
{
	*list = (struct tls_list){.end = &list->first};
}

static inline void
tls_list_append(struct tls_list *list, struct tls_link *link)
{
	link->next = NULL;
	link->at = list->end;
	*list->end = link;
	list->end = &link->next;
	list->count++;
}

static inline void
tls_list_take(struct tls_list *list, struct tls_link *link)
{
	*link->at = link->next;
	if (link->next != NULL)
		link->next->at = link->at;
	else
		list->end = link->at;
	list->count--;
}

#endif
