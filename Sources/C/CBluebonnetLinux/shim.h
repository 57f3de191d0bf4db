// SPDX-License-Identifier: MIT
// What `import Glibc` does not expose: epoll, eventfd, getrandom, netlink and GNU-only calls.
#pragma once
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <linux/netlink.h>

// Declared here because the headers hide them without _GNU_SOURCE, and defining that would make the types of the
// headers above differ from those that the Glibc module has imported.
extern int accept4(int, struct sockaddr *, socklen_t *, int);
extern int pthread_setname_np(pthread_t, const char *);
