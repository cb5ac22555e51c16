/*
 * The main program of a fuzz target where there is no fuzzer: goes over the files
 * that it is given, or else, as a test, over the target's corpus.
 */
#include <dirent.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/fuzz/fuzz.h"

enum { FILE_MAX_BYTES = 1 << 20 };

static char folder[512];
static char path[1024]; /* of the file that is replayed */

/* Which file it was, before the program dies of what is wrong with it. */
static void
name_file(int number)
{
	(void)number;
	if (write(STDERR_FILENO, path, strlen(path)) < 0 || write(STDERR_FILENO, "\n", 1) < 0)
		_exit(1);
}

static void
replay(void)
{
	static uint8_t bytes[FILE_MAX_BYTES];
	FILE *file = fopen(path, "rb");
	if (file == NULL) {
		fprintf(stderr, "%s cannot be read\n", path);
		exit(1);
	}
	size_t size = fread(bytes, 1, sizeof bytes, file);
	fclose(file);
	/* No byte more than there are, for a sanitizer to see who reads on. */
	uint8_t *exact = malloc(size + (size == 0));
	FUZZ_CHECK(exact != NULL);
	memcpy(exact, bytes, size);
	LLVMFuzzerTestOneInput(exact, size);
	free(exact);
}

static void
nothing_in_the_corpus_breaks_it(void **state)
{
	struct dirent **entries;
	int count = scandir(folder, &entries, NULL, alphasort), files = 0;
	(void)state;
	assert_true(count > 0);
	for (int i = 0; i < count; i++) {
		if (entries[i]->d_name[0] != '.') {
			snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
			replay();
			files++;
		}
		free(entries[i]);
	}
	free(entries);
	assert_true(files > 0);
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_in_the_corpus_breaks_it)};
	const char *name = strrchr(argv[0], '/');
	name = name == NULL ? argv[0] : name + 1;
	snprintf(folder, sizeof folder, "%s/%s", FUZZ_CORPUS, name + strcspn(name, "_") + 1);
	signal(SIGABRT, name_file);
	for (int i = 1; i < argc; i++) {
		snprintf(path, sizeof path, "%s", argv[i]);
		replay();
	}
	return argc > 1 ? 0 : cmocka_run_group_tests_name(name, tests, NULL, NULL);
}
