// SPDX-License-Identifier: MIT
// libcurl under the same command line and report as the other clients:
// MODE URL --requests N --concurrency N [--cacert PEM]
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

struct body {
  char *bytes;
  size_t count, capacity;
  int keep;
  size_t total;
};

static size_t collect(char *data, size_t size, size_t count, void *context) {
  struct body *body = context;
  size_t length = size * count;
  body->total += length;
  if (!body->keep) return length;
  if (body->count + length > body->capacity) {
    body->capacity = (body->count + length) * 2;
    body->bytes = realloc(body->bytes, body->capacity);
    if (!body->bytes) return 0;
  }
  memcpy(body->bytes + body->count, data, length);
  body->count += length;
  return length;
}

static double seconds(struct timeval time) { return time.tv_sec + time.tv_usec / 1e6; }

static double wall(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec + now.tv_nsec / 1e9;
}

// VmHWM; ru_maxrss would still hold the peak of the program that started this one.
static long peak_kilobytes(void) {
  FILE *status = fopen("/proc/self/status", "r");
  char line[256];
  long kilobytes = 0;
  while (status && fgets(line, sizeof line, status))
    if (sscanf(line, "VmHWM: %ld", &kilobytes) == 1) break;
  if (status) fclose(status);
  return kilobytes;
}

static void fail(const char *what) {
  fprintf(stderr, "libcurl-peer: %s\n", what);
  exit(1);
}

static CURL *transfer(const char *url, const char *authorities, struct body *body) {
  CURL *easy = curl_easy_init();
  if (!easy) fail("no handle");
  curl_easy_setopt(easy, CURLOPT_URL, url);
  curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
  curl_easy_setopt(easy, CURLOPT_FAILONERROR, 1L);
  // Without it each transfer costs six rt_sigaction; threaded programs must set it anyway.
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, collect);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, body);
  curl_easy_setopt(easy, CURLOPT_PRIVATE, body);
  if (authorities) curl_easy_setopt(easy, CURLOPT_CAINFO, authorities);
  // What a user measuring libcurl at its best would set; its default is 16 KiB.
  const char *buffer = getenv("LIBCURL_PEER_BUFFER");
  if (buffer) curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, atol(buffer));
  return easy;
}

static void renew(struct body *body) {
  // Each response is handed over as memory of its own, as the other clients do.
  free(body->bytes);
  body->bytes = NULL;
  body->count = body->capacity = 0;
}

static void one_at_a_time(CURL *easy, struct body *body, long requests) {
  for (long i = 0; i < requests; i++) {
    renew(body);
    if (curl_easy_perform(easy) != CURLE_OK) fail("transfer failed");
  }
}

static void many_at_once(CURL **easy, long concurrency, long requests) {
  CURLM *multi = curl_multi_init();
  curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, concurrency);
  long started = 0, finished = 0;
  for (; started < concurrency && started < requests; started++) curl_multi_add_handle(multi, easy[started]);
  while (finished < requests) {
    int running, left;
    if (curl_multi_perform(multi, &running) != CURLM_OK) fail("multi failed");
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left))) {
      if (message->msg != CURLMSG_DONE) continue;
      if (message->data.result != CURLE_OK) fail(curl_easy_strerror(message->data.result));
      CURL *done = message->easy_handle;
      finished++;
      curl_multi_remove_handle(multi, done);
      if (started == requests) continue;
      struct body *body;
      curl_easy_getinfo(done, CURLINFO_PRIVATE, (char **)&body);
      renew(body);
      started++;
      curl_multi_add_handle(multi, done);
    }
    if (finished < requests && curl_multi_poll(multi, NULL, 0, 1000, NULL) != CURLM_OK) fail("poll failed");
  }
  curl_multi_cleanup(multi);
}

int main(int count, char **words) {
  if (count < 3 || count % 2 == 0) fail("usage: (small|stream) URL [--requests N] [--concurrency N] [--cacert PEM]");
  int keep = strcmp(words[1], "small") == 0;
  long requests = 1, concurrency = 1;
  const char *authorities = NULL;
  for (int i = 3; i < count; i += 2) {
    if (!strcmp(words[i], "--requests")) requests = atol(words[i + 1]);
    else if (!strcmp(words[i], "--concurrency")) concurrency = atol(words[i + 1]);
    else if (!strcmp(words[i], "--cacert")) authorities = words[i + 1];
    else fail("unknown option");
  }
  if (requests < 1 || concurrency < 1) fail("counts start at one");

  curl_global_init(CURL_GLOBAL_DEFAULT);
  struct body *bodies = calloc(concurrency, sizeof *bodies);
  CURL **easy = calloc(concurrency, sizeof *easy);
  if (!bodies || !easy) fail("no memory");
  struct rusage before, after;
  getrusage(RUSAGE_SELF, &before);
  double start = wall();
  for (long i = 0; i < concurrency; i++) {
    bodies[i].keep = keep;
    easy[i] = transfer(words[2], authorities, &bodies[i]);
  }
  if (concurrency == 1) one_at_a_time(easy[0], &bodies[0], requests);
  else many_at_once(easy, concurrency, requests);
  double end = wall();
  getrusage(RUSAGE_SELF, &after);

  size_t bytes = 0;
  for (long i = 0; i < concurrency; i++) bytes += bodies[i].total;
  printf("{\"wall_s\": %f, \"user_s\": %f, \"sys_s\": %f, \"requests\": %ld, \"bytes\": %zu, \"max_rss_kb\": %ld}\n",
         end - start, seconds(after.ru_utime) - seconds(before.ru_utime),
         seconds(after.ru_stime) - seconds(before.ru_stime), requests, bytes, peak_kilobytes());
  return 0;
}
