import Testing

@testable import RunnelExpansions

/// The forms in which an author can write the members of a protocol.
@Suite struct BusInterfaceFormsTests {
  /// Expects parts of the class for a protocol with the given requirements.
  private func expect(
    _ requirements: String, generates parts: String..., head: String = "protocol P",
    at location: Testing.SourceLocation = #_sourceLocation
  ) {
    let expanded = BusExpanding("@BusInterface(\"org.example.P\") \(head) {\n\(requirements)\n}")
    #expect(expanded.report == "", sourceLocation: location)
    for part in parts {
      let isFound = expanded.generated.contains(part)
      #expect(isFound, "\(part)\n\(expanded.generated)", sourceLocation: location)
    }
  }

  @Test func aliasesAreMembersOfTheClass() {
    expect(
      """
      /// Some titles.
      typealias Titles = [String]
      func show(_ titles: Titles)
      var all: ReadOnlyProperty<[Titles]> { get }
      """,
      generates: "  /// Some titles.\n  public typealias Titles = [String]\n",
      "public func show(_ titles: Titles) -> Completable<BusError>", head: "public protocol P")
  }

  @Test func aliasesOfTuplesAndStreamsAreResolved() {
    expect(
      """
      typealias Size = (name: String, bytes: UInt64)
      typealias Sizes = EventStream<Size, Never>
      func size() -> Size
      func later() -> Single<Size, BusError>
      var resized: Sizes { get }
      """,
      generates:
        "remote.call(\"Size\", as: String.self, UInt64.self).map { (name: $0.0, bytes: $0.1) }",
      "interface.method(\"Later\", results: [\"name\", \"bytes\"], later:",
      "remote.signals(\"Resized\", as: String.self, UInt64.self)")
  }

  /// The description uses all members, and must not warn of those that are deprecated.
  @Test func deprecatedMembersAreDescribedWithoutAWarning() {
    expect(
      "@available(*, deprecated) func old()\nfunc new()",
      generates:
        """
          private protocol DescribesInterface {
            @MainActor static func interface(of object: any P) -> BusInterface
          }
          private enum DeprecatedMembers: DescribesInterface {
            @available(*, deprecated)
            @MainActor static func interface(of object: any P) -> BusInterface {
              var interface = BusInterface(interfaceName)
              interface.method("Old", answer: { () throws(BusError) -> Void in
                object.old()
              })
              interface.method("New", answer: { () throws(BusError) -> Void in
                object.new()
              })
              return interface
            }
          }
          static func interface(of object: any P) -> BusInterface {
            (DeprecatedMembers.self as any DescribesInterface.Type).interface(of: object)
          }
        """, head: "@MainActor protocol P")
  }

  @Test func faultsOfAliasesAreAtTheirPlace() {
    let report = BusExpanding(
      """
      @BusInterface("org.example.P") protocol P {
        typealias Count = Int
        func count() -> Count
      }
      """
    ).report
    #expect(report.hasPrefix("2:21 D-Bus has no type for 'Int': write 'Int64'"), "\(report)")
  }

  @Test func aliasOfItselfIsNoEndlessLoop() {
    _ =
      BusExpanding(
        "@BusInterface(\"org.example.P\") protocol P { typealias A = A\n func f() -> A }"
      ).report
  }

  @Test func resultsThatMayBeIgnored() {
    expect(
      "@discardableResult func add() throws(BusError) -> UInt32",
      generates:
        "@discardableResult nonisolated(nonsending) func add() async throws(BusError) -> UInt32",
      "  func add() -> Single<UInt32, BusError>")
  }

  @Test func namesOfTheTaskAreReplaced() {
    expect(
      "func stop(finish: Bool, _ task: Bool, error: Bool) async",
      generates: "stop(finish argument0: Bool, _ argument1: Bool, error argument2: Bool)",
      "object.stop(finish: argument0, argument1, error: argument2)", head: "@MainActor protocol P")
  }

  @Test func actorsOfMembers() {
    expect("@MainActor func f() async", generates: "func f() async", head: "@MainActor protocol P")
    let report = BusExpanding(
      "@BusInterface(\"org.example.P\") protocol P {\n  @MainActor func f()\n}"
    ).report
    #expect(
      report == "2:19 'f' belongs to another actor than the protocol: "
        + "write '@MainActor' before the protocol")
  }

  @Test func formsOfParametersAndResults() {
    expect(
      """
      func f(_ a: Int32, b c: [String: Place.Kind],) -> (Int32)
      nonisolated func g() -> (name: String,
        // The size in bytes.
        size: UInt64)
      func `repeat`(in `default`: Bool)
      """,
      generates: "func f(_ a: Int32, b c: [String: Place.Kind]) -> Single<(Int32), BusError>",
      "remote.call(\"G\", as: String.self, UInt64.self)", "remote.call(\"Repeat\", with: `default`)"
    )
  }
}
