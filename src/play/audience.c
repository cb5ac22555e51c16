#include "play/audience.h"

#include "store/feed.h"

/* The seats of the player who has this one, as bits; 0 if it is nobody's, or the player was met at a seat before. */
static unsigned
seats_of_player(const struct game *game, unsigned index)
{
	int64_t player = game->seats[index].player;
	unsigned seats = 0;
	if (player == 0)
		return 0;
	for (unsigned i = 0; i < game->seat_count; i++)
		if (game->seats[i].player == player)
			seats |= 1U << i;
	return (seats & ((1U << index) - 1)) == 0 ? seats : 0;
}

enum fault
audience_tell(struct db *db, const struct game *game, unsigned seq, unsigned ply)
{
	unsigned turn = game_seat_bit(game->row.turn);
	enum fault fault = FAULT_NONE;
	for (unsigned i = 0; i < game->seat_count && !game->hushed && fault == FAULT_NONE; i++) {
		struct feed_row row = {
		    .seats = seats_of_player(game, i),
		    .event = {.seq = seq, .ply = ply},
		};
		row.turn = (row.seats & turn) != 0;
		if (row.seats != 0)
			fault = feed_append(db, game->seats[i].player, game->row.game, &row);
	}
	return fault;
}
