import Glibc
import RunnelLoop
import TestSupport
import Testing

@Suite struct ServiceManagerTests {
  @Test(arguments: [false, true])
  func receivesWholeLifecycle(isAbstract: Bool) async {
    let manager = Manager(isAbstract: isAbstract)
    await withFixture(["service"], environment: ["NOTIFY_SOCKET": manager.address]) { fixture in
      // A separate line would be another variable.
      #expect(manager.receive() == ["STATUS=serving READY=0"])
      #expect(manager.receive() == ["READY=1"])
      fixture.send(.hangup)
      let reload = manager.receive()
      #expect(reload.first == "RELOADING=1")
      let time = reload.last?.split(separator: "=")
      #expect(time?.first == "MONOTONIC_USEC")
      #expect((time?.last.flatMap { Int64($0) } ?? 0) > 0)
      #expect(manager.receive() == ["READY=1"])
      fixture.send(.terminate)
      #expect(manager.receive() == ["STOPPING=1"])
      #expect(fixture.wait() == .exit(1))
      #expect(manager.receiveIfAny() == nil)
    }
  }

  @Test(arguments: [
    (Duration.milliseconds(1_500), "1500000"), (.seconds(-1), "0"),
    (.seconds(Int64.max), "31536000000000"),
  ]) func timeCanBeExtended(_ time: Duration, _ microseconds: String) {
    let manager = Manager(isAbstract: true)
    let address = manager.address
    let notified = ServiceManager { $0 == "NOTIFY_SOCKET" ? address : nil }?.notify(
      .needsTime(time))
    #expect(notified == nil)
    #expect(manager.receive() == ["EXTEND_TIMEOUT_USEC=\(microseconds)"])
  }

  @Test func turningLoopFeedsWatchdog() async {
    let manager = Manager(isAbstract: true)
    let environment = ["NOTIFY_SOCKET": manager.address, "WATCHDOG_USEC": "20000"]
    await withFixture(["service"], environment: environment) { fixture in
      #expect(manager.receive().first?.hasPrefix("STATUS=") == true)
      #expect(manager.receive() == ["READY=1"])
      for _ in 0..<5 { #expect(manager.receive() == ["WATCHDOG=1"]) }
      fixture.send(.terminate)
      while manager.receive() != ["STOPPING=1"] {}
      #expect(fixture.wait() == .exit(1))
    }
  }

  @Test func blockedLoopDoesNotFeedWatchdog() async {
    let manager = Manager(isAbstract: true)
    let environment = ["NOTIFY_SOCKET": manager.address, "WATCHDOG_USEC": "2000"]
    await withFixture(["blocked"], environment: environment) { fixture in
      #expect(manager.receive() == ["READY=1"])
      #expect(fixture.readLine() == "ready")
      fixture.send(.interrupt)
      #expect(fixture.readLine() == "blocked")
      // All notifications of the loop have arrived, and no other follows until the process ends.
      while manager.receiveIfAny() != nil {}
      fixture.send(.interrupt)
      #expect(fixture.wait() == .signal(.interrupt))
      #expect(manager.receiveIfAny() == nil)
    }
  }

  @Test(arguments: ["/nowhere/at/all", "@unused address", "vsock:2:1", "relative", "@", "/"])
  func serviceRunsWithoutListeningManager(_ address: String) async {
    await withFixture(["service"], environment: ["NOTIFY_SOCKET": address]) { fixture in
      #expect(fixture.readLine() == "ready")
      fixture.send(.terminate)
      #expect(fixture.remainingLines().count == 6)
    }
  }

  @Test func missingAddressReturnsNil() {
    #expect(serviceManager([:]) == nil)
    #expect(serviceManager(["NOTIFY_SOCKET": ""]) == nil)
  }

  @Test(arguments: [
    ("relative", ServiceManager.NotificationError.unusableAddress("relative")),
    ("@", .unusableAddress("@")),
    (
      "/" + String(repeating: "x", count: 107),
      .unusableAddress("/" + String(repeating: "x", count: 107))
    ),
    ("/nowhere/at/all", .system(ENOENT)),
    ("@unused address", .system(ECONNREFUSED)),
  ])
  func notifyReturnsError(
    _ address: String, _ error: ServiceManager.NotificationError
  ) throws {
    let manager = try #require(serviceManager(["NOTIFY_SOCKET": address]))
    #expect(manager.notify(.ready) == error)
  }

  @Test func notifyTimesOutForBlockedManager() throws {
    let blocked = Manager(isAbstract: true)
    let manager = try #require(serviceManager(["NOTIFY_SOCKET": blocked.address]))
    var result = manager.notify(.watchdog)
    while result == nil { result = manager.notify(.watchdog) }
    #expect(result == .system(EAGAIN))
    #expect(manager.notify(.ready) == .system(EAGAIN))
  }

  @Test(
    arguments: [
      ("1000000", nil, Duration.seconds(1)), ("3", "\(getpid())", .microseconds(3)),
      ("1000000", "1", nil), ("1000000", "", nil), ("1000000", "x", nil), (nil, nil, nil),
      ("0", nil, nil), ("-5", nil, nil), ("+5", nil, nil), ("5s", nil, nil), ("", nil, nil),
      ("99999999999999999999", nil, nil),
    ] as [(String?, String?, Duration?)])
  func readsWatchdogOfThisProcessOnly(
    _ time: String?, _ process: String?, _ expected: Duration?
  ) throws {
    var variables = ["NOTIFY_SOCKET": "/nowhere"]
    variables["WATCHDOG_USEC"] = time
    variables["WATCHDOG_PID"] = process
    #expect(try #require(serviceManager(variables)).watchdogTimeout == expected)
  }
}

private func serviceManager(_ variables: [String: String]) -> ServiceManager? {
  ServiceManager { variables[$0] }
}

/// The socket of a simulated service manager.
private final class Manager: Sendable {
  let address: String
  private let socket: Int32
  private let path: String?

  init(isAbstract: Bool) {
    let name = "runnel-\(getpid())-\(UInt64.random(in: 0 ... .max))"
    path = isAbstract ? nil : Self.folder + "/" + name
    address = path ?? "@" + name
    socket = Glibc.socket(
      AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var bytes = Array(address.utf8)
    if isAbstract { bytes[0] = 0 } else { bytes.append(0) }
    var socketAddress = sockaddr_un()
    socketAddress.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &socketAddress.sun_path) { $0.copyBytes(from: bytes) }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
    let status = withUnsafePointer(to: &socketAddress) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, length) }
    }
    precondition(status == 0, "\(address): \(String(cString: strerror(errno)))")
  }

  deinit {
    close(socket)
    if let path { unlink(path) }
  }

  private static var folder: String { getenv("TMPDIR").map { String(cString: $0) } ?? P_tmpdir }

  /// Waits for a message, and returns its lines.
  func receive() -> [String] { receive(0) ?? [] }

  /// Returns a message that has arrived already, or nil.
  func receiveIfAny() -> [String]? { receive(Int32(MSG_DONTWAIT)) }

  private func receive(_ flags: Int32) -> [String]? {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    var count = recv(socket, &buffer, buffer.count, flags)
    while count < 0 && errno == EINTR { count = recv(socket, &buffer, buffer.count, flags) }
    guard count >= 0 else { return nil }
    return String(decoding: buffer.prefix(count), as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
}
