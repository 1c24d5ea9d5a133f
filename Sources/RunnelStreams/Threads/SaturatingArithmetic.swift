/// Arithmetic for deadlines. That of the standard library traps where a result is out of range, and
/// a user who means "never" may well say so with the longest duration there is.
extension Duration {
  /// The longest there is. As a deadline it is the end of time, which does not come.
  package static var longest: Duration { Duration(attoseconds: .max) }

  /// The sum, or where that is out of range, the duration nearest to it.
  package func addingWithSaturation(_ other: Duration) -> Duration {
    let (sum, overflows) = attoseconds.addingReportingOverflow(other.attoseconds)
    guard overflows else { return Duration(attoseconds: sum) }
    return Duration(attoseconds: other < .zero ? .min : .max)
  }

  /// The product, or where that is out of range, the duration nearest to it.
  package func multipliedWithSaturation(by factor: Int) -> Duration {
    let (product, overflows) = attoseconds.multipliedReportingOverflow(by: Int128(factor))
    guard overflows else { return Duration(attoseconds: product) }
    return Duration(attoseconds: (self < .zero) == (factor < 0) ? .max : .min)
  }
}
