/* A game beside the one that it is a rematch of, and beside its own rematch. */
#include <string.h>

#include "play/verify_game.h"

/* The other game; false, and a difference, if there is none. */
static enum fault
find(struct verify *verify, const char *what, const char *id, struct game_row *other, bool *found)
{
	enum fault fault = games_by_id(verify->db, verify->arena, id, other);
	*found = fault == FAULT_NONE;
	if (fault != FAULT_NO_SUCH_GAME)
		return fault;
	verify_differs(verify, "%s: there is no game %s", what, id);
	return FAULT_NONE;
}

/* What a rematch has from the game before it, which knows of it. */
static enum fault
compare_before(struct verify *verify)
{
	const struct game_row *row = &verify->row;
	struct game_row before;
	bool found;
	enum fault fault = find(verify, "rematch of", row->rematch_of, &before, &found);
	if (fault != FAULT_NONE || !found)
		return fault;
	verify_text(verify, "rematch of a game that is", before.status, "finished");
	verify_text(verify, "rematch of a game whose rematch is", before.rematch, row->id);
	verify_text(verify, "rematch of a game from the start", before.start, row->start);
	return FAULT_NONE;
}

/* That it is alike is compared when the walk comes to the rematch. */
static enum fault
compare_rematch(struct verify *verify)
{
	const struct game_row *row = &verify->row;
	struct game_row rematch;
	bool found;
	enum fault fault = find(verify, "rematch", row->rematch, &rematch, &found);
	if (fault == FAULT_NONE && found)
		verify_text(verify, "rematch, which is one of", rematch.rematch_of, row->id);
	return fault;
}

enum fault
verify_rematch(struct verify *verify)
{
	enum fault fault = verify->row.rematch_of == NULL ? FAULT_NONE : compare_before(verify);
	if (fault == FAULT_NONE && verify->row.rematch != NULL)
		fault = compare_rematch(verify);
	return fault;
}
