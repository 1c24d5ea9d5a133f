import RunnelStreams

/// The inputs of stamps that differ from run to run. Tests replace them.
package struct StampInputs {
  /// Returns the time in microseconds.
  package let clock: () -> UInt64
  /// Returns the identity of a new bus, which is not zero and differs from all others.
  package let makeIdentity: () -> UInt128

  package init(clock: @escaping () -> UInt64, makeIdentity: @escaping () -> UInt128) {
    self.clock = clock
    self.makeIdentity = makeIdentity
  }

  /// The clock of the system, and random identities.
  static var system: StampInputs {
    StampInputs(
      clock: { UInt64(max(LogEntry.now / .microseconds(1), 0)) },
      makeIdentity: { UInt128.random(in: 1 ... .max) })
  }
}
