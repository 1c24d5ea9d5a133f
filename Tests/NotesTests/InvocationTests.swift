import Testing

@testable import Notes

@Suite struct InvocationTests {
  @Test(arguments: [
    ("", Invocation.Command.app(script: nil), nil as String?), ("~/n", .app(script: nil), "~/n"),
    ("--folder n", .app(script: nil), "n"), ("list", .list, nil), ("list -f n", .list, "n"),
    ("./list", .app(script: nil), "./list"), ("-f list list", .list, "list"),
    ("show a", .show("a"), nil), ("new a", .new("a", text: nil), nil),
    ("new a b", .new("a", text: "b"), nil), ("new a --template t", .new("a", text: nil), nil),
    ("search a b", .search("a b", note: nil), nil),
    ("search -- --json", .search("--json", note: nil), nil),
    ("search a -n --in b", .search("a", note: "b"), nil), ("rm a", .remove("a"), nil),
    ("mv a b", .move("a", to: "b"), nil), ("append a", .append("a", text: nil), nil),
    ("append a b", .append("a", text: "b"), nil), ("edit a", .edit("a"), nil),
    ("open a", .open("a"), nil), ("--window open a -f n", .open("a"), "n"),
    ("search-provider", .searchProvider, nil),
    ("completions zsh", .completions(.zsh), nil), ("man", .manual, nil), ("--help", .help, nil),
    ("list -h", .help, nil), ("new a -", .new("a", text: "-"), nil),
    ("new --- ---b", .new("---", text: "---b"), nil),
    ("--version", .version, nil), ("--headless --script s n", .app(script: "s"), "n"),
    ("new -- -a", .new("-a", text: nil), nil), ("--plain n", .app(script: nil), "n"),
    ("--menu-bar --script s n", .app(script: "s"), "n"),
  ])
  func validArgumentsAreParsed(
    _ line: String, _ command: Invocation.Command, _ folder: String?
  ) throws {
    let invocation = try Invocation(line.split(separator: " ").map(String.init)) { $0 == "n" }
    #expect(invocation.command == command)
    #expect(invocation.folder == folder)
    #expect(!invocation.isJSON)
  }

  @Test(arguments: [
    "--json", "n --json", "a b", "list a", "show", "show a b", "new", "new a b c",
    "new a b --template t",
    "--folder=/x", "new a --template=b", "new a --template", "show a --template t", "search",
    "mv", "mv a", "rm", "rm a b", "edit", "append", "append a b c", "completions",
    "completions csh",
    "man a", "list -n", "show a --in b", "search a --in", "--unknown", "-x", "--folder",
    "--script s", "--headless", "list --headless --script s",
    "--script s list", "- a", "serch", "serch milk", "-f n n", "-f n -f n", "-f n --folder x list",
    "--plain list", "--plain --script s", "open", "open a b", "--headless --script s open a",
    "--window --script s open a", "--menu-bar list",
  ])
  func invalidArgumentsThrowUsageError(_ line: String) {
    #expect(throws: Invocation.UsageError.self) {
      try Invocation(line.split(separator: " ").map(String.init))
    }
  }

  @Test(arguments: [
    ("serch", "search"), ("serch milk", "search"), ("lsit", "list"), ("news", "new"),
    ("sohw a", "show"), ("recipes", nil as String?),
  ])
  func mistypedCommandSuggestsNearestCommand(_ line: String, _ meant: String?) {
    let error = #expect(throws: Invocation.UsageError.self) {
      try Invocation(line.split(separator: " ").map(String.init)) { _ in false }
    }
    let words = line.split(separator: " ")
    #expect(error?.message.contains("no folder called \"\(words[0])\"") == true)
    #expect(error?.message.contains("./\(words[0])") == true)
    #expect(error?.message.contains("Did you mean") == (meant != nil))
    if let meant { #expect(error?.message.contains(" \(meant)?") == true) }
  }

  @Test(arguments: [
    ("show", "show needs a title."), ("new --json", "new needs a title."),
    ("search", "search needs a word."), ("--script", "--script needs a FILE."),
    ("list a", "These arguments cannot be combined."),
    ("-x", "There is no option -x. Write -- before such text."),
  ])
  func usageErrorNamesTheMistake(_ line: String, _ message: String) {
    let error = #expect(throws: Invocation.UsageError.self) {
      try Invocation(line.split(separator: " ").map(String.init))
    }
    #expect(error?.message == message)
  }

  @Test func onlyPathsAreRenamedOrLinked() {
    for line in ["", "-f", "new -f", "--headless --script"] {
      #expect(Invocation.isPath(after: line.split(separator: " ").map(String.init)), "\(line)")
    }
    for line in ["new", "new a", "-f n search"] {
      #expect(!Invocation.isPath(after: line.split(separator: " ").map(String.init)), "\(line)")
    }
  }

  @Test func jsonOptionIsAcceptedByCommandsWithOutput() throws {
    for line in ["list --json", "--json show a", "search --json a", "new --json a b"] {
      #expect(try Invocation(line.split(separator: " ").map(String.init)).isJSON)
    }
  }
}
