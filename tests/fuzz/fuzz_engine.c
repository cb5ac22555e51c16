/*
 * The lines of `iuvod engine`: whatever stands on standard input, each line of
 * the answer begins with a word of its own, and no search goes unanswered.
 */
#include "config.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "command.h"
#include "tests/fuzz/fuzz.h"

void
command_say(const char *why)
{
	(void)why;
	FUZZ_CHECK(!"there is memory for the search");
}

static int
file_of(const char *name)
{
	int file = memfd_create(name, 0);
	FUZZ_CHECK(file >= 0);
	return file;
}

/* A search that the input leaves running is stopped, however long it was to be. */
static void
put_input(const uint8_t *data, size_t size)
{
	static const char end[] = "\nstop\nquit\n";
	int file = file_of("input");
	FUZZ_CHECK(write(file, data, size) == (ssize_t)size && write(file, end, sizeof end - 1) == sizeof end - 1);
	FUZZ_CHECK(lseek(file, 0, SEEK_SET) == 0 && dup2(file, STDIN_FILENO) == STDIN_FILENO);
	close(file);
}

static void
check_answer(const char *line, size_t len)
{
	static const char *const words[] = {"id ", "variants", "uciok", "readyok", "info ", "bestmove ", "position ",
	    "over ", "moves", "error ", "uci ", "go ", "stop "};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (len >= strlen(words[i]) && memcmp(line, words[i], strlen(words[i])) == 0)
			return;
	FUZZ_CHECK(!"a line begins with a word that is told");
}

static void
check_output(int file)
{
	off_t size = lseek(file, 0, SEEK_END);
	char *text = malloc((size_t)size + 1);
	FUZZ_CHECK(size >= 0 && text != NULL && pread(file, text, (size_t)size, 0) == size);
	FUZZ_CHECK(size == 0 || text[size - 1] == '\n');
	for (char *line = text, *end; line < text + size; line = end + 1) {
		end = memchr(line, '\n', (size_t)(text + size - line));
		check_answer(line, (size_t)(end - line));
	}
	free(text);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char name[] = "engine", hash[] = "--hash=1";
	char *arguments[] = {name, hash, NULL};
	int output = file_of("output"), before = dup(STDOUT_FILENO);
	put_input(data, size);
	fflush(stdout);
	FUZZ_CHECK(before >= 0 && dup2(output, STDOUT_FILENO) == STDOUT_FILENO);
	int status = command_engine(2, arguments);
	fflush(stdout);
	FUZZ_CHECK(dup2(before, STDOUT_FILENO) == STDOUT_FILENO && status == COMMAND_DONE);
	close(before);
	check_output(output);
	close(output);
	return 0;
}
