#include "http/process.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/metric.h"

enum { SECOND_US = 1000 * 1000, START_FIELD = 20 /* of those of /proc/self/stat behind the name */ };

/* The first bytes of a file, as text; empty if it cannot be read. */
static void
read_text(const char *path, char *text, size_t room)
{
	FILE *file = fopen(path, "re");
	text[0] = '\0';
	if (file == NULL)
		return;
	text[fread(text, 1, room - 1, file)] = '\0';
	fclose(file);
}

/* In ticks since the machine was started; 0 if the system does not tell. */
static int64_t
start_ticks(void)
{
	char text[1024];
	read_text("/proc/self/stat", text, sizeof text);
	/* The name of the program, in brackets, may hold anything. */
	const char *field = strrchr(text, ')');
	for (int i = 0; i < START_FIELD && field != NULL; i++)
		field = strchr(field + 1, ' ');
	return field == NULL ? 0 : strtoll(field, NULL, 10);
}

int64_t
process_started_us(void)
{
	struct timespec now;
	int64_t ticks = start_ticks();
	clock_gettime(CLOCK_REALTIME, &now);
	int64_t now_us = (int64_t)now.tv_sec * SECOND_US + now.tv_nsec / 1000;
	return ticks == 0 ? now_us : now_us - clock_boot_us() + ticks * SECOND_US / sysconf(_SC_CLK_TCK);
}

static void
tell_time(struct text *out)
{
	struct rusage usage;
	metric_begin(out, METRIC_PROCESS_CPU);
	if (getrusage(RUSAGE_SELF, &usage) != 0)
		return;
	metric_us(out, METRIC_PROCESS_CPU, NULL,
	    (uint64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * SECOND_US +
		(uint64_t)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec));
}

static void
tell_memory(struct text *out)
{
	char text[128];
	unsigned long pages;
	read_text("/proc/self/statm", text, sizeof text);
	metric_begin(out, METRIC_PROCESS_RESIDENT);
	if (sscanf(text, "%*u %lu", &pages) == 1)
		metric_count(out, METRIC_PROCESS_RESIDENT, NULL, (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE));
}

static void
tell_files(struct text *out)
{
	struct rlimit limit;
	unsigned count = 0;
	DIR *files = opendir("/proc/self/fd");
	while (files != NULL && readdir(files) != NULL)
		count++;
	metric_begin(out, METRIC_PROCESS_FDS);
	/* Without the two names of folders, and the descriptor that was opened to look. */
	if (count > 3)
		metric_count(out, METRIC_PROCESS_FDS, NULL, count - 3);
	if (files != NULL)
		closedir(files);
	metric_begin(out, METRIC_PROCESS_FDS_MOST);
	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
		metric_count(out, METRIC_PROCESS_FDS_MOST, NULL, limit.rlim_cur);
}

void
process_tell(int64_t started_us, struct text *out)
{
	tell_time(out);
	tell_memory(out);
	tell_files(out);
	metric_begin(out, METRIC_PROCESS_START);
	metric_us(out, METRIC_PROCESS_START, NULL, (uint64_t)started_us);
}
