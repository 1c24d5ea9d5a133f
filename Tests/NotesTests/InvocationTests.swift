import Testing

@testable import Notes

@Suite struct InvocationTests {
  @Test(arguments: [
    ("", Invocation.Command.app(script: nil), nil as String?), ("~/n", .app(script: nil), "~/n"),
    ("--folder n", .app(script: nil), "n"), ("list", .list, nil), ("list -f n", .list, "n"),
    ("./list", .app(script: nil), "./list"), ("-f list list", .list, "list"),
    ("show a", .show("a"), nil), ("new a", .new("a", text: nil), nil),
    ("new a b", .new("a", text: "b"), nil), ("search a b", .search("a b"), nil),
    ("search -- --json", .search("--json"), nil), ("--help", .help, nil), ("list -h", .help, nil),
    ("--version", .version, nil), ("--headless --script s n", .app(script: "s"), "n"),
    ("new -- -a", .new("-a", text: nil), nil),
  ])
  func argumentsAreUnderstood(
    _ line: String, _ command: Invocation.Command, _ folder: String?
  ) throws {
    let invocation = try Invocation(line.split(separator: " ").map(String.init))
    #expect(invocation.command == command)
    #expect(invocation.folder == folder)
    #expect(!invocation.isJSON)
  }

  @Test(arguments: [
    "--json", "n --json", "a b", "list a", "show", "show a b", "new", "new a b c", "search",
    "--unknown", "-x", "--folder", "--script s", "--headless", "list --headless --script s",
    "--script s list", "- a",
  ])
  func mistakesAreSaid(_ line: String) {
    #expect(throws: Invocation.UsageError.self) {
      try Invocation(line.split(separator: " ").map(String.init))
    }
  }

  @Test func jsonIsForThoseWhoWriteNotes() throws {
    for line in ["list --json", "--json show a", "search --json a"] {
      #expect(try Invocation(line.split(separator: " ").map(String.init)).isJSON)
    }
  }
}
