import RunnelStreams

/// Checks an operator against the contracts C1–C10 and C12, as far as they apply, and says what it
/// broke. C11 is the compiler's.
///
///     let violations = contractViolations { source, probe in
///       source.map { element in
///         probe.touch()
///         return element.value
///       }
///     }
///     #expect(violations.isEmpty)
///
/// The operator is run on sources that complete, fail, are empty, endless, synchronous, hot and
/// driven by the clock. It is disposed before anything was sent, in every event and in every one of
/// its own closures; it is sent to while it delivers, observed twice and from within an event, and
/// looked at for what it left behind. The elements and the captures of its closures also send,
/// dispose, end the source and observe again from their `deinit`. An operator that releases one while
/// it changes its state then traps ("Fatal access conflict detected"), and the stack names it: take
/// the old value out of the property first.
///
/// Build the operator from nothing but the source and the probe: what else the closure captures is
/// not released with it. Where the operator flattens, take its inner streams from
/// ``ContractProbe/inner(_:)``: the battery lets them end, fail and stay open.
public func contractViolations<Output, Failure: Error>(
  _ traits: ContractTraits = [],
  of operation:
    @escaping (EventStream<ContractElement, ContractFailure>, ContractProbe) -> EventStream<
      Output, Failure
    >
) -> [ContractViolation] {
  let battery = Battery(traits: traits, operation: operation)
  battery.run()
  return battery.violations
}

/// A rule that an operator broke, and how it was seen.
public struct ContractViolation: CustomStringConvertible, Hashable, Sendable {
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
  /// It may observe its source again after an end, as `retry(when:)` does, and so keeps it.
  public static let observesAgain = ContractTraits(rawValue: 64)
}
