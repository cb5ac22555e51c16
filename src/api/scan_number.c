/*
 * Numbers of JSON.  What reads them makes doubles of them, so only those are
 * taken that lose nothing by it.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "api/scan_inside.h"
#include "base/limits.h"

static bool
scan_digits(struct scan *scan)
{
	size_t begin = scan->at;
	while (scan_peek(scan) >= '0' && scan_peek(scan) <= '9')
		scan->at++;
	return scan->at > begin || scan_fail(scan, "a digit was expected");
}

/* The exponent at an e, cut to one beyond which nothing changes: no number that is read here has so many digits. */
static long
exponent_at(const char *e)
{
	long exponent = strtol(e + 1, NULL, 10), most = LIMIT_JSON_NUMBER * 2;
	return exponent > most ? most : exponent < -most ? -most : exponent;
}

/*
 * Whether the text of a number stands for an integer: all its digits behind the
 * point, once the exponent has moved it, are zeroes.
 */
static bool
stands_for_integer(const char *text)
{
	const char *e = strpbrk(text, "eE");
	size_t len = e == NULL ? strlen(text) : (size_t)(e - text);
	const char *point = memchr(text, '.', len);
	long exponent = e == NULL ? 0 : exponent_at(e);
	if (point != NULL)
		exponent -= (long)(len - (size_t)(point - text) - 1);
	for (size_t i = len; i > 0; i--) {
		if (text[i - 1] == '.' || text[i - 1] == '-')
			continue;
		if (text[i - 1] != '0')
			return exponent >= 0;
		exponent++;
	}
	return true;
}

static bool
check_number(struct scan *scan, size_t begin)
{
	char text[LIMIT_JSON_NUMBER + 1];
	size_t len = scan->at - begin;
	if (len > LIMIT_JSON_NUMBER)
		return scan_fail_at(scan, begin, "the number has too many digits");
	memcpy(text, scan->bytes + begin, len);
	text[len] = '\0';
	double value = strtod(text, NULL);
	if (!(value > -9007199254740992.0 && value < 9007199254740992.0))
		return scan_fail_at(scan, begin, "the number is not between -2^53 and 2^53");
	/* Rounded to an integer, it would pass for one. */
	if (value == (double)(int64_t)value && !stands_for_integer(text))
		return scan_fail_at(scan, begin, "the number has more digits than can be kept");
	return true;
}

bool
scan_number(struct scan *scan)
{
	size_t begin = scan->at;
	scan_take(scan, '-');
	if (scan_take(scan, '0')) {
		if (scan_peek(scan) >= '0' && scan_peek(scan) <= '9')
			return scan_fail_at(scan, begin, "a number has no leading zero");
	} else if (!scan_digits(scan)) {
		return false;
	}
	if (scan_take(scan, '.') && !scan_digits(scan))
		return false;
	if (scan_take(scan, 'e') || scan_take(scan, 'E')) {
		if (!scan_take(scan, '+'))
			scan_take(scan, '-');
		if (!scan_digits(scan))
			return false;
	}
	return check_number(scan, begin);
}
