import RunnelBus

/// The surroundings in which ``transportViolations(_:isolation:)`` tests a transport.
public protocol TransportFixture: AnyObject {
  /// The type of the tested transport.
  associatedtype Transport: BusTransport

  /// Returns a new transport, which leads to the same peer as all others. It is not connected.
  func makeTransport() -> Transport

  /// Breaks the connection of a transport, which cannot connect until ``repair(_:)``. The peer does
  /// not forget what it has retained.
  func interrupt(_ transport: Transport)

  /// Lets an interrupted transport connect again.
  func repair(_ transport: Transport)

  /// Runs until a condition holds. Returns false if it does not hold within a time in which every
  /// transport should have done what it was asked for.
  func wait(
    until condition: () -> Bool, isolation: isolated (any Actor)?
  ) async -> Bool
}

/// A fixture of a ``TestBroker`` in virtual time.
public final class TestBrokerFixture: TransportFixture {
  /// The broker.
  public let broker: TestBroker
  private let scheduler: TestScheduler
  private var count = 0

  /// Creates a fixture with a broker.
  public init(_ broker: TestBroker, on scheduler: TestScheduler) {
    self.broker = broker
    self.scheduler = scheduler
  }

  /// Returns a new client of the broker.
  public func makeTransport() -> TestBrokerClient {
    count += 1
    return broker.client("client \(count)")
  }

  /// Cuts the way of a client.
  public func interrupt(_ transport: TestBrokerClient) { transport.cut() }

  /// Heals the way of a client.
  public func repair(_ transport: TestBrokerClient) { transport.heal() }

  /// Advances the virtual time, by at most a minute.
  public func wait(
    until condition: () -> Bool, isolation: isolated (any Actor)?
  ) async -> Bool {
    for _ in 0..<6_000 {
      if condition() { return true }
      scheduler.advance(by: .milliseconds(10))
    }
    return condition()
  }
}
