/*
 * What `iuvod load` reads.  What is taken for a dump is written by `iuvod dump` as
 * another that is loaded too, and comes out the same; and whatever its rows say,
 * they can be verified.
 */
#include "config.h"

#include <string.h>
#include <unistd.h>

#include "base/token.h"
#include "play/verify.h"
#include "store/dump.h"
#include "tests/fuzz/fuzz.h"

enum { WHY_MAX = 2048 };

static char directory[256], name[300];

static void
remove_directory(void)
{
	char lock[320];
	snprintf(lock, sizeof lock, "%s-lock", name);
	unlink(lock);
	rmdir(directory);
}

static void
make_directory(void)
{
	const char *place = getenv("TMPDIR");
	FUZZ_CHECK(token_init());
	snprintf(directory, sizeof directory, "%s/load-XXXXXX", place == NULL ? "/tmp" : place);
	FUZZ_CHECK(mkdtemp(directory) != NULL);
	snprintf(name, sizeof name, "%s/games.db", directory);
	atexit(remove_directory);
}

static void
ignore(void *arg, const char *id, const char *line)
{
	(void)arg, (void)id, (void)line;
}

/* What the file is as a dump; free it. */
static char *
dump(const struct copy *copy, size_t *len)
{
	char why[WHY_MAX], *bytes = NULL;
	struct verify_count count;
	struct db *db = db_open(copy_name(copy), DB_INSPECT, why, sizeof why);
	FILE *out = open_memstream(&bytes, len);
	FUZZ_CHECK(db != NULL && out != NULL);
	FUZZ_CHECK(dump_write(db, out, why, sizeof why));
	fclose(out);
	verify_all(db, &count, ignore, NULL);
	db_close(db);
	return bytes;
}

/* The dump of what was loaded, NULL if it was refused. */
static char *
load(const void *bytes, size_t len, size_t *dumped)
{
	char why[WHY_MAX] = "", *result = NULL;
	struct copy *copy = copy_begin(name, COPY_NEW, why, sizeof why);
	FILE *in = len == 0 ? fopen("/dev/null", "r") : fmemopen((void *)(uintptr_t)bytes, len, "r");
	FUZZ_CHECK(copy != NULL && in != NULL);
	if (dump_read(copy, in, why, sizeof why))
		result = dump(copy, dumped);
	else
		FUZZ_CHECK(why[0] != '\0' && strlen(why) < sizeof why);
	fclose(in);
	copy_end(copy);
	return result;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t first_len, second_len;
	if (directory[0] == '\0')
		make_directory();
	char *first = load(data, size, &first_len);
	if (first != NULL) {
		char *second = load(first, first_len, &second_len);
		FUZZ_CHECK(second != NULL && first_len == second_len && memcmp(first, second, first_len) == 0);
		free(second);
	}
	free(first);
	return 0;
}
