// SPDX-License-Identifier: MIT
// (pico|llhttp) FILE ROUNDS: prints the nanoseconds that one message took.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "llhttp.h"

// libh2o exports picohttpparser, but Debian ships no header for it.
struct phr_header {
  const char *name;
  size_t name_len;
  const char *value;
  size_t value_len;
};
int phr_parse_response(const char *buf, size_t len, int *minor_version, int *status, const char **msg,
                       size_t *msg_len, struct phr_header *headers, size_t *num_headers, size_t last_len);

static struct phr_header fields[256];
static struct span {
  const char *at;
  size_t length;
} spans[512];
static size_t spans_seen, complete;

static void pico(const char *input, size_t length) {
  int minor, status;
  const char *message;
  size_t message_length, count = 256;
  if (phr_parse_response(input, length, &minor, &status, &message, &message_length, fields, &count, 0) != (int)length)
    exit(1);
}

static int span(llhttp_t *parser, const char *at, size_t length) {
  (void)parser;
  spans[spans_seen++ % 512] = (struct span){at, length};
  return 0;
}

static int finished(llhttp_t *parser) {
  (void)parser;
  complete++;
  return 0;
}

int main(int count, char **words) {
  if (count != 4) {
    fprintf(stderr, "usage: (pico|llhttp) FILE ROUNDS\n");
    return 2;
  }
  FILE *file = fopen(words[2], "rb");
  static char input[1 << 22];
  size_t length = file ? fread(input, 1, sizeof input, file) : 0;
  long rounds = atol(words[3]);
  llhttp_settings_t settings;
  llhttp_settings_init(&settings);
  settings.on_status = span;
  settings.on_header_field = span;
  settings.on_header_value = span;
  settings.on_body = span;
  settings.on_message_complete = finished;
  llhttp_t parser;
  llhttp_init(&parser, HTTP_RESPONSE, &settings);

  struct timespec start, end;
  int use_pico = !strcmp(words[1], "pico");
  clock_gettime(CLOCK_MONOTONIC, &start);
  for (long i = 0; i < rounds; i++) {
    if (use_pico) {
      pico(input, length);
      continue;
    }
    spans_seen = 0;
    if (llhttp_execute(&parser, input, length) != HPE_OK || complete != (size_t)i + 1) return 1;
  }
  clock_gettime(CLOCK_MONOTONIC, &end);
  printf("%f\n", ((end.tv_sec - start.tv_sec) * 1e9 + (end.tv_nsec - start.tv_nsec)) / rounds);
  return 0;
}
