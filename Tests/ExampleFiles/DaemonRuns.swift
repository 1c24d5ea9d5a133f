extension ExampleRun {
  /// Runs of the examples of the guide to daemons.
  static let daemon = [
    ExampleRun(
      line: "  server.get(\"/texts\") { _ in texts.map { ServerSentEvent($0) } }",
      replacing: [
        ("  try server.listen", "  let listener = try server.listen"), ("port: 8080", "port: 0"),
        (
          "  service.onShutdown",
          "  let url = \"http://\\(listener.address)/texts\"\n"
            + "  let following = client.events(url).observe(next: { event in\n"
            + "    check(event.data == \"hello\")\n    service.shutDown()\n"
            + "  }, failed: { fatalError(\"\\($0)\") })\n"
            + "  EventStream<Int, Never>.interval(.milliseconds(20), on: loop).take(until: texts).observeNext { _ in\n"
            + "    client.post(url, \"hello\").observe()\n  }\n"
            + "  service.onShutdown(\"client\") {\n"
            + "    following.dispose()\n    client.closeIdleConnections()\n  }\n"
            + "  service.onShutdown"
        ),
      ]),
    ExampleRun(
      line: "final class Journal {",
      after: [
        "var ends = 0", "let file = fileno(tmpfile())", "let journal = Journal(file)",
        "for line in [\"a\", \"b\", \"c\"] { journal.append(line) { ends += 1 } }",
        "let deadline = loop.now + .seconds(10)",
        "while ends < 3 && loop.now < deadline { EventLoop.main.run(for: .milliseconds(1)) }",
        "check(ends == 3 && lseek(file, 0, SEEK_CUR) == 6)", "close(file)",
      ]),
    ExampleRun(
      line: "func numbers(after start: Int) -> EventStream<Int, Never> {",
      after: [
        "var sum = 0", "numbers(after: 999_800).observeNext { _ in sum += 1 }", "check(sum == 200)",
      ]),
  ]
}
