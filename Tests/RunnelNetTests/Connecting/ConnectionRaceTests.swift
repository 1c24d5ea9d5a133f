import RunnelNet
import RunnelNetTesting
import RunnelStreams
import RunnelTesting
import Testing

/// Happy Eyeballs (RFC 8305) in virtual time.
@Suite struct ConnectionRaceTests {
  private let scheduler = TestScheduler()
  private let network: TestNetwork
  private let six1: IPAddress
  private let six2: IPAddress
  private let four1 = IPAddress(192, 0, 2, 1)
  private let four2 = IPAddress(192, 0, 2, 2)

  init() throws {
    network = TestNetwork(on: scheduler)
    six1 = try #require(IPAddress("2001:db8::1"))
    six2 = try #require(IPAddress("2001:db8::2"))
  }

  /// Connects to a name, and returns the result with the time at which it came.
  private func connect(_ change: (inout ConnectionOptions) -> Void = { _ in }) throws -> String {
    let server = try Listener(.tcp("*", port: 80), on: network)
    let accepting = server.connections.observeNext { _ in }
    var results: [String] = []
    let start = scheduler.now
    Connection.connect(
      to: .tcp("example", port: 80), options: ConnectionOptions(change), on: network
    ).observe(
      succeeded: { results.append("\($0.peer) after \(scheduler.now - start)") },
      failed: { results.append("\($0.operation) \($0.cause) after \(scheduler.now - start)") })
    scheduler.advance(by: .seconds(100))
    accepting.dispose()
    #expect(results.count == 1)
    return results.first ?? ""
  }

  @Test func prefersIPv6() throws {
    network.setAddresses([four1, six1], of: "example")
    #expect(try connect() == "[2001:db8::1]:80 after 0.0 seconds")
  }

  @Test func waitsForIPv6Names() throws {
    network.setAddresses([four1, six1], of: "example")
    network.resolvingTime = (v6: .milliseconds(40), v4: .zero)
    #expect(try connect() == "[2001:db8::1]:80 after 0.04 seconds")
  }

  @Test func doesNotWaitLongForIPv6Names() throws {
    network.setAddresses([four1, six1], of: "example")
    network.resolvingTime = (v6: .seconds(3), v4: .zero)
    #expect(try connect() == "192.0.2.1:80 after 0.05 seconds")
  }

  @Test func triesNextAddressAfterDelay() throws {
    network.setAddresses([six1, four1], of: "example")
    network.setBehaviour(.silent, of: six1)
    #expect(try connect() == "192.0.2.1:80 after 0.25 seconds")
  }

  @Test func triesNextAddressAfterFailure() throws {
    network.latency = .milliseconds(5)
    network.setAddresses([six1, four1], of: "example")
    network.setBehaviour(.failing(.unreachable), of: six1)
    #expect(try connect() == "192.0.2.1:80 after 0.02 seconds")
  }

  @Test func alternatesFamilies() throws {
    network.setAddresses([six1, six2, four1, four2], of: "example")
    for address in [six1, four1] { network.setBehaviour(.silent, of: address) }
    #expect(try connect() == "[2001:db8::2]:80 after 0.5 seconds")
  }

  @Test("A slow first attempt may still win")
  func slowAttemptContinues() throws {
    network.setAddresses([six1, four1], of: "example")
    network.setBehaviour(.slow(.milliseconds(300)), of: six1)
    network.setBehaviour(.slow(.milliseconds(100)), of: four1)
    #expect(try connect() == "[2001:db8::1]:80 after 0.3 seconds")
  }

  @Test func failsWithLastCause() throws {
    network.setAddresses([six1, four1], of: "example")
    network.setBehaviour(.failing(.unreachable), of: six1)
    network.setBehaviour(.failing(.refused), of: four1)
    #expect(try connect() == "connect to \(SocketError.Cause.refused) after 0.0 seconds")
  }

  @Test func unknownNameFails() throws {
    network.setAddresses([], of: "example")
    #expect(try connect() == "resolve \(SocketError.Cause.unknownName) after 0.0 seconds")
  }

  @Test func resolvingHasLimit() throws {
    network.resolvingTime = (v6: .seconds(60), v4: .seconds(60))
    let expected = SocketError.Cause.timedOut(.resolving)
    #expect(
      try connect { $0.resolvingTimeout = .seconds(2) } == "resolve \(expected) after 2.0 seconds")
  }

  @Test func connectingHasLimit() throws {
    network.setAddresses([six1, four1], of: "example")
    for address in [six1, four1] { network.setBehaviour(.silent, of: address) }
    let expected = SocketError.Cause.timedOut(.connecting)
    #expect(try connect { $0.timeout = .seconds(4) } == "connect to \(expected) after 4.0 seconds")
  }

  @Test("Later names are tried after all earlier addresses have failed")
  func lateNamesAreTried() throws {
    network.setAddresses([six1, four1], of: "example")
    network.resolvingTime = (v6: .seconds(1), v4: .zero)
    network.setBehaviour(.failing(.refused), of: four1)
    #expect(try connect() == "[2001:db8::1]:80 after 1.0 seconds")
  }

  @Test func disposalCancels() throws {
    network.latency = .seconds(1)
    network.setAddresses([four1], of: "example")
    let server = try Listener(.tcp("*", port: 80), on: network)
    let accepting = server.connections.observeNext { _ in Issue.record("connected") }
    Connection.connect(to: .tcp("example", port: 80), on: network).observe(
      succeeded: { _ in Issue.record("connected") }, failed: { _ in Issue.record("failed") }
    ).dispose()
    scheduler.run()
    accepting.dispose()
    #expect(scheduler.pending == 0)
  }

  @Test("Addresses that arrive late are tried while another attempt waits")
  func lateAddressIsTried() throws {
    network.setAddresses([six1, four1], of: "example")
    network.resolvingTime = (v6: .seconds(1), v4: .zero)
    network.setBehaviour(.silent, of: four1)
    #expect(try connect() == "[2001:db8::1]:80 after 1.0 seconds")
  }
}
