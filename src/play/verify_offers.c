/*
 * The offers of a game: the log tells of each how it was made and what became of
 * it.  Those that are stored must be the ones that are open at its end, and what
 * only an agreement can do must follow from one.
 */
#include <string.h>

#include "base/limits.h"
#include "play/offer.h"
#include "play/quote.h"
#include "play/verify_game.h"

/* An offer as the log made it. */
struct made {
	char id[ID_LEN + 1];
	enum offer_kind kind;
	int64_t ply;      /* of a takeback */
	int64_t handover; /* the seat */
	bool notice;      /* it may take effect by itself */
	int64_t at_ms, credited_ms;
};

struct walk {
	struct verify *verify;
	unsigned open_count;
	struct made open[OFFERS_MAX];
	bool agreed; /* `done` is, and its own event must come next */
	struct made done;
	bool started;
	int64_t last_ms; /* of the event that came last */
	bool broken;     /* an event cannot be: what follows tells nothing */
};

/* What is done when an offer of a kind is agreed, in the order of the kinds. */
static const char *const effects[] = {"game_finished", "takeback_done", "clock_paused", "clock_resumed", "seat_left"};

static void
cannot_be(struct walk *walk, const struct event_row *event, const char *why)
{
	walk->broken = true;
	verify_differs(walk->verify, "offers: seq %u: %s: %s", event->seq, event->type, why);
}

static struct made *
find(struct walk *walk, const char *id)
{
	for (unsigned i = 0; i < walk->open_count; i++)
		if (id != NULL && strcmp(walk->open[i].id, id) == 0)
			return &walk->open[i];
	return NULL;
}

static void
follow_made(struct walk *walk, const struct event_row *event, struct arena *arena)
{
	const char *id = quote_json_member(arena, event->data, "offer");
	const char *word = quote_json_member(arena, event->data, "kind");
	unsigned kind = 0;
	while (word != NULL && offer_words[kind] != NULL && strcmp(offer_words[kind], word) != 0)
		kind++;
	if (id == NULL || strlen(id) != ID_LEN || word == NULL || offer_words[kind] == NULL) {
		cannot_be(walk, event, "the data tell of no offer");
		return;
	}
	for (unsigned i = 0; i < walk->open_count; i++)
		if (walk->open[i].kind == kind) {
			cannot_be(walk, event, "one of its kind is open");
			return;
		}
	struct made *made = &walk->open[walk->open_count++];
	strcpy(made->id, id);
	made->kind = (enum offer_kind)kind;
	made->ply = quote_json_number(event->data, "ply");
	made->handover = quote_json_number(event->data, "handover");
	made->notice = kind == OFFER_RESUME || (kind == OFFER_HANDOVER && made->handover != event->seat);
	made->at_ms = event->at_ms;
	made->credited_ms = 0;
}

static void
follow_answer(struct walk *walk, const struct event_row *event, struct arena *arena)
{
	struct made *made = find(walk, quote_json_member(arena, event->data, "offer"));
	const char *status = quote_json_member(arena, event->data, "status");
	if (made == NULL || status == NULL) {
		cannot_be(walk, event, "there is no such open offer");
		return;
	}
	if (strcmp(status, "open") == 0)
		return;
	walk->agreed = strcmp(status, "agreed") == 0;
	walk->done = *made;
	*made = walk->open[--walk->open_count];
}

/* Time given back goes to what runs: without a clock that is the notice of an offer. */
static void
follow_credit(struct walk *walk, const struct event_row *event)
{
	bool notice = false;
	for (unsigned i = 0; i < walk->open_count; i++) {
		walk->open[i].credited_ms += quote_json_number(event->data, "ms");
		notice |= walk->open[i].notice;
	}
	if (event->seat == 0 && walk->started && !notice)
		cannot_be(walk, event, "nothing ran");
}

/* Whether nothing but an agreement makes such an event. */
static bool
needs_agreement(const struct walk *walk, const struct event_row *event, struct arena *arena)
{
	if (strcmp(event->type, "seat_left") == 0)
		return walk->started;
	if (strcmp(event->type, "game_finished") == 0) {
		const char *reason = quote_json_member(arena, event->data, "reason");
		/* A record may have been brought here with its draw. */
		return reason != NULL && strcmp(reason, "agreement") == 0 && !walk->verify->row.imported;
	}
	return strcmp(event->type, "takeback_done") == 0 || strcmp(event->type, "clock_paused") == 0 ||
	       strcmp(event->type, "clock_resumed") == 0;
}

/* The event behind an agreement is what was agreed on. */
static void
follow_effect(struct walk *walk, const struct event_row *event)
{
	const struct made *done = &walk->done;
	walk->agreed = false;
	if (strcmp(event->type, effects[done->kind]) != 0)
		cannot_be(walk, event, "it stands where what was agreed on should");
	else if (done->kind == OFFER_TAKEBACK && quote_json_number(event->data, "to_ply") != done->ply)
		cannot_be(walk, event, "another ply was agreed on");
	else if (done->kind == OFFER_HANDOVER && event->seat != done->handover)
		cannot_be(walk, event, "another seat was agreed on");
}

static bool
follow(void *arg, const struct event_row *event, struct arena *arena)
{
	struct walk *walk = arg;
	if (walk->agreed)
		follow_effect(walk, event);
	else if (needs_agreement(walk, event, arena))
		cannot_be(walk, event, "it was not agreed on");
	if (strcmp(event->type, "offer_made") == 0)
		follow_made(walk, event, arena);
	else if (strcmp(event->type, "offer_answered") == 0)
		follow_answer(walk, event, arena);
	else if (strcmp(event->type, "time_credited") == 0)
		follow_credit(walk, event);
	else if (strcmp(event->type, "game_finished") == 0 || strcmp(event->type, "game_withdrawn") == 0)
		walk->open_count = 0;
	walk->last_ms = event->at_ms;
	walk->started |= strcmp(event->type, "game_started") == 0;
	return !walk->broken;
}

/* A notice of a resume begins with the offer; one of a handover at some time behind it, when the others have accepted.
 */
static bool
may_be_due(const struct walk *walk, const struct made *made, int64_t due_ms)
{
	int64_t first_ms = made->at_ms + LIMIT_NOTICE_MS, last_ms = walk->last_ms + LIMIT_NOTICE_MS;
	if (made->kind == OFFER_RESUME)
		return due_ms == first_ms + made->credited_ms;
	if (!made->notice || due_ms == 0)
		return due_ms == 0;
	return first_ms <= due_ms && due_ms <= last_ms + made->credited_ms;
}

/* The rows beside the offers that are open at the end of the log. */
static enum fault
compare(struct walk *walk)
{
	struct verify *verify = walk->verify;
	struct offer_row rows[OFFERS_MAX];
	unsigned count;
	enum fault fault = offers_of(verify->db, verify->arena, verify->row.game, rows, OFFERS_MAX, &count);
	if (fault != FAULT_NONE)
		return fault;
	if (walk->agreed)
		verify_differs(verify, "offers: the log ends where %s should stand", effects[walk->done.kind]);
	if (count != walk->open_count || verify->row.offers != count)
		verify_differs(verify, "offers: stored %u, counted %u, open in the log %u", count, verify->row.offers,
		    walk->open_count);
	for (unsigned i = 0; i < count; i++) {
		const struct made *made = find(walk, rows[i].id);
		if (made == NULL || strcmp(offer_words[made->kind], rows[i].kind) != 0)
			verify_differs(verify, "offers: %s, a %s, is not open in the log", rows[i].id, rows[i].kind);
		else if (rows[i].at_ms != made->at_ms || !may_be_due(walk, made, rows[i].due_ms))
			verify_differs(verify, "offers: %s, a %s, cannot take effect at %lld", rows[i].id, rows[i].kind,
			    (long long)rows[i].due_ms);
	}
	return FAULT_NONE;
}

enum fault
verify_offers(struct verify *verify)
{
	struct walk walk = {.verify = verify};
	enum fault fault = verify_events_each(verify, follow, &walk);
	return fault != FAULT_NONE || walk.broken ? fault : compare(&walk);
}
