/// The element that the contract battery sends: a number, and a count of how many are alive.
public final class ContractElement: Hashable, Comparable, CustomStringConvertible {
  /// The number: 1, 2, 3 and so on in the order of sending.
  public let value: Int
  private let census: Census?

  /// An element that is not counted, for what an operator adds of its own.
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

  /// How many elements are alive, and what happens when one is released.
  final class Census {
    var alive = 0
    var onRelease: () -> Void = {}
  }

  /// The number.
  public var description: String { "\(value)" }

  /// Compares the numbers.
  public static func == (left: ContractElement, right: ContractElement) -> Bool {
    left.value == right.value
  }

  /// Compares the numbers.
  public static func < (left: ContractElement, right: ContractElement) -> Bool {
    left.value < right.value
  }

  /// Hashes the number.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(value)
  }
}

/// The error that the contract battery fails its sources with.
public struct ContractFailure: Error, Hashable, CustomStringConvertible {
  /// The error.
  public init() {}

  /// Says where it comes from.
  public var description: String { "The contract battery failed this stream." }
}
