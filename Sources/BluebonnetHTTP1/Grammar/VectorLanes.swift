// SPDX-License-Identifier: MIT
#if arch(x86_64) && !BLUEBONNET_PLAIN_LANES
  internal import CBluebonnetIntrinsics

  /// Sixteen bytes at a time, with what every x86-64 processor has (SSE2). Swift's own SIMD comparisons compile to
  /// loops over the lanes (6.3.1), hence the intrinsics.
  enum VectorLanes: Lanes {
    @inline(__always)
    static func unusual(_ bytes: UnsafePointer<UInt8>) -> UInt64 {
      // One more than a printable byte is above 0x20 as a signed number; for DEL and bytes with the high bit it is
      // negative or zero.
      @inline(__always)
      func printable(_ offset: Int) -> UInt64 {
        let next = _mm_add_epi8(load(bytes + offset), _mm_set1_epi8(1))
        return UInt64(mask(_mm_cmpgt_epi8(next, _mm_set1_epi8(0x20))))
      }
      return ~(printable(0) | printable(16) &<< 16 | printable(32) &<< 32 | printable(48) &<< 48)
    }

    @inline(__always)
    static func colons(_ bytes: UnsafePointer<UInt8>) -> UInt32 {
      mask(_mm_cmpeq_epi8(load(bytes), _mm_set1_epi8(0x3A)))
    }

    @inline(__always)
    static func wordBytes(_ bytes: UnsafePointer<UInt8>) -> UInt32 {
      let raw = load(bytes)
      let letter = _mm_sub_epi8(_mm_or_si128(raw, _mm_set1_epi8(0x20)), _mm_set1_epi8(0x61))
      let digit = _mm_sub_epi8(raw, _mm_set1_epi8(0x30))
      let isLetter = _mm_cmpeq_epi8(_mm_min_epu8(letter, _mm_set1_epi8(25)), letter)
      let isDigit = _mm_cmpeq_epi8(_mm_min_epu8(digit, _mm_set1_epi8(9)), digit)
      let isDash = _mm_cmpeq_epi8(raw, _mm_set1_epi8(0x2D))
      return mask(_mm_or_si128(_mm_or_si128(isLetter, isDigit), isDash))
    }

    @inline(__always)
    static func equalFolded(_ bytes: UnsafePointer<UInt8>, _ row: UnsafePointer<UInt8>) -> UInt32 {
      mask(_mm_cmpeq_epi8(_mm_or_si128(load(bytes), _mm_set1_epi8(0x20)), load(row)))
    }

    @inline(__always)
    private static func load(_ bytes: UnsafePointer<UInt8>) -> __m128i {
      UnsafeRawPointer(bytes).loadUnaligned(as: __m128i.self)
    }

    @inline(__always)
    private static func mask(_ vector: __m128i) -> UInt32 {
      UInt32(bitPattern: _mm_movemask_epi8(vector))
    }
  }

  typealias NativeLanes = VectorLanes
#else
  typealias NativeLanes = PlainLanes
#endif
