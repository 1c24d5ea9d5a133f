import RunnelStreams

extension EventLoop {
  /// Sends the lines of a pipe, a terminal, a socket or a file as they come, without their ends.
  ///
  ///     loop.lines(from: STDIN_FILENO).observe(next: { show($0) }, failed: { show("\($0)") })
  ///
  /// *Events*: a line ends with a line feed, which a carriage return may precede; the last one need
  /// not end. What is not UTF-8 is replaced by the replacement character. A line longer than the
  /// limit, which counts the carriage return, fails the stream, so that what is kept is bounded.
  /// Otherwise as ``bytes(from:)``.
  public func lines(
    from descriptor: Int32, longest limit: Int = 1 << 20
  ) -> EventStream<String, DescriptorError> {
    let source = bytes(from: descriptor)
    return .unguarded { observer in
      var begun: [UInt8] = []
      source.start(
        Observer(
          next: { piece in
            var rest = piece[...]
            while observer.isActive, let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
              guard begun.count + end - rest.startIndex <= limit else {
                return observer.failed(.lineTooLong(limit: limit))
              }
              let line = begun.isEmpty ? rest[..<end] : begun[...] + rest[..<end]
              begun.removeAll()
              rest = rest[(end + 1)...]
              observer.next(String(line: line))
            }
            guard observer.isActive else { return }
            guard begun.count + rest.count <= limit else {
              return observer.failed(.lineTooLong(limit: limit))
            }
            begun += rest
          },
          end: { termination in
            if case .completed = termination, !begun.isEmpty {
              observer.next(String(line: begun[...]))
            }
            observer.end(termination)
          }, observation: observer.observation))
    }
  }
}

extension String {
  fileprivate init(line: ArraySlice<UInt8>) {
    self.init(
      decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
  }
}
