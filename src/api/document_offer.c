/* What documents say of offers. */
#include "api/document.h"

#include "api/reply.h"

/* Seats, given as bits, as an array. */
static void
write_bits(struct writer *writer, unsigned bits)
{
	writer_open(writer, '[');
	for (unsigned seat = 1; seat <= SEATS_MAX; seat++)
		if ((bits >> (seat - 1) & 1) != 0)
			writer_int(writer, seat);
	writer_close(writer, ']');
}

static void
write_links(struct writer *writer, const struct call *call, const struct game *game, const struct offer_row *offer)
{
	writer_key(writer, "links");
	writer_open(writer, '{');
	writer_key(writer, "self");
	writer_string(writer, reply_path(call, "/v1/games/%s/offers/%s", game->row.id, offer->id));
	writer_close(writer, '}');
}

void
document_offer(struct writer *writer, const struct call *call, const struct game *game, const struct offer_row *offer)
{
	writer_open(writer, '{');
	writer_key(writer, "id");
	writer_plain(writer, offer->id, ID_LEN);
	writer_key(writer, "kind");
	writer_plain(writer, offer->kind, strlen(offer->kind));
	writer_key(writer, "seat");
	writer_int(writer, offer->seat);
	writer_key(writer, "ply");
	if (strcmp(offer->kind, "takeback") == 0)
		writer_int(writer, offer->ply);
	else
		writer_null(writer);
	writer_key(writer, "handover");
	writer_int_or_null(writer, offer->subject);
	writer_key(writer, "asked");
	write_bits(writer, offer->asked);
	writer_key(writer, "accepted");
	write_bits(writer, offer->accepted);
	writer_key(writer, "declined");
	write_bits(writer, offer->declined);
	writer_key(writer, "made_at");
	writer_time(writer, offer->at_ms);
	writer_key(writer, "takes_effect_at");
	writer_time(writer, offer->due_ms);
	write_links(writer, call, game, offer);
	writer_close(writer, '}');
}

void
document_offers(struct writer *writer, const struct call *call, const struct game *game)
{
	writer_key(writer, "offers");
	writer_open(writer, '[');
	for (unsigned i = 0; i < game->row.offers && call->holder.seats != 0; i++)
		document_offer(writer, call, game, &game->offers[i]);
	writer_close(writer, ']');
}
