import Glibc
import RunnelLoop
import TestSupport
import Testing

@Suite struct ActivationTests {
  /// Runs the fixture with two open descriptors and the variables, in the process of the shell.
  private func activated(_ variables: String, _ check: @escaping @Sendable ([String]) -> Void) async
  {
    let script = "exec 3</dev/null 4</dev/null; \(variables) exec \(Fixture.path) activation"
    await withProcess(["/bin/sh", "-c", script]) { fixture in
      check(fixture.remainingLines())
    }
  }

  @Test func returnsPassedDescriptors() async {
    await activated("LISTEN_PID=$$ LISTEN_FDS=2 LISTEN_FDNAMES=web:admin") {
      #expect($0 == ["3 web true", "4 admin true", "then 0"])
    }
  }

  @Test func unnamedDescriptorsAreUnknown() async {
    await activated("LISTEN_PID=$$ LISTEN_FDS=1") {
      #expect($0 == ["3 unknown true", "then 0"])
    }
  }

  @Test func ignoresDescriptorsOfOtherProcess() async {
    await activated("LISTEN_PID=1 LISTEN_FDS=2") {
      #expect($0 == ["then 0"])
    }
  }

  @Test func closedDescriptorThrows() async {
    await activated("LISTEN_PID=$$ LISTEN_FDS=3") {
      #expect($0.count == 1)
      #expect($0.first?.hasPrefix("Descriptor 5 was announced") == true)
    }
  }

  @Test(
    arguments: [
      (["LISTEN_PID": "7", "LISTEN_FDS": "0"], []),
      (["LISTEN_PID": "7", "LISTEN_FDS": "0", "LISTEN_FDNAMES": ""], []),
      (["LISTEN_PID": "7"], []), (["LISTEN_FDS": "7"], []), ([:], []),
      (["LISTEN_PID": "8", "LISTEN_FDS": "x"], []),
      (["LISTEN_PID": "7", "LISTEN_FDS": "1", "LISTEN_FDNAMES": ""], [""]),
      (["LISTEN_PID": "7", "LISTEN_FDS": "2", "LISTEN_FDNAMES": "a:"], ["a", ""]),
      (["LISTEN_PID": "7", "LISTEN_FDS": "2"], ["unknown", "unknown"]),
    ] as [([String: String], [String])])
  func readsVariables(_ variables: [String: String], _ names: [String]) throws {
    let descriptors = try Activation.descriptors(for: 7) { variables[$0] }
    #expect(descriptors.map(\.name) == names)
    #expect(descriptors.map(\.number) == names.indices.map { Int32($0) + 3 })
  }

  @Test(arguments: [
    ("LISTEN_PID", ""), ("LISTEN_PID", "-7"), ("LISTEN_PID", "7 "), ("LISTEN_PID", "+7"),
    ("LISTEN_FDS", "-1"), ("LISTEN_FDS", ""), ("LISTEN_FDS", "two"), ("LISTEN_FDS", "0x2"),
    ("LISTEN_FDS", "2147483646"), ("LISTEN_FDS", "99999999999999999999"),
    ("LISTEN_FDNAMES", "one"), ("LISTEN_FDNAMES", "one:two:three"), ("LISTEN_FDNAMES", ""),
  ])
  func malformedVariableThrows(_ name: String, _ value: String) {
    var variables = ["LISTEN_PID": "7", "LISTEN_FDS": "2", "LISTEN_FDNAMES": "one:two"]
    variables[name] = value
    #expect(throws: ActivationError.malformed(name, value)) {
      try Activation.descriptors(for: 7) { variables[$0] }
    }
  }
}
