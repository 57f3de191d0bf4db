// SPDX-License-Identifier: MIT
// libwebsockets-peer serve            prints its port, and echoes until its standard input ends
// libwebsockets-peer echo PORT COUNT  sends messages of 64 bytes, each when the one before has come back; prints how many a second
#include <libwebsockets.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { size = 64, warm_up = 1000, limit = 65536 };

static struct lws_context *context;
static bool is_over;

// The server: one message of each connection waits to be written.
struct echo {
  size_t length;
  int is_binary;
  unsigned char bytes[LWS_PRE + limit];
};

static int serve(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t length) {
  struct echo *echo = user;
  switch (reason) {
  case LWS_CALLBACK_RECEIVE:
    if (echo->length + length > limit) return -1;
    memcpy(echo->bytes + LWS_PRE + echo->length, in, length);
    echo->length += length;
    if (!lws_is_final_fragment(wsi)) break;
    echo->is_binary = lws_frame_is_binary(wsi);
    lws_callback_on_writable(wsi);
    break;
  case LWS_CALLBACK_SERVER_WRITEABLE:
    if (lws_write(wsi, echo->bytes + LWS_PRE, echo->length, echo->is_binary ? LWS_WRITE_BINARY : LWS_WRITE_TEXT) < 0) return -1;
    echo->length = 0;
    break;
  default:
    break;
  }
  return 0;
}

// The client.
static unsigned char message[size], outgoing[LWS_PRE + size];
static long wanted, echoed;
static struct timespec begun;

static int ask(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t length) {
  (void)user;
  switch (reason) {
  case LWS_CALLBACK_CLIENT_ESTABLISHED:
    lws_callback_on_writable(wsi);
    break;
  case LWS_CALLBACK_CLIENT_WRITEABLE:
    // It is masked where it lies.
    memcpy(outgoing + LWS_PRE, message, size);
    if (lws_write(wsi, outgoing + LWS_PRE, size, LWS_WRITE_BINARY) < 0) return -1;
    break;
  case LWS_CALLBACK_CLIENT_RECEIVE:
    if (length != size || memcmp(in, message, size)) {
      fprintf(stderr, "another message came back\n");
      exit(1);
    }
    if (++echoed == warm_up) clock_gettime(CLOCK_MONOTONIC, &begun);
    if (echoed == warm_up + wanted) {
      struct timespec ended;
      clock_gettime(CLOCK_MONOTONIC, &ended);
      double seconds = (double)(ended.tv_sec - begun.tv_sec) + (double)(ended.tv_nsec - begun.tv_nsec) / 1e9;
      printf("%.0f\n", (double)wanted / seconds);
      is_over = true;
      lws_cancel_service(context);
      return -1;
    }
    lws_callback_on_writable(wsi);
    break;
  case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
    fprintf(stderr, "not connected: %s\n", in ? (char *)in : "for no reason that is known");
    exit(1);
  default:
    break;
  }
  return 0;
}

int main(int argc, char **argv) {
  bool serves = argc == 2 && !strcmp(argv[1], "serve");
  if (!serves && !(argc == 4 && !strcmp(argv[1], "echo"))) {
    fprintf(stderr, "serve | echo PORT COUNT\n");
    return 2;
  }
  struct lws_protocols protocols[] = {
      {"echo", serves ? serve : ask, serves ? sizeof(struct echo) : 0, limit, 0, NULL, 0},
      {NULL, NULL, 0, 0, 0, NULL, 0},
  };
  struct lws_context_creation_info settings = {0};
  settings.port = serves ? 0 : CONTEXT_PORT_NO_LISTEN;
  settings.iface = serves ? "127.0.0.1" : NULL;
  settings.protocols = protocols;
  lws_set_log_level(LLL_ERR, NULL);
  if (serves) {
    context = lws_create_context(&settings);
    if (!context) return 1;
    printf("%d\n", lws_get_vhost_listen_port(lws_get_vhost_by_name(context, "default")));
    fflush(stdout);
    // Whoever has started it ends it.
    while (lws_service(context, 0) >= 0) {}
  } else {
    wanted = atol(argv[3]);
    for (int index = 0; index < size; index++) message[index] = (unsigned char)index;
    context = lws_create_context(&settings);
    if (!context) return 1;
    struct lws_client_connect_info to = {0};
    to.context = context;
    to.address = to.host = "127.0.0.1";
    to.port = atoi(argv[2]);
    to.path = "/";
    to.protocol = "echo";
    if (!lws_client_connect_via_info(&to)) return 1;
    while (!is_over && lws_service(context, 0) >= 0) {}
  }
  lws_context_destroy(context);
  return 0;
}
