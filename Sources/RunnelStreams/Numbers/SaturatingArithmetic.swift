// The standard operators trap on overflow. A result that is out of range becomes the nearest number
// that is in range.

extension FixedWidthInteger where Self: SignedInteger {
  /// Returns the sum, clamped to the range of the type.
  @inlinable
  package func plus(_ other: Self) -> Self {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? (other > 0 ? .max : .min) : sum
  }

  /// Returns the difference, clamped to the range of the type.
  @inlinable
  package func minus(_ other: Self) -> Self {
    let (difference, overflows) = subtractingReportingOverflow(other)
    return overflows ? (other > 0 ? .min : .max) : difference
  }

  /// Returns the product, clamped to the range of the type.
  @inlinable
  package func times(_ other: Self) -> Self {
    let (product, overflows) = multipliedReportingOverflow(by: other)
    return overflows ? ((self < 0) == (other < 0) ? .max : .min) : product
  }
}

/// A caller may use the longest duration to mean "never".
extension Duration {
  /// The longest duration. As a deadline, it means never.
  package static var longest: Duration { Duration(attoseconds: .max) }

  /// Returns the sum, or the nearest representable duration if it is out of range.
  @usableFromInline
  package func plus(_ other: Duration) -> Duration {
    Duration(attoseconds: attoseconds.plus(other.attoseconds))
  }

  /// Returns the product, or the nearest representable duration if it is out of range.
  package func times(_ factor: Int) -> Duration {
    Duration(attoseconds: attoseconds.times(Int128(factor)))
  }
}
