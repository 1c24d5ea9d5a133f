/// Saturating arithmetic for deadlines. The standard operators trap on overflow, and a caller may
/// use the longest duration to mean "never".
extension Duration {
  /// The longest duration. As a deadline, it means never.
  package static var longest: Duration { Duration(attoseconds: .max) }

  /// Returns the sum, or the nearest representable duration if it is out of range.
  @usableFromInline
  package func addingWithSaturation(_ other: Duration) -> Duration {
    let (sum, overflows) = attoseconds.addingReportingOverflow(other.attoseconds)
    guard overflows else { return Duration(attoseconds: sum) }
    return Duration(attoseconds: other < .zero ? .min : .max)
  }

  /// Returns the product, or the nearest representable duration if it is out of range.
  package func multipliedWithSaturation(by factor: Int) -> Duration {
    let (product, overflows) = attoseconds.multipliedReportingOverflow(by: Int128(factor))
    guard overflows else { return Duration(attoseconds: product) }
    return Duration(attoseconds: (self < .zero) == (factor < 0) ? .max : .min)
  }
}
