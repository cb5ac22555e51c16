/* Answers that wait: until there is news in their log, for so long, or until all of them are to end. */
#include <stddef.h>
#include <sys/epoll.h>

#include "http/watch_private.h"

static struct watch_wait *
wait_of(struct due_entry *due)
{
	return (struct watch_wait *)(void *)((char *)due - offsetof(struct watch_wait, due));
}

static void
wake_wait(struct watch *watch, struct watch_wait *wait)
{
	epoll_ctl(watch->epoll, EPOLL_CTL_DEL, wait->fd, NULL);
	*wait->topic_at = wait->topic_next;
	if (wait->topic_next != NULL)
		wait->topic_next->topic_at = wait->topic_at;
	due_remove(&watch->waits[wait->seconds], &wait->due);
	watch_part(watch, wait->topic);
	topic_leave(&watch->topics, wait->topic);
	guard_leave_stream(watch->options.guard, wait->place);
	watch->options.woken(wait);
}

static bool
has_news(const struct watch *watch, const struct watch_wait *wait)
{
	const struct topic *topic = wait->topic;
	return topic->tip.seq > wait->after || topic->tip.over || topic->broken || watch->waits_ended;
}

void
watch_hear_wait(struct watch *watch, struct watch_wait *wait, uint32_t events)
{
	/*
	 * Whether a client that has closed his side still reads is told only by sending him something, and there is one
	 * answer to send.  So he has it now: he cannot ask for another here, and if he is gone his place is free.
	 */
	wait->gone = (events & (EPOLLERR | EPOLLHUP)) != 0;
	wake_wait(watch, wait);
}

void
watch_begin_wait(struct watch *watch, struct watch_wait *wait)
{
	struct topic *topic = wait->topic;
	/* Where that is not possible, it waits to its end. */
	struct epoll_event event = {.events = EPOLLRDHUP | EPOLLET, .data.ptr = wait};
	(void)epoll_ctl(watch->epoll, EPOLL_CTL_ADD, wait->fd, &event);
	wait->topic_at = &topic->waits;
	wait->topic_next = topic->waits;
	if (wait->topic_next != NULL)
		wait->topic_next->topic_at = &wait->topic_next;
	topic->waits = wait;
	watch_join(watch, topic);
	due_add(&watch->waits[wait->seconds], &wait->due, watch->now_us + wait->seconds * INT64_C(1000000));
	watch_read_tip(watch, topic);
	if (has_news(watch, wait))
		wake_wait(watch, wait);
}

void
watch_wake_waits(struct watch *watch, struct topic *topic)
{
	for (struct watch_wait *wait = topic->waits, *next; wait != NULL; wait = next) {
		next = wait->topic_next;
		if (has_news(watch, wait))
			wake_wait(watch, wait);
	}
}

void
watch_sweep_waits(struct watch *watch)
{
	struct due_entry *due;
	for (unsigned i = 0; i <= LIMIT_WAIT_SECONDS; i++)
		while ((due = due_first(&watch->waits[i], watch->now_us)) != NULL)
			wake_wait(watch, wait_of(due));
}

int64_t
watch_next_wait(const struct watch *watch, int64_t at)
{
	for (unsigned i = 0; i <= LIMIT_WAIT_SECONDS; i++)
		at = due_next(&watch->waits[i], at);
	return at;
}
