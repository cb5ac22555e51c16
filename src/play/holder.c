#include "play/holder.h"

#include <string.h>

#include "play/game.h"

enum fault
holder_again(struct db *db, struct holder *holder)
{
	struct token_row row;
	int64_t player = 0;
	enum fault fault = tokens_find(db, holder->hash, &row);
	if (fault == FAULT_TOKEN_UNKNOWN)
		fault = tokens_find_player(db, holder->hash, &player);
	if (fault == FAULT_NONE)
		holder->player = player;
	return fault;
}

enum fault
holder_find(struct db *db, const char *token, size_t len, struct holder *holder)
{
	struct holder found = {.known = true};
	token_hash(token, len, found.hash);
	enum fault fault = holder_again(db, &found);
	if (fault == FAULT_NONE)
		*holder = found;
	return fault;
}

enum fault
holder_resolve(struct db *db, const struct game *game, struct holder *holder)
{
	unsigned seats;
	bool creator;
	if (!holder->known)
		return FAULT_NONE;
	enum fault fault = tokens_in(db, holder->hash, game->row.game, &seats, &creator);
	if (fault != FAULT_NONE)
		return fault;
	for (unsigned i = 0; i < game->seat_count && holder->player != 0; i++)
		if (game->seats[i].player == holder->player)
			seats |= 1U << i;
	holder->seats = seats & game_seats(game);
	holder->creator = creator || (holder->player != 0 && game->row.creator == holder->player);
	return FAULT_NONE;
}

bool
holder_has(const struct holder *holder, unsigned seat)
{
	return seat != 0 && (holder->seats >> (seat - 1) & 1) != 0;
}

enum fault
holder_seat(const struct holder *holder, unsigned asked, unsigned *seat)
{
	if (!holder->known)
		return FAULT_TOKEN_REQUIRED;
	if (holder->seats == 0 || (asked != 0 && (asked > SEATS_MAX || !holder_has(holder, asked))))
		return FAULT_NOT_YOUR_SEAT;
	if (asked == 0 && (holder->seats & (holder->seats - 1)) != 0)
		return FAULT_WHICH_SEAT;
	*seat = asked != 0 ? asked : (unsigned)__builtin_ctz(holder->seats) + 1;
	return FAULT_NONE;
}
