import Testing

@testable import RunnelExpansions

@Suite struct BusInterfaceDiagnosticsTests {
  /// Expects one diagnostic of a requirement, without its place.
  private func expectError(
    _ requirement: String, _ message: String, head: String = "@BusInterface(\"org.example.P\")",
    at location: Testing.SourceLocation = #_sourceLocation
  ) {
    let report = BusExpanding("\(head) protocol P {\n  \(requirement)\n}").report
    let first = report.split(separator: "\n").first.map(String.init) ?? "none"
    #expect(first == message, sourceLocation: location)
  }

  @Test(arguments: [
    ("Int", "Int64"), ("UInt", "UInt64"), ("Int8", "Int16"), ("Float", "Double"),
    ("Character", "String"), ("Any", "Variant"), ("Data", "[UInt8]"), ("Set<String>", "[String]"),
    ("Swift.Int", "Int64"), ("any Hashable", "Variant"), ("some Hashable", "Variant"),
  ])
  func typesWithoutAnEquivalent(_ type: String, _ other: String) {
    let message = "D-Bus has no type for '\(type)': write '\(other)'"
    expectError("func f(_ x: \(type))", "2:15 \(message)")
    expectError("func f(_ x: [String: [\(type)]])", "2:25 \(message)")
    expectError("func f(_ x: Dictionary<String, Array<\(type)>>)", "2:40 \(message)")
    expectError("func f() -> \(type)", "2:15 \(message)")
    expectError("func f() -> (a: String, b: \(type))", "2:30 \(message)")
    expectError("func f() -> Single<\(type), BusError>", "2:22 \(message)")
    expectError("var p: Property<\(type)> { get }", "2:19 \(message)")
    expectError("var p: ReadOnlyProperty<\(type)> { get }", "2:27 \(message)")
    expectError("var p: \(type) { get }", "2:10 \(message)")
    expectError("var p: EventStream<\(type), Never> { get }", "2:22 \(message)")
  }

  @Test func valuesThatDBusCannotCarry() {
    let optional =
      "D-Bus has no optional values: choose a value that stands for nothing, or write an array"
    expectError("func f(_ x: String?)", "2:15 \(optional)")
    expectError("func f() -> Optional<String>", "2:15 \(optional)")
    let closure = "D-Bus cannot carry a closure: return the value, or declare a signal"
    expectError("func f(_ x: () -> Void)", "2:15 \(closure)")
    expectError("func f(_ x: @escaping (String) -> Void)", "2:25 \(closure)")
    expectError(
      "func f(_ x: (String, Bool))",
      "2:15 a tuple in a value has no type on the bus: write a type that is a BusStructure")
    expectError("func f(_ x: Void)", "2:15 'Void' has no value on the bus: remove it")
    expectError(
      "func f(_ x: [[String]: Bool])",
      "2:16 a key on the bus is a number, a text or a path: choose another key")
    expectError(
      "func f(_ x: inout String)", "2:15 a value on the bus is a copy: write the type alone")
    expectError(
      "func f(_ x: String...)", "2:15 D-Bus has no variadic arguments: write '[String]'")
  }

  @Test func requirementsThatDBusLacks() {
    expectError(
      "static func f()",
      "2:3 other programs call an object, but the static requirement 'f' belongs to its type")
    expectError(
      "mutating func f()", "2:3 other programs call an object, so 'f' cannot be mutating")
    expectError("init()", "2:3 an object on the bus exists already, so an interface has no 'init'")
    expectError(
      "subscript(x: Int32) -> String { get }", "2:3 D-Bus has no subscripts: write a method")
    expectError(
      "static func + (left: Self, right: Self) -> Self",
      "2:15 D-Bus has no operators: write a method instead of '+'")
    expectError(
      "associatedtype Item",
      "2:18 an interface has fixed types: write the type instead of 'Item', or 'Variant'")
    expectError(
      "func f<Value>(_ x: Value)",
      "2:9 'f' is generic, but an interface has fixed types: write 'Variant' for a value of any type"
    )
    expectError(
      "#if DEBUG\n  func f()\n  #endif",
      "2:3 an interface has the same members everywhere: remove '#if'")
    expectError(
      "var remote: String { get }", "2:7 every proxy has a member 'remote': choose another name")
  }

  @Test func answersAndErrors() {
    let untyped = "an error on the bus is a BusError: write 'throws(BusError)'"
    expectError("func f() throws", "2:12 \(untyped)")
    expectError("func f() throws(any Error)", "2:12 \(untyped)")
    expectError(
      "func f() async",
      "2:8 'f' is async, but the protocol belongs to no actor: write '@MainActor' before the "
        + "protocol, or return a 'Single'")
    expectError(
      "func f() -> Single<String, Never>",
      "2:30 an error on the bus is a BusError: write 'Single<String, BusError>'")
    expectError(
      "func f() -> Single<Void, BusError>",
      "2:15 an error on the bus is a BusError: write 'Completable<BusError>'")
    expectError(
      "func f() -> Completable<Never>",
      "2:27 an error on the bus is a BusError: write 'Completable<BusError>'")
  }

  @Test func propertiesAndSignals() {
    expectError(
      "var p: Double { get set }",
      "2:10 a property that other programs write announces its changes: "
        + "write 'var p: Property<Double> { get }'")
    expectError(
      "var p: Double { get async }",
      "2:7 'p' is read at once on the bus: write a method instead of an async or throwing property")
    let signal = "a signal is a stream that cannot fail: write 'EventStream<String, Never>'"
    expectError("var p: EventStream<String, BusError> { get }", "2:10 \(signal)")
    expectError("var p: PushStream<String> { get }", "2:10 \(signal)")
    expectError(
      "var p: Driver<String> { get }",
      "2:10 a property on the bus has a value at any time: write 'ReadOnlyProperty<String>'")
    expectError(
      "@BusMember(changes: .silent) var p: String { get }",
      "2:14 'p' announces no changes: only a 'Property' or a 'ReadOnlyProperty' does")
  }

  @Test func names() {
    let literal = "a macro reads the name from the source: write a string literal"
    expectError("", "1:15 \(literal)", head: "@BusInterface(name)")
    expectError("", "1:15 \(literal)", head: "@BusInterface(\"org.\\(x)\")")
    expectError(
      "", "1:15 'Player' is no name of an interface: write for example \"org.example.Player\"",
      head: "@BusInterface(\"Player\")")
    expectError(
      "", "1:15 'org.7' is no name of an interface: write for example \"org.example.Player\"",
      head: "@BusInterface(\"org.7\")")
    expectError("@BusMember(name) func f()", "2:14 \(literal)")
    expectError(
      "@BusMember(\"a.b\") func f()",
      "2:14 'a.b' is no name of a member on the bus: use ASCII letters, digits and _")
    expectError(
      "func größe() -> String",
      "2:8 'Größe' is no name of a member on the bus: use ASCII letters, digits and _")
    expectError(
      "func f(_ x: String)\n  func f(_ x: Bool)",
      "3:8 the interface has a member F already, and D-Bus does not distinguish members by their "
        + "types: write another name in @BusMember(\"…\")")
    // D-Bus distinguishes methods, properties and signals.
    let report = BusExpanding(
      """
      @BusInterface("org.example.P") protocol P {
        func state() -> String
        @BusMember("State") var present: String { get }
        @BusMember("State") var changes: EventStream<String, Never> { get }
      }
      """
    ).report
    #expect(report == "")
  }

  @Test func fixesReplaceTheFault() {
    #expect(
      BusExpanding(
        """
        @BusInterface("org.example.P") protocol P {
          func f(_ x: [Int]) throws -> Bool
          var p: Double { get set }
        }
        """
      ).report == """
        2:16 D-Bus has no type for 'Int': write 'Int64'
          fix: write 'Int64'
        @BusInterface("org.example.P") protocol P {
          func f(_ x: [Int64]) throws -> Bool
          var p: Double { get set }
        }
        2:22 an error on the bus is a BusError: write 'throws(BusError)'
          fix: write 'throws(BusError)'
        @BusInterface("org.example.P") protocol P {
          func f(_ x: [Int]) throws(BusError) -> Bool
          var p: Double { get set }
        }
        3:10 a property that other programs write announces its changes: write 'var p: Property<Double> { get }'
          fix: make it a 'Property'
        @BusInterface("org.example.P") protocol P {
          func f(_ x: [Int]) throws -> Bool
          var p: Property<Double> { get }
        }
        """)
  }

  @Test func otherDeclarations() {
    #expect(
      BusExpanding("@BusInterface(\"org.example.P\") class P {}").report
        == "1:1 @BusInterface can only be applied to a protocol")
    #expect(
      BusExpanding("@BusInterface(\"org.example.P\") protocol P: Actor {}").report
        == "1:41 an object on the bus belongs to a loop, and cannot be an actor: "
        + "write '@MainActor' instead")
    let members = "write the members of 'Base' here, or export an object with both interfaces"
    for head in ["P: AnyObject, Base", "P: Sendable & Base", "P where Self: Base"] {
      #expect(
        BusExpanding("@BusInterface(\"org.example.P\") protocol \(head) {}").report
          == "1:41 an interface on the bus inherits nothing: \(members)")
    }
    let markers = "AnyObject, Sendable, ~Copyable"
    #expect(BusExpanding("@BusInterface(\"org.example.P\") protocol P: \(markers) {}").report == "")
    #expect(
      BusExpanding("struct S {\n  @BusMember(\"F\") func f() {}\n}").report
        == "2:3 @BusMember can only be applied to a requirement of a @BusInterface protocol")
  }

  @Test func halfTypedProtocolsAreNoCrash() {
    let source = """
      @BusInterface("org.example.P") @MainActor public protocol P: AnyObject {
        @BusMember("A", changes: .silent) func f(_ x: [String: Bool]) async throws(BusError) -> (a: Bool, b: Int32)
        var p: Property<Double> { get }
        var s: EventStream<(UInt32, String), Never> { get }
      }
      """
    for end in source.indices { _ = BusExpanding(String(source[..<end])).report }
  }
}
