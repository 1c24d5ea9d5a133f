/// An element whose memory counts towards the limits of a crossing.
package protocol Weighed {
  /// The number of bytes that the element holds.
  var weight: Int { get }
}

extension String: Weighed {
  package var weight: Int { utf8.count }
}

extension Substring: Weighed {
  package var weight: Int { utf8.count }
}

extension Array: Weighed where Element == UInt8 {
  package var weight: Int { count }
}

extension ArraySlice: Weighed where Element == UInt8 {
  package var weight: Int { count }
}

/// Returns a function that weighs elements; nil if they have no weight.
@usableFromInline
func weighing<Element>(_ type: Element.Type) -> ((Element) -> Int)? {
  func weighing<Actual: Weighed>(_ actual: Actual.Type) -> (Element) -> Int {
    // Safety: both are the same type.
    { unsafeBitCast($0, to: Actual.self).weight }
  }
  guard let actual = type as? any Weighed.Type else { return nil }
  return weighing(actual)
}
