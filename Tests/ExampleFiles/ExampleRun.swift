/// Additions that an example of a guide needs in order to run. Examples without one run unchanged.
struct ExampleRun {
  /// A line of the example that occurs in no other example of the guide.
  let line: String
  /// Statements that run before those of the example, in the same function.
  var before: [String] = []
  /// Statements that run after those of the example, in the same function.
  var after: [String] = []
  /// Replacements for parts of the example that cannot run without a user.
  var replacing: [(String, String)] = []

  /// Runs of examples that only declare something, wait for something, or need a screen.
  static let all: [String: [ExampleRun]] = [
    "Documentation/Sockets.md": [
      ExampleRun(
        line: "  service.onShutdown(\"clients\", server.close(within: .seconds(5)))",
        replacing: [
          (".tcp(port: 7000)", ".tcp(\"localhost\", port: 0)"), (".seconds(5)", ".zero"),
          (
            "  service.onShutdown",
            "  converse(with: server.address, \"hello\\n\") { line in\n"
              + "    check(line == \"echo hello\")\n    service.shutDown()\n  }\n"
              + "  service.onShutdown"
          ),
        ]),
      ExampleRun(
        line: "final class Room {",
        after: [
          "let room = Room()", "room.join(connection)", "_ = client.write(\"hello\\n\")",
          "let line = try EventLoop.main.run(until: client.lines().take(1))",
          "check(line == \"(unnamed): hello\", \"\\(line ?? \"\")\")",
        ]),
      ExampleRun(
        line: "struct Reading: Equatable {",
        after: [
          "let reading = Reading(sensor: 7, millidegrees: -21_500)", "client.send(reading)",
          "let received = try EventLoop.main.run(until: connection.readings.take(1))",
          "check(received == reading)",
        ]),
      ExampleRun(
        line: "counts.observe(next: { count in",
        after: [
          "EventLoop.main.run(for: .milliseconds(5))",
          "check(shown == [\"[104, 101, 108, 108, 111]\"])",
        ]),
      ExampleRun(
        line: "  for try await line in client.lines().take(1).values { show(line) }",
        after: ["check(shown == [\"echo hello\"])"]),
      ExampleRun(
        line: "let demand = Demand(4)",
        after: [
          "_ = connection.write(\"a\\nb\\nc\\nd\\ne\\nf\\n\")",
          "let results = connection.lines().take(6).toArray()",
          "check(try EventLoop.main.run(until: results)?.count == 6)",
        ]),
      ExampleRun(
        line: "_ = client.write(\"some request\")",
        after: [
          "EventLoop.main.run(until: client.closed.recover().stream)",
          "check(shown == [\"12 bytes\"])",
        ]),
      ExampleRun(
        line: "let proxy = try Listener(.tcp(\"localhost\", port: 8080), on: loop)",
        after: [
          "let answer = PushStream<String>()",
          "converse(with: proxy.address, \"hello\\n\") { answer.next($0) }",
          "check(EventLoop.main.run(until: answer.take(1)) == \"echo hello\")",
        ],
        replacing: [
          ("port: 8080", "port: 0"), (".tcp(\"localhost\", port: 80)", ".address(server.address)"),
        ]),
      ExampleRun(
        line:
          "let server = try Listener(.unix(\"control.sock\"), options: options, on: EventLoop.main)",
        after: [
          "let answer = PushStream<String>()",
          "converse(with: server.address, \"start\\n\") { answer.next($0) }",
          "check(EventLoop.main.run(until: answer.take(1)) == \"done: start\")",
        ]),
      ExampleRun(
        line: "_ = client.pass([STDIN_FILENO], with: Array(\"input\".utf8))",
        after: [
          "EventLoop.main.run(for: .milliseconds(5))", "check(shown.count == 1)",
        ]),
      ExampleRun(
        line: "client.writer.sending(file: \"/etc/hostname\").observe(",
        after: [
          "let lines = try EventLoop.main.run(until: connection.lines().toArray())",
          "check(lines?.first == \"here it comes\" && lines?.count == 2)",
        ]),
      ExampleRun(
        line: "  next: { socket.send($0.bytes, to: $0.sender) }, failed: { show($0) })",
        after: [
          "let near = try DatagramSocket(.udp(\"localhost\", port: 0), on: loop)",
          "near.send([1], to: socket.address)",
          "check(try EventLoop.main.run(until: near.datagrams.take(1))?.bytes == [1])",
        ],
        replacing: [("port: 7000", "port: 0")]),
      ExampleRun(
        line: "let group = LoopGroup(name: \"chat\")",
        before: ["let lines = PushStream<String>()"],
        after: ["group.join()"],
        replacing: [
          ("port: 7000", "port: 0"), (".seconds(5)", ".zero"),
          (
            "server.close(within",
            "converse(with: server.address, \"hello\\n\") { lines.next($0) }\n"
              + "check(EventLoop.main.run(until: lines.filter { $0 == \"hello\" }.take(1)) != nil)\n"
              + "server.close(within"
          ),
          ("  group.stop()\n", "  group.stop()\n  EventLoop.main.stop()\n"),
          ("group.join()", "EventLoop.main.run()\ngroup.join()"),
        ]),
      ExampleRun(
        line: "let tls = try TLSServerContext(",
        before: certificates,
        after: [
          "let client = try TLSClientContext(roots: .only(\"chain.pem\"))",
          "let secured = Connection.connect(to: .address(server.address), on: EventLoop.main)",
          "  .flatMap { $0.tls(client, host: \"localhost\") }",
          "let connection = try EventLoop.main.run(until: secured.stream)",
          "_ = connection?.write(\"hello\\n\")",
          "let line = try connection.flatMap { try EventLoop.main.run(until: $0.lines().take(1)) }",
          "check(line == \"echo hello\")",
        ],
        replacing: [("port: 7443", "port: 0")]),
      ExampleRun(
        line: "let tls = try TLSClientContext(roots: .only(\"chain.pem\"))",
        before: certificates,
        replacing: [("port: 7443", "port: 1")]),
      ExampleRun(
        line: "let passed = try Activation.descriptors().first",
        replacing: [("port: 7000", "port: 0")]),
    ],
    "Documentation/Daemon.md": daemon,
    "Documentation/HTTP.md": http,
    "Documentation/Desk.md": [
      ExampleRun(
        line: "final class ShoppingList {",
        after: [
          "let shopping = ShoppingList()", "shopping.show(in: application)",
          "check(backend.text.contains(\"3 items\"))",
        ]),
      ExampleRun(
        line: "final class ContactForm {",
        after: [
          "let contacts = ContactForm()", "contacts.show(in: application)",
          "backend.type(\"\\tEmma\\temma\")", "check(backend.text.contains(\"An @ is missing.\"))",
          "check(!contacts.save.isEnabled)",
        ]),
      ExampleRun(
        line: "let greeting = Label()",
        replacing: [
          // The program has no terminal and no user to terminate the application.
          ("try TerminalBackend()", "backend"),
          (
            "EventLoop.main.run(until",
            "check(backend.text.contains(\"Greet\"))\n"
              + "EventLoop.main.execute { MainActor.assumeIsolated { application.terminate() } }\n"
              + "EventLoop.main.run(until"
          ),
        ]),
      ExampleRun(
        line: "final class Stars: View, CellDrawn {",
        after: ["application.show(window)", "check(backend.text.contains(\"★★★\"))"]),
      ExampleRun(
        line: "let script = try Script(",
        before: [
          "let title = TextField()", "let count = Label()", "let save = Button(\"Save\")",
          "title.rx.submit.observeNext { _ in count.text = \"1 note\" }",
          "save.rx.tap.observeNext {", "  mkdir(\"notes\", 0o700)",
          "  let file = creat(\"notes/milk.txt\", 0o600)", "  check(write(file, \"milk\", 4) == 4)",
          "  close(file)", "}",
          "let form = Window(content: StackView(.vertical, [title, count, save]))",
          "form.makeFirstResponder(title)", "application.show(form)",
        ]),
      ExampleRun(
        line: "func ticked(_ checkbox: Checkbox, isOn: Bool) {",
        after: [
          "let checkbox = Checkbox(\"Wrap lines\")",
          "application.show(Window(content: checkbox))", "ticked(checkbox, isOn: true)",
          "check(checkbox.isOn)",
        ]),
    ],
  ]

  /// Statements that make a certificate in the current folder.
  static let certificates = [
    """
    let openssl = EventLoop.main.output(
      of: "openssl",
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
        "-days", "30", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
        "-keyout", "key.pem", "-out", "chain.pem",
      ])
    check(try EventLoop.main.run(until: openssl)?.status == .exited(0))
    """
  ]

  /// The guides whose examples do not run on their own, with the reason.
  static let exceptions = [
    "Documentation/Tutorial.md":
      "Each example is a part of Samples/Notes; NotesTests compares them and runs the app."
  ]

  /// Returns the run of an example of a guide, or nil.
  static func of(_ example: DocumentationBlock) -> ExampleRun? {
    all[example.file]?.first { example.lines.contains($0.line) }
  }
}
