// SPDX-License-Identifier: MIT

// The C library, for every module that calls it: Glibc, or Musl where a program is built against that.
#if !os(Linux)
  #error("Bluebonnet is for Linux. On other systems, depend on Alamofire: README shows a package with both.")
#elseif canImport(Musl)
  @_exported import Musl
#else
  @_exported import Glibc
#endif
