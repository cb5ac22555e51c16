/* iuvod migrate. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "tidy.h"

static int
say_failed(const char *why)
{
	command_say(why);
	return COMMAND_FAILED;
}

/* Says which way leads to the newest schema. */
static void
print_way(const char *database, unsigned schema)
{
	printf("%s: schema %u, this program's is %u\n", database, schema, db_schema_latest());
	for (unsigned next = schema + 1; next <= db_schema_latest(); next++)
		printf("%s leads to schema %u; %s.before-%u is kept\n", db_migration(next), next, database, next);
}

static int
print_found(const struct command_finding *finding, const char *where)
{
	printf("%s: schema %u, %" PRIu64 " games, %" PRIu64 " plies, %" PRIu64 " differences\n", where, finding->schema,
	    finding->games, finding->plies, finding->differences);
	return finding->differences == 0 ? COMMAND_DONE : COMMAND_FAILED;
}

/* On a copy beside the file, which is removed. */
static int
try_it(struct db *db, const char *database, const char *name)
{
	char why[512];
	struct command_finding finding;
	tidy_hold();
	struct copy *copy = copy_begin(name, COPY_NEW, why, sizeof why);
	tidy_begin(copy);
	int status = COMMAND_FAILED;
	if (copy == NULL || !copy_fill(copy, db, database, why, sizeof why) || !copy_raise(copy, why, sizeof why))
		command_say(why);
	else if (command_examine(copy_name(copy), database, false, &finding))
		status = print_found(&finding, "on a copy");
	copy_end(copy);
	tidy_end();
	return status;
}

static int
dry_run(struct db *db, const char *database)
{
	char *name = malloc(strlen(database) + sizeof ".dry-run");
	if (name == NULL)
		return say_failed("no memory for the copy");
	strcpy(stpcpy(name, database), ".dry-run");
	int status = try_it(db, database, name);
	free(name);
	return status;
}

static int
migrate(const char *database)
{
	char why[512];
	struct command_finding finding;
	struct db *db = db_open(database, DB_WRITE, why, sizeof why);
	if (db == NULL)
		return say_failed(why);
	db_close(db);
	if (!command_examine(database, database, false, &finding))
		return COMMAND_FAILED;
	return print_found(&finding, database);
}

static int
begin(const char *database, bool dry)
{
	char why[512];
	int status = COMMAND_DONE;
	struct db *db = db_open(database, DB_COPY, why, sizeof why);
	if (db == NULL)
		return say_failed(why);
	bool needed = db_schema(db) < db_schema_latest();
	if (needed)
		print_way(database, db_schema(db));
	else
		printf("%s: schema %u is the newest, there is nothing to do\n", database, db_schema(db));
	fflush(stdout);
	if (needed && dry)
		status = dry_run(db, database);
	db_close(db);
	return needed && !dry ? migrate(database) : status;
}

int
command_migrate(int argc, char **argv)
{
	const char *database = COMMAND_DATABASE;
	bool dry = false;
	const struct option_row rows[] = {
	    {"database", OPTION_TEXT, &database, "FILE", .help = "the file of data"},
	    {"dry-run", OPTION_FLAG, &dry, .help = "tries it on a copy, which it removes"},
	};
	const struct option_set set = {
	    .usage = "iuvod migrate [OPTION]...",
	    .about = "Brings the file of data to the schema of this program, as `iuvod serve` does when it\n"
		     "starts, and looks through it as by `iuvod verify`.  A copy of the file as it was is\n"
		     "kept beside it before each step.",
	    .rows = rows,
	    .count = sizeof rows / sizeof *rows,
	    .environment = true,
	    .meant = "database",
	};
	int first, status = command_read(&set, argc, argv, &first);
	return status == COMMAND_GO ? begin(database, dry) : status;
}
