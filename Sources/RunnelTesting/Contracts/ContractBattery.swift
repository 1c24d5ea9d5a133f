import RunnelStreams

/// Returns the violations of the contracts C1–C10 and C12 by an operator. The compiler checks C11.
///
///     let violations = contractViolations { source, probe in
///       source.map { element in
///         probe.touch()
///         return element.value
///       }
///     }
///     #expect(violations.isEmpty)
///
/// The battery runs the operator on sources that complete, fail, are empty, endless, synchronous,
/// hot and timed. In these runs it:
/// - disposes the observation before the first event, in each event and in each of the operator's
///   own closures;
/// - sends elements while the operator delivers;
/// - observes the operator twice, and again from within an event;
/// - checks that everything is released afterwards;
/// - sends, disposes, ends the source and observes again from the `deinit` of elements and
///   captures.
///
/// An operator that releases an object while it modifies its own state traps in the last check
/// ("Fatal access conflict detected"), and the stack trace names the operator. Move the old value
/// out of the property before releasing it.
///
/// Build the operator from nothing but the source and the probe, because other captures of the
/// closure are not released with it. For a flattening operator, take the inner streams from
/// ``ContractProbe/inner(_:)``; the battery lets them end, fail and stay open.
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

/// A contract that an operator violated, and the observed behaviour.
public struct ContractViolation: CustomStringConvertible, Hashable, Sendable {
  /// The number of the contract: 1 for C1.
  public let contract: Int
  /// The observed behaviour.
  public let message: String

  /// The contract and the message: `C4: an event arrived after dispose()`.
  public var description: String { "C\(contract): \(message)" }
}

/// Properties of an operator that change which checks apply.
public struct ContractTraits: OptionSet, Sendable {
  /// The bits of the set.
  public let rawValue: Int

  /// Creates a set of traits from its bits.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// The operator uses the scheduler, so events may arrive later than their cause (C7 does not
  /// apply).
  public static let timed = ContractTraits(rawValue: 1)
  /// All observers share one run of the source (C6 does not apply).
  public static let shared = ContractTraits(rawValue: 2)
  /// The operator keeps elements by design, as `toArray` does (the memory check of C9 does not
  /// apply).
  public static let accumulates = ContractTraits(rawValue: 4)
  /// The operator handles failures, so they need not arrive (C10 does not apply).
  public static let handlesFailure = ContractTraits(rawValue: 8)
  /// The operator continues after the end of its source, with another stream or the same one. The
  /// source is torn down before the end is delivered.
  public static let outlivesSource = ContractTraits(rawValue: 16)
  /// The operator sends nothing before the end, so it is not tested with an endless source (C8).
  public static let awaitsEnd = ContractTraits(rawValue: 32)
  /// The operator may observe its source again after an end, as `retry(when:)` does, and so retains
  /// it.
  public static let observesAgain = ContractTraits(rawValue: 64)
}
