// SPDX-License-Identifier: MIT
#pragma once
#include <brotli/encode.h>
