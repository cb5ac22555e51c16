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
#include "tests/folder.h"
#include "tests/fuzz/fuzz.h"

enum { WHY_MAX = 2048 };

static char directory[FOLDER_MAX], name[FOLDER_FILE_MAX];
/* A data file without rows: to make one of nothing takes ten times as long as to fill it. */
static char *blank;
static size_t blank_len;

static void
remove_directory(void)
{
	folder_remove(directory);
}

/* In memory if it can be: making a file for each input is what a disk is slowest at. */
static void
make_directory(void)
{
	static const char memory[] = "/dev/shm";
	FUZZ_CHECK(token_init());
	FUZZ_CHECK(folder_make(access(memory, W_OK) == 0 ? memory : getenv("TMPDIR"), "load", directory));
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

static void
read_blank(const char *path)
{
	FILE *file = fopen(path, "rb");
	FUZZ_CHECK(file != NULL && fseek(file, 0, SEEK_END) == 0 && ftell(file) > 0);
	blank_len = (size_t)ftell(file);
	blank = malloc(blank_len);
	rewind(file);
	FUZZ_CHECK(blank != NULL && fread(blank, 1, blank_len, file) == blank_len);
	fclose(file);
}

static void
write_blank(const char *path)
{
	FILE *file = fopen(path, "wb");
	FUZZ_CHECK(file != NULL && fwrite(blank, 1, blank_len, file) == blank_len && fclose(file) == 0);
}

static struct copy *
begin(void)
{
	char why[WHY_MAX] = "";
	struct copy *copy = copy_begin(name, COPY_NEW, why, sizeof why);
	FUZZ_CHECK(copy != NULL);
	return copy;
}

static void
make_blank(void)
{
	char why[WHY_MAX], lines[128];
	int len = snprintf(lines, sizeof lines, "{\"iuvod_dump\":%d,\"schema\":%u}\n{\"table\":\"end\",\"rows\":0}\n",
	    DUMP_VERSION, db_schema_latest());
	struct copy *copy = begin();
	FILE *in = fmemopen(lines, (size_t)len, "r");
	FUZZ_CHECK(in != NULL && dump_read(copy, in, why, sizeof why));
	fclose(in);
	read_blank(copy_name(copy));
	copy_end(copy);
}

/* The dump of what was loaded, NULL if it was refused. */
static char *
load(const void *bytes, size_t len, size_t *dumped)
{
	char why[WHY_MAX] = "", *result = NULL;
	struct copy *copy = begin();
	FILE *in = len == 0 ? fopen("/dev/null", "r") : fmemopen((void *)(uintptr_t)bytes, len, "r");
	FUZZ_CHECK(in != NULL);
	write_blank(copy_name(copy));
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
	if (directory[0] == '\0') {
		make_directory();
		make_blank();
	}
	char *first = load(data, size, &first_len);
	if (first != NULL) {
		char *second = load(first, first_len, &second_len);
		FUZZ_CHECK(second != NULL && first_len == second_len && memcmp(first, second, first_len) == 0);
		free(second);
	}
	free(first);
	return 0;
}
