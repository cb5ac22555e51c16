#include "http/watcher.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "http/watch_private.h"

struct watcher *
watcher_of(struct due_entry *due)
{
	return (struct watcher *)(void *)((char *)due - offsetof(struct watcher, due));
}

static struct block *
first_block(const struct watch_order *order)
{
	struct text hello = TEXT_EMPTY;
	struct block *block = NULL;
	stream_hello(order->stream->form, &hello);
	if (!text_failed(&hello))
		block = block_first(order->head, order->head_len, hello.bytes, hello.len, order->chunked);
	if (block != NULL)
		block->to = -1;
	text_free(&hello);
	return block;
}

struct watcher *
watcher_new(const struct watch_order *order, enum fault *fault)
{
	struct watcher *watcher = memory_take(sizeof *watcher);
	*fault = FAULT_OUT_OF_MEMORY;
	if (watcher == NULL)
		return NULL;
	*watcher = (struct watcher){
	    .kind = WATCH_STREAM,
	    .sink.fd = -1,
	    .stream = *order->stream,
	    .block = first_block(order),
	    .chunked = order->chunked,
	    .began_us = clock_mono_us(),
	    .template = order->template,
	};
	snprintf(watcher->address, sizeof watcher->address, "%s", order->address);
	if (watcher->block != NULL && sink_open(&watcher->sink, order->fd))
		return watcher;
	if (watcher->block != NULL)
		*fault = FAULT_OVERLOADED;
	watcher_free(watcher);
	return NULL;
}

void
watcher_free(struct watcher *watcher)
{
	if (watcher->sink.fd >= 0)
		sink_release(&watcher->sink);
	block_release(watcher->block);
	free(watcher);
}

/* ---- the end ---- */

static void
log_end_of(const struct watch *watch, const struct watcher *watcher, const char *why)
{
	if (!log_begin(LOG_INFO, "stream_end"))
		return;
	log_text("route", watcher->template);
	log_text("end", why);
	log_us_as_ms("ms", (uint64_t)(watch->now_us - watcher->began_us));
	log_uint("bytes", watcher->bytes);
	log_text("address", watcher->address);
	log_end();
}

/* Its socket is closed; it is buried at the end of the turn, since others may be looking at it. */
static void
die(struct watch *watch, struct watcher *watcher, const char *why)
{
	struct topic *topic = watcher->topic;
	log_end_of(watch, watcher, why);
	watcher->dead = true;
	watcher->sink.fd = -1;
	due_remove(watcher->stalled ? &watch->stalls : &watch->beats, &watcher->due);
	if (topic->at == watcher)
		topic->at = watcher->topic_next;
	*watcher->topic_at = watcher->topic_next;
	if (watcher->topic_next != NULL)
		watcher->topic_next->topic_at = watcher->topic_at;
	watcher->next = watch->dead;
	watch->dead = watcher;
	watch->count--;
	watch_part(watch, topic);
}

/* The library may have its side of the socket open still: then closing ours would not end its events. */
static void
unhook(struct watch *watch, struct watcher *watcher)
{
	epoll_ctl(watch->epoll, EPOLL_CTL_DEL, watcher->sink.fd, NULL);
}

void
watcher_cut(struct watch *watch, struct watcher *watcher, const char *why)
{
	unhook(watch, watcher);
	sink_cut(&watcher->sink);
	die(watch, watcher, why);
}

static void
finish(struct watch *watch, struct watcher *watcher)
{
	unhook(watch, watcher);
	sink_close(&watcher->sink);
	die(watch, watcher, watcher->farewell != NULL ? watcher->farewell : watch->ending ? "stopping" : "over");
}

/* ---- sending ---- */

/* When it is to be looked at again: it takes nothing, or has nothing to take. */
static void
set_due(struct watch *watch, struct watcher *watcher, bool stalled)
{
	due_remove(watcher->stalled ? &watch->stalls : &watch->beats, &watcher->due);
	watcher->stalled = stalled;
	if (stalled)
		due_add(&watch->stalls, &watcher->due, watch->now_us + watch->options.stall_ms * INT64_C(1000));
	else
		due_add(&watch->beats, &watcher->due, watch->now_us + watch->options.beat_ms * INT64_C(1000));
}

/* The block was sent to its end. */
static void
advance(struct watch *watch, struct watcher *watcher)
{
	struct block *block = watcher->block;
	bool last = block->last;
	watcher->block = NULL;
	watcher->sent = 0;
	if (block->to >= 0) {
		watcher->stream.after = block->to;
		watcher->stream.reset = false;
	}
	block_release(block);
	if (last)
		finish(watch, watcher);
	else
		set_due(watch, watcher, false);
}

/* Sends on; false if the socket takes no more, or is gone. */
static bool
send_block(struct watch *watch, struct watcher *watcher)
{
	size_t len;
	const char *bytes = block_bytes(watcher->block, watcher->chunked, &len);
	ssize_t sent = len == watcher->sent ? 0 : sink_send(&watcher->sink, bytes + watcher->sent, len - watcher->sent);
	if (sent < 0) {
		watcher_cut(watch, watcher, errno == ETIMEDOUT ? "stalled" : "left");
		return false;
	}
	watcher->sent += (size_t)sent;
	watcher->bytes += (uint64_t)sent;
	if (watcher->sent == len) {
		advance(watch, watcher);
		return !watcher->dead;
	}
	if (sent > 0 || !watcher->stalled)
		set_due(watch, watcher, true);
	return false;
}

/* ---- what is to be sent ---- */

static struct block *
goodbye(struct watcher *watcher, const char *reason)
{
	struct text text = TEXT_EMPTY;
	struct block *block = NULL;
	stream_goodbye(&watcher->stream, &watcher->topic->tip, clock_now_ms(), reason, &text);
	if (!text_failed(&text))
		block = block_new(text.bytes, text.len, true);
	if (block != NULL)
		block->to = -1;
	text_free(&text);
	return block;
}

/* Reads the page after the watcher's cursor; NULL if that fails. */
static struct block *
read_page(struct watch *watch, const struct watcher *watcher)
{
	const struct stream_tip *tip = &watcher->topic->tip;
	struct text text = TEXT_EMPTY;
	struct block *block = NULL;
	int64_t to = watcher->stream.after;
	enum fault fault = watch_read(watch);
	if (fault == FAULT_NONE)
		fault = stream_page(
		    watch->options.service, watch->db, watch->arena, clock_now_ms(), &watcher->stream, &text, &to);
	arena_reset(watch->arena);
	/* It was asked because there is more: a log that ends before is as one with a gap. */
	if (fault == FAULT_NONE && !watcher->stream.reset && to == watcher->stream.after)
		fault = FAULT_DAMAGED_GAME;
	if (fault == FAULT_NONE)
		block = block_new(text.bytes, text.len, tip->over && to >= tip->seq);
	if (block != NULL) {
		block->from = watcher->stream.after;
		block->to = to;
	} else {
		log_line(LOG_ERROR, "stream_failed", "fault=%s",
		    fault_row(fault == FAULT_NONE ? FAULT_OUT_OF_MEMORY : fault)->slug);
	}
	text_free(&text);
	return block;
}

/* The same, from those that were read in this turn, and kept for others who stand there too. */
static struct block *
find_page(struct watch *watch, struct watcher *watcher)
{
	struct topic *topic = watcher->topic;
	struct block **kept = &topic->cache[watcher->stream.form][stream_seated(&watcher->stream)];
	if (watcher->stream.reset)
		return read_page(watch, watcher);
	if (*kept != NULL && (*kept)->from == watcher->stream.after)
		return block_hold(*kept);
	struct block *block = read_page(watch, watcher);
	/* Most stand near the end: a page from further back does not take its place. */
	if (block == NULL || (*kept != NULL && (*kept)->from > block->from))
		return block;
	block_release(*kept);
	*kept = block_hold(block);
	if (!topic->cached) {
		topic->cached = true;
		topic->cached_next = watch->cached;
		watch->cached = topic;
	}
	return block;
}

/* Finds the next to be sent; false if there is nothing. */
static bool
next_block(struct watch *watch, struct watcher *watcher)
{
	const struct stream_tip *tip = &watcher->topic->tip;
	if (watcher->farewell != NULL)
		watcher->block = goodbye(watcher, watcher->farewell);
	else if (watcher->topic->broken)
		watcher->block = NULL;
	else if (watcher->stream.reset || watcher->stream.after < tip->seq)
		watcher->block = find_page(watch, watcher);
	else if (tip->over)
		watcher->block = block_new("", 0, true);
	else if (watch->ending)
		watcher->block = goodbye(watcher, "stopping");
	else
		return false;
	/* Whoever is cut off resumes where he was. */
	if (watcher->block == NULL)
		watcher_cut(watch, watcher, "failed");
	return watcher->block != NULL;
}

void
watcher_serve(struct watch *watch, struct watcher *watcher)
{
	while (!watcher->dead) {
		if (watcher->block == NULL && !next_block(watch, watcher))
			return;
		if (!send_block(watch, watcher))
			return;
	}
}

/* ---- what happens to it ---- */

void
watcher_begin(struct watch *watch, struct watcher *watcher)
{
	struct topic *topic = watcher->topic;
	/* Edges: it is told once when the socket takes bytes again, and never set anew. */
	struct epoll_event event = {.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, .data.ptr = watcher};
	watcher->topic_at = &topic->watchers;
	watcher->topic_next = topic->watchers;
	if (watcher->topic_next != NULL)
		watcher->topic_next->topic_at = &watcher->topic_next;
	topic->watchers = watcher;
	watch->count++;
	watch_join(watch, topic);
	sink_begin(&watcher->sink, watch->options.stall_ms);
	due_add(&watch->beats, &watcher->due, watch->now_us + watch->options.beat_ms * INT64_C(1000));
	if (epoll_ctl(watch->epoll, EPOLL_CTL_ADD, watcher->sink.fd, &event) != 0)
		watcher_cut(watch, watcher, "failed");
	else
		watcher_serve(watch, watcher);
}

/* It is to end if its token is dead. */
static void
judge(struct watcher *watcher, enum fault fault)
{
	if (fault == FAULT_TOKEN_UNKNOWN)
		watcher->farewell = "token";
}

void
watcher_renew(struct watch *watch, struct watcher *watcher)
{
	if (!watcher->stream.holder.known || watch_read(watch) != FAULT_NONE)
		return;
	judge(watcher, stream_renew(watch->db, watch->arena, &watcher->stream));
	arena_reset(watch->arena);
}

void
watcher_beat(struct watch *watch, struct watcher *watcher)
{
	if (watcher->stream.holder.known && watch_read(watch) == FAULT_NONE)
		judge(watcher, stream_alive(watch->db, &watcher->stream));
	if (watcher->block == NULL && watcher->farewell == NULL)
		watcher->block = block_hold(watch->beat[watcher->stream.form]);
	watcher_serve(watch, watcher);
}

void
watcher_hear(struct watch *watch, struct watcher *watcher, uint32_t events)
{
	enum sink_side side = sink_drain(&watcher->sink);
	if (side == SINK_GONE || (events & (EPOLLERR | EPOLLHUP)) != 0) {
		watcher_cut(watch, watcher, "left");
	} else if (side == SINK_ENDED && !watcher->ended) {
		/* He may still read.  Whoever is gone answers this with a reset. */
		watcher->ended = true;
		watcher_beat(watch, watcher);
	}
}
