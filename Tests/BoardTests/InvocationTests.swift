import Testing

@testable import Board

/// The command line.
@Suite struct InvocationTests {
  @Test func valuesAreRead() throws {
    let serving = try Invocation(["--port", "0", "serve", "--data", "a"])
    #expect(serving.command == "serve" && serving.port == 0 && serving["data"] == "a")
    #expect(try Invocation([]).port == 8_080)
    let logging = try Invocation(["--log", "json", "--level", "debug"])
    #expect(logging.logFormat == .json && logging.logLevel == .debug)
    #expect(try Invocation([]).logFormat == nil && Invocation([]).logLevel == nil)
    let publishing = try Invocation(["publish", "kitchen", "--token", "t", "--", "--port"])
    #expect(publishing.words == ["kitchen", "--port"] && publishing["token"] == "t")
    #expect(try Invocation(["watch", "kitchen", "--after", "7"]).after == 7)
    #expect(try Invocation(["publish", "--help"]).command == "help")
  }

  @Test(arguments: [
    ("--prot 1", "There is no option --prot."), ("--port", "--port needs a value."),
    ("--port 65536", "--port 65536 is not a number from 0 to 65535."),
    ("sevre", "There is no command \"sevre\"."), ("serve now", "serve takes no arguments."),
    ("publish kitchen", "publish takes TOPIC and TEXT."), ("watch", "watch takes TOPIC."),
    ("watch a --port 1", "watch has no option --port."),
    ("--log xml", "--log has no value xml."), ("--level loud", "--level has no value loud."),
    ("watch a --after x", "--after x is not a number from 0 to \(Int.max)."),
  ])
  func mistakesAreNamed(_ arguments: String, _ message: String) {
    #expect(throws: Invocation.UsageError(description: message)) {
      try Invocation(arguments.split(separator: " ").map(String.init))
    }
  }
}

/// The configuration file.
@Suite struct ConfigurationTests {
  @Test func settingsAreRead() throws {
    let text =
      "# comment\n\n token = 12345678 \r\ntoken=abcdefgh\npost-size = 10\ntopics=2\nhost = Board.example\n"
    let configuration = try Configuration(text, of: "board.conf")
    #expect(configuration.tokens == ["12345678", "abcdefgh"])
    #expect(configuration.hosts == ["board.example"])
    #expect(configuration.limits == Board.Limits(postSize: 10, topicCount: 2))
    #expect(try Configuration("", of: "board.conf") == Configuration())
  }

  @Test(arguments: [
    ("tokn = 1", "There is no setting \"tokn\"."), ("token", "Write a setting as"),
    ("token = short", "A token has 8"), ("token = 1234 5678", "A token has 8"),
    ("topics = many", "\"many\" is not a number from 1 to 1000000."),
    ("post-size = 65537", "\"65537\" is not a number from 1 to 65536."),
    ("connections = 0", "\"0\" is not a number"),
  ])
  func faultNamesFileAndLine(_ line: String, _ reason: String) throws {
    let fault = #expect(throws: Configuration.Fault.self) {
      try Configuration("# first\n\(line)\n", of: "board.conf")
    }
    #expect(fault?.description.hasPrefix("board.conf:2: \(reason)") == true)
  }
}
