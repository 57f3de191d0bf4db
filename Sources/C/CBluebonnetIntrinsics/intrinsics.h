// SPDX-License-Identifier: MIT
// The compiler's own vector intrinsics, made visible to Swift. No function of ours is here.
#pragma once
#if defined(__SSE2__)
#include <emmintrin.h>
#endif
