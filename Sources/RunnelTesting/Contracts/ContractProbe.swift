import RunnelStreams

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
    census?.alive -= 1
  }

  /// How many elements are alive.
  final class Census {
    var alive = 0
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
public struct ContractFailure: Error, Hashable {
  /// The error.
  public init() {}
}

/// What the operator under test captures in its closures.
///
/// Call ``touch()`` in each closure that is given to the operator: the battery then sees closures
/// that run after disposal (C4), disposes from within them, and sees whether they were released.
public final class ContractProbe {
  /// Virtual time for operators that take a scheduler.
  public let scheduler: TestScheduler
  /// Called at each touch.
  var onTouch: () -> Void = {}

  init(scheduler: TestScheduler) {
    self.scheduler = scheduler
  }

  /// Says that a closure of the operator runs.
  public func touch() {
    onTouch()
  }
}

/// A rule that an operator broke, and how it was seen.
public struct ContractViolation: CustomStringConvertible, Sendable {
  /// The number of the contract: 1 for C1.
  public let contract: Int
  /// What was seen.
  public let message: String

  /// `C4: an event arrived after dispose()`.
  public var description: String { "C\(contract): \(message)" }
}

/// What is peculiar about an operator, so that the battery expects the right thing.
public struct ContractTraits: OptionSet, Sendable {
  /// The bits.
  public let rawValue: Int

  /// Traits from their bits.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// It waits on the scheduler, so events may come later than their cause (C7 does not apply).
  public static let timed = ContractTraits(rawValue: 1)
  /// All observers share one run of the source (C6 does not apply).
  public static let shared = ContractTraits(rawValue: 2)
  /// It keeps elements by its nature, as `toArray` does (the memory check of C9 does not apply).
  public static let accumulates = ContractTraits(rawValue: 4)
  /// It does something about a failure, so that the failure need not arrive (C10 does not apply).
  public static let handlesFailure = ContractTraits(rawValue: 8)
  /// It goes on after the end of its source, with another stream or the same one again: the source
  /// is torn down before the end of all is delivered.
  public static let outlivesSource = ContractTraits(rawValue: 16)
  /// It must not be given an endless source, because it never sends before the end (C8).
  public static let awaitsEnd = ContractTraits(rawValue: 32)
}
