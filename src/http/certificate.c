#include "http/certificate.h"

#include <errno.h>
#include <fcntl.h>
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"

enum {
	FILE_BYTES = 256 * 1024, /* the most that a file may have */
	CHAIN_MAX = 16,
	NAME_MAX_SHOWN = 256
};

struct certificate_reading {
	_Atomic unsigned holders;
	gnutls_certificate_credentials_t credentials;
	char name[NAME_MAX_SHOWN]; /* of whom the first certificate is */
	int64_t from_ms, until_ms; /* when it is valid */
};

struct certificate {
	struct certificate_paths paths;
	pthread_mutex_t lock; /* guards what follows */
	struct certificate_reading *reading;
};

/* ---- files ---- */

static bool
refuse(char *why, size_t room, const char *text)
{
	snprintf(why, room, "%s", text);
	return false;
}

/* Whoever can read the key can be the server. */
static bool
is_sound(const struct stat *file, enum certificate_file which, char *why, size_t room)
{
	if (!S_ISREG(file->st_mode))
		return refuse(why, room, "must be a file");
	if (file->st_size > FILE_BYTES) {
		snprintf(why, room, "has more than %d bytes", FILE_BYTES);
		return false;
	}
	if (which == CERTIFICATE_KEY && (file->st_mode & S_IRWXO) != 0) {
		snprintf(why, room, "must not be for everybody, and its mode is %03o: chmod 600, or 640 with a group",
		    (unsigned)file->st_mode & 0777);
		return false;
	}
	return true;
}

static bool
read_all(int fd, gnutls_datum_t *text)
{
	text->data = malloc(FILE_BYTES + 1);
	text->size = 0;
	while (text->data != NULL && text->size < FILE_BYTES) {
		ssize_t got = read(fd, text->data + text->size, FILE_BYTES - text->size);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return false;
		if (got == 0)
			break;
		text->size += (unsigned)got;
	}
	if (text->data != NULL)
		text->data[text->size] = '\0';
	return text->data != NULL;
}

static bool
read_file(const char *path, enum certificate_file which, gnutls_datum_t *text, char *why, size_t room)
{
	struct stat file;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe must not hold up the start */
	if (fd < 0)
		return refuse(why, room, strerror(errno));
	bool done = fstat(fd, &file) == 0 && is_sound(&file, which, why, room);
	if (done && !(done = read_all(fd, text)))
		refuse(why, room, strerror(errno));
	close(fd);
	return done;
}

static void
forget(gnutls_datum_t *text)
{
	if (text->data != NULL)
		gnutls_memset(text->data, 0, text->size);
	free(text->data);
	*text = (gnutls_datum_t){0};
}

/* ---- what stands in them ---- */

static void
note_first(struct certificate_reading *reading, gnutls_x509_crt_t first)
{
	size_t len = sizeof reading->name;
	if (gnutls_x509_crt_get_dn(first, reading->name, &len) < 0)
		reading->name[0] = '\0';
	reading->from_ms = (int64_t)gnutls_x509_crt_get_activation_time(first) * 1000;
	reading->until_ms = (int64_t)gnutls_x509_crt_get_expiration_time(first) * 1000;
}

/* GnuTLS itself would say of too many of them that they are no certificates. */
static bool
is_short(const gnutls_datum_t *text)
{
	static const char *const begins[] = {"-----BEGIN CERTIFICATE-----", "-----BEGIN X509 CERTIFICATE-----"};
	unsigned count = 0;
	for (unsigned i = 0; i < sizeof begins / sizeof *begins; i++)
		for (const char *at = (const char *)text->data; (at = strstr(at, begins[i])) != NULL; at++)
			count++;
	return count <= CHAIN_MAX;
}

static bool
check_chain(const gnutls_datum_t *text, struct certificate_reading *reading, char *why, size_t room)
{
	gnutls_x509_crt_t *chain;
	unsigned count;
	if (!is_short(text)) {
		snprintf(why, room, "has more certificates than a chain may have, %d", CHAIN_MAX);
		return false;
	}
	int error = gnutls_x509_crt_list_import2(&chain, &count, text, GNUTLS_X509_FMT_PEM, GNUTLS_X509_CRT_LIST_SORT);
	if (error < 0) {
		snprintf(why, room,
		    "must be certificates in PEM, the server's first, each followed by its issuer's: %s",
		    gnutls_strerror(error));
		return false;
	}
	note_first(reading, chain[0]);
	for (unsigned i = 0; i < count; i++)
		gnutls_x509_crt_deinit(chain[i]);
	gnutls_free(chain);
	return true;
}

static bool
check_key(const gnutls_datum_t *text, char *why, size_t room)
{
	gnutls_x509_privkey_t key;
	if (gnutls_x509_privkey_init(&key) < 0)
		return refuse(why, room, "no memory for the certificate");
	int error = gnutls_x509_privkey_import2(key, text, GNUTLS_X509_FMT_PEM, NULL, 0);
	gnutls_x509_privkey_deinit(key);
	if (error >= 0)
		return true;
	bool locked = error == GNUTLS_E_DECRYPTION_FAILED || error == GNUTLS_E_PK_INVALID_PUBKEY_PARAMS;
	snprintf(why, room, "must be a key in PEM, not encrypted%s%s", locked ? "" : ": ",
	    locked ? "" : gnutls_strerror(error));
	return false;
}

static bool
join(struct certificate_reading *reading, const gnutls_datum_t *text, char *why, size_t room)
{
	int error = gnutls_certificate_set_x509_key_mem2(
	    reading->credentials, &text[CERTIFICATE_CHAIN], &text[CERTIFICATE_KEY], GNUTLS_X509_FMT_PEM, NULL, 0);
	if (error >= 0)
		return true;
	if (error == GNUTLS_E_CERTIFICATE_KEY_MISMATCH)
		return refuse(why, room, "must be the key of the first certificate, and is another's");
	return refuse(why, room, gnutls_strerror(error));
}

static bool
check(struct certificate_reading *reading, const gnutls_datum_t *text, enum certificate_file *wrong, char *why,
    size_t room)
{
	*wrong = CERTIFICATE_CHAIN;
	if (!check_chain(&text[CERTIFICATE_CHAIN], reading, why, room))
		return false;
	*wrong = CERTIFICATE_KEY;
	return check_key(&text[CERTIFICATE_KEY], why, room) && join(reading, text, why, room);
}

static bool
read_files(struct certificate_reading *reading, const struct certificate_paths *paths, enum certificate_file *wrong,
    char *why, size_t room)
{
	gnutls_datum_t text[CERTIFICATE_FILES] = {{0}};
	bool done = true;
	for (unsigned i = 0; done && i < CERTIFICATE_FILES; i++) {
		*wrong = (enum certificate_file)i;
		done = read_file(paths->of[i], *wrong, &text[i], why, room);
	}
	done = done && check(reading, text, wrong, why, room);
	for (unsigned i = 0; i < CERTIFICATE_FILES; i++)
		forget(&text[i]);
	return done;
}

/* NULL, as certificate_open. */
static struct certificate_reading *
reading_new(const struct certificate_paths *paths, enum certificate_file *wrong, char *why, size_t room)
{
	struct certificate_reading *reading = calloc(1, sizeof *reading);
	*wrong = CERTIFICATE_CHAIN;
	if (reading == NULL || gnutls_certificate_allocate_credentials(&reading->credentials) < 0) {
		free(reading);
		snprintf(why, room, "no memory for the certificate");
		return NULL;
	}
	atomic_init(&reading->holders, 1);
	if (read_files(reading, paths, wrong, why, room))
		return reading;
	certificate_release(reading);
	return NULL;
}

/* ---- the one that counts ---- */

struct certificate *
certificate_open(const struct certificate_paths *paths, enum certificate_file *wrong, char *why, size_t room)
{
	struct certificate *certificate = malloc(sizeof *certificate);
	struct certificate_reading *reading = reading_new(paths, wrong, why, room);
	if (certificate == NULL && reading != NULL) {
		snprintf(why, room, "no memory for the certificate");
		certificate_release(reading);
		reading = NULL;
	}
	if (reading == NULL) {
		free(certificate);
		return NULL;
	}
	*certificate = (struct certificate){.paths = *paths, .reading = reading};
	pthread_mutex_init(&certificate->lock, NULL);
	return certificate;
}

bool
certificate_read(struct certificate *certificate, enum certificate_file *wrong, char *why, size_t room)
{
	struct certificate_reading *reading = reading_new(&certificate->paths, wrong, why, room);
	if (reading == NULL)
		return false;
	pthread_mutex_lock(&certificate->lock);
	struct certificate_reading *before = certificate->reading;
	certificate->reading = reading;
	pthread_mutex_unlock(&certificate->lock);
	certificate_release(before);
	return true;
}

int64_t
certificate_until_ms(struct certificate *certificate)
{
	struct certificate_reading *reading = certificate_hold(certificate);
	int64_t until_ms = reading->until_ms;
	certificate_release(reading);
	return until_ms;
}

void
certificate_log(struct certificate *certificate)
{
	char name[2 * NAME_MAX_SHOWN], until[CLOCK_TEXT_MAX];
	struct certificate_reading *reading = certificate_hold(certificate);
	int64_t now_ms = (int64_t)time(NULL) * 1000; /* what others judge it by, also where the clock is a test's */
	bool valid = reading->from_ms <= now_ms && now_ms < reading->until_ms;
	clock_text(reading->until_ms, until);
	log_line(valid ? LOG_INFO : LOG_WARN, valid ? "certificate" : "certificate_not_valid", "name=%s until=%s",
	    log_quote(reading->name, name, sizeof name), until);
	certificate_release(reading);
}

void
certificate_close(struct certificate *certificate)
{
	if (certificate == NULL)
		return;
	certificate_release(certificate->reading);
	pthread_mutex_destroy(&certificate->lock);
	free(certificate);
}

struct certificate_reading *
certificate_hold(struct certificate *certificate)
{
	pthread_mutex_lock(&certificate->lock);
	struct certificate_reading *reading = certificate->reading;
	atomic_fetch_add_explicit(&reading->holders, 1, memory_order_relaxed);
	pthread_mutex_unlock(&certificate->lock);
	return reading;
}

void
certificate_release(struct certificate_reading *reading)
{
	if (atomic_fetch_sub_explicit(&reading->holders, 1, memory_order_acq_rel) != 1)
		return;
	gnutls_certificate_free_credentials(reading->credentials);
	free(reading);
}

struct gnutls_certificate_credentials_st *
certificate_credentials(const struct certificate_reading *reading)
{
	return reading->credentials;
}
