extension ExampleRun {
  /// Runs of the examples of HTTP, which call the routes that an example adds.
  static let http = [
    ExampleRun(
      line: "  server.get(\"/hello/:name\") { request in \"Hello, \\(request[\"name\"])!\\n\" }",
      replacing: [
        ("  try server.listen", "  let listener = try server.listen"), ("port: 8080", "port: 0"),
        (
          "  service.onShutdown",
          "  client.get(\"http://\\(listener.address)/hello/Jim\").text().observe(\n"
            + "    succeeded: { text in\n      check(text == \"Hello, Jim!\\n\")\n"
            + "      client.closeIdleConnections()\n      service.shutDown()\n"
            + "    }, failed: { fatalError(\"\\($0)\") })\n  service.onShutdown"
        ),
      ]),
    ExampleRun(
      line: "server.on(.delete, \"/notes/:id\") { _ in HTTPStatus.noContent }",
      after: [
        "check(answer(to: \"/notes/1\") == \"Buy milk\")",
        "check(answer(to: \"/notes/a\") == \"404 Not Found\\n\")",
        "check(answer(to: \"/search?text=milk\") == \"You look for milk.\\n\")",
      ]),
    ExampleRun(
      line: "server.get(\"/rows\") { _ in rows.map { \"\\($0)\\n\" } }",
      after: [
        "check(answer(to: \"/first\") == \"Buy milk\")",
        "check(answer(to: \"/sum\") == \"The sum is 6.\\n\")",
        "check(answer(to: \"/rows\") == \"1\\n2\\n3\\n\")",
      ]),
    ExampleRun(
      line: "server.get(\"/report\") { request async throws in try await reports.today() }",
      after: [
        "let response = await server.test(HTTPRequest(.get, \"/report\")).stream.first()",
        "let text = try await response?.body.text().stream.first()",
        "check(text == \"Nothing has happened.\")",
      ]),
    ExampleRun(
      line: "server.get(\"/weather\") { request in",
      after: ["check(answer(to: \"/weather\") == \"rain\")"]),
    ExampleRun(
      line: "server.get(\"/numbers\") { _ in",
      after: [
        "let listener = try server.listen(.tcp(\"localhost\", port: 0))",
        "let text = client.get(\"http://\\(listener.address)/numbers\").text()",
        "check(try EventLoop.main.run(until: text.stream)?.utf8.count == 588_895)",
      ]),
    ExampleRun(
      line: "server.failures.observeNext { show(\"\\($0)\") }",
      after: [
        "check(answer(to: \"/notes/1\") == \"Buy milk\")",
        "check(answer(to: \"/notes/0\") == \"Notes are counted from 1.\\n\")",
        "check(answer(to: \"/notes/2\") == \"\")",
      ]),
    ExampleRun(
      line: "server.post(\"/posts\") { request in",
      after: [
        "check(answer(.post, to: \"/count\", body: \"milk\") == \"4 bytes\\n\")",
        "check(answer(to: \"/posts\") == \"[{\\\"title\\\":\\\"Milk\\\"}]\")",
        "let json = answer(",
        "  .post, to: \"/posts\", type: \"application/json\", body: \"{\\\"title\\\":\\\"Tea\\\"}\")",
        "check(json == \"Posted: Tea\\n\")",
      ]),
    ExampleRun(
      line: "server.post(\"/photos\") { request in",
      after: [
        "let form = \"application/x-www-form-urlencoded\"",
        "check(answer(.post, to: \"/topics\", type: form, body: \"text=milk\") == \"milk\")",
        "check(answer(.post, to: \"/photos\", type: form) == \"415 Unsupported Media Type\\n\")",
      ]),
    ExampleRun(
      line: "server.files(\"/static/\", in: \"Public\", options: options)",
      before: [
        "mkdir(\"Public\", 0o700)", "let file = creat(\"Public/a.txt\", 0o600)",
        "check(write(file, \"milk\", 4) == 4)", "close(file)",
      ],
      after: ["check(answer(to: \"/static/a.txt\") == \"milk\")"]),
    ExampleRun(
      line: "server.use(.gzip())",
      after: ["check(answer(to: \"/api\") == \"401 Unauthorized\\n\")"]),
    ExampleRun(
      line: "server.webSocket(\"/rooms/:name\") { request, socket in",
      after: [
        "let listener = try server.listen(.tcp(\"localhost\", port: 0))",
        "let opening = WebSocket.connect(to: \"ws://\\(listener.address)/echo\", on: loop)",
        "let socket = try EventLoop.main.run(until: opening.stream)", "_ = socket?.send(\"milk\")",
        "let text = try socket.flatMap { try EventLoop.main.run(until: $0.texts.take(1)) }",
        "check(text == \"milk\")",
      ]),
    ExampleRun(
      line: "let context = try TLSServerContext(", before: certificates,
      after: [
        "server.get(\"/\") { $0.isSecure ? \"secure\" : \"not secure\" }",
        "let client = try HTTPClient(on: EventLoop.main, roots: .only(\"chain.pem\"))",
        "let port = listener.address.port ?? 0",
        "let text = client.get(\"https://localhost:\\(port)/\").text()",
        "check(try EventLoop.main.run(until: text.stream) == \"secure\")",
      ],
      replacing: [
        ("try server.listen", "let listener = try server.listen"), ("port: 8443", "port: 0"),
      ]),
    ExampleRun(
      line: "let group = LoopGroup(name: \"web\")",
      after: ["EventLoop.main.run()", "group.join()"],
      replacing: [
        ("port: 8080", "port: 0"),
        (
          "servers.close(within",
          "let greeting = client.get(\"http://\\(servers.address)/\").text()\n"
            + "check(try EventLoop.main.run(until: greeting.stream)?.hasPrefix(\"Hello\") == true)\n"
            + "client.closeIdleConnections()\nservers.close(within"
        ),
        (
          "completed: { group.stop() }",
          "completed: {\n  group.stop()\n  EventLoop.main.stop()\n}"
        ),
      ]),
    ExampleRun(
      line: "client.get(\"http://localhost:8080/hello/Jim\").text(atMost: 1 << 20).observe(",
      before: [
        "server.get(\"/hello/:name\") { request in \"Hello, \\(request[\"name\"])!\" }",
        "let listener = try server.listen(.tcp(\"localhost\", port: 0))",
      ],
      after: [
        "while shown.isEmpty { EventLoop.main.run(for: .milliseconds(1)) }",
        "check(shown == [\"Hello, Jim!\"])",
      ],
      replacing: [("localhost:8080", "\\(listener.address)")]),
    ExampleRun(
      line: "client.timeLimits.total = .seconds(30)",
      before: [
        "server.post(\"/count\") { $0.body.text().map { \"\\($0.utf8.count)\" } }",
        "server.get(\"/clock\") { _ in",
        "  EventStream.interval(.milliseconds(1)).map { ServerSentEvent(\"\\($0)\") }", "}",
        "let listener = try server.listen(.tcp(\"localhost\", port: 0))",
      ],
      after: [
        "while shown.count < 4 { EventLoop.main.run(for: .milliseconds(1)) }",
        "check(shown.sorted() == [\"0\", \"1\", \"2\", \"200 OK\"])",
      ],
      replacing: [("localhost:8080", "\\(listener.address)")]),
  ]
}
