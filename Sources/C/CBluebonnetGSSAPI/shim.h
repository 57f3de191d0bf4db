// SPDX-License-Identifier: MIT
#pragma once
#include <stddef.h>
#include <stdint.h>

// The types of RFC 2744, appendix A, as MIT Kerberos and Heimdal lay them out on Linux. The library is looked for at run
// time, so nothing is declared here that would have to be linked, and its headers need not be there.

typedef struct {
  size_t length;
  void *value;
} bluebonnet_gss_buffer;

typedef struct {
  uint32_t length;
  void *elements;
} bluebonnet_gss_oid;

typedef uint32_t (*bluebonnet_gss_import_name)(uint32_t *minor, bluebonnet_gss_buffer *name, bluebonnet_gss_oid *type,
                                               void **imported);
typedef uint32_t (*bluebonnet_gss_release_name)(uint32_t *minor, void **name);
typedef uint32_t (*bluebonnet_gss_release_buffer)(uint32_t *minor, bluebonnet_gss_buffer *buffer);
typedef uint32_t (*bluebonnet_gss_init_sec_context)(uint32_t *minor, void *credential, void **context, void *target,
                                                    bluebonnet_gss_oid *mechanism, uint32_t flags, uint32_t lifetime,
                                                    void *bindings, bluebonnet_gss_buffer *input,
                                                    bluebonnet_gss_oid **actual, bluebonnet_gss_buffer *output,
                                                    uint32_t *granted, uint32_t *granted_lifetime);
typedef uint32_t (*bluebonnet_gss_delete_sec_context)(uint32_t *minor, void **context, bluebonnet_gss_buffer *output);
typedef uint32_t (*bluebonnet_gss_display_status)(uint32_t *minor, uint32_t status, int kind, bluebonnet_gss_oid *mechanism,
                                                  uint32_t *more, bluebonnet_gss_buffer *text);
