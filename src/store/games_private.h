/* What the files of games.h share. */
#ifndef IUVOD_STORE_GAMES_PRIVATE_H
#define IUVOD_STORE_GAMES_PRIVATE_H

#include "store/games.h"
#include "store/query_private.h"

/* A row of the query, which has the columns of the fragment `game` in sql/queries.sql, in its order. */
void games_read(struct query *query, struct arena *arena, struct game_row *row);

#endif
