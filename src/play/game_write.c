#include "play/game_write.h"

enum fault
game_write(struct db *db, const struct game *before, struct game *after)
{
	(void)before;
	return games_update(db, &after->row);
}
