/// The element that the contract battery sends: a number that is counted while it is alive.
public final class ContractElement: Hashable, Comparable, CustomStringConvertible {
  /// The number: 1, 2, 3 and so on in the order of sending.
  public let value: Int
  private let census: Census?

  /// Creates an element that is not counted, for elements that an operator adds itself.
  public init(_ value: Int) {
    self.value = value
    census = nil
  }

  init(_ value: Int, in census: Census) {
    self.value = value
    self.census = census
    census.alive += 1
  }

  deinit {
    guard let census else { return }
    census.alive -= 1
    census.onRelease()
  }

  /// The number of living elements, and a callback for each release.
  final class Census {
    var alive = 0
    var onRelease: () -> Void = {}
  }

  /// The number.
  public var description: String { "\(value)" }

  /// Returns true when the numbers are equal.
  public static func == (left: ContractElement, right: ContractElement) -> Bool {
    left.value == right.value
  }

  /// Returns true when the first number is smaller.
  public static func < (left: ContractElement, right: ContractElement) -> Bool {
    left.value < right.value
  }

  /// Hashes the number.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(value)
  }
}

/// The error with which the contract battery fails its sources.
public struct ContractFailure: Error, Hashable, CustomStringConvertible {
  /// Creates the error.
  public init() {}

  /// A description that names the contract battery.
  public var description: String { "The contract battery failed this stream." }
}
