// SPDX-License-Identifier: MIT

// One import is enough for users: the URL loading types are part of this module's signatures.
@_exported import BluebonnetURLLoading
