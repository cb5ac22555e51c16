#include "tidy.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

enum { FILES = 5 };

static const int ends[] = {SIGINT, SIGTERM, SIGHUP};

/* Written while signals are held. */
static char files[FILES][PATH_MAX];

static void
mask(int how)
{
	sigset_t signals;
	sigemptyset(&signals);
	for (unsigned i = 0; i < sizeof ends / sizeof *ends; i++)
		sigaddset(&signals, ends[i]);
	sigprocmask(how, &signals, NULL);
}

static void
end(int number)
{
	for (unsigned i = 0; i < FILES; i++)
		if (files[i][0] != '\0')
			unlink(files[i]);
	signal(number, SIG_DFL);
	raise(number); /* comes when this returns */
}

/* One that is ignored stays so: whoever runs it has said that it shall go on (nohup). */
static void
handle(void (*handler)(int))
{
	struct sigaction action = {.sa_handler = handler}, before;
	for (unsigned i = 0; i < sizeof ends / sizeof *ends; i++)
		if (sigaction(ends[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
			sigaction(ends[i], &action, NULL);
}

void
tidy_hold(void)
{
	mask(SIG_BLOCK);
}

/* One that is too long stays. */
static void
note(unsigned i, const char *name, const char *rest)
{
	if (snprintf(files[i], sizeof files[i], "%s%s", name, rest) >= PATH_MAX)
		files[i][0] = '\0';
}

void
tidy_begin(const struct copy *copy)
{
	static const char *const beside[FILES - 1] = {"", "-journal", "-wal", "-shm"};
	for (unsigned i = 0; copy != NULL && i < FILES - 1; i++)
		note(i, copy_name(copy), beside[i]);
	if (copy != NULL)
		note(FILES - 1, copy_lock(copy), "");
	handle(end);
	mask(SIG_UNBLOCK);
}

void
tidy_end(void)
{
	mask(SIG_BLOCK);
	for (unsigned i = 0; i < FILES; i++)
		files[i][0] = '\0';
	handle(SIG_DFL);
	mask(SIG_UNBLOCK);
}
