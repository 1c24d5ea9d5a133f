import RunnelStreams

extension EventLoop {
  /// Sends the lines of a pipe, a terminal, a socket or a file, without their line endings.
  ///
  ///     loop.lines(from: STDIN_FILENO).observe(next: { show($0) }, failed: { show("\($0)") })
  ///
  /// *Events*: a line ends with a line feed or with a carriage return and a line feed. The last
  /// line needs no ending. Bytes that are not UTF-8 become replacement characters. A line longer
  /// than the limit fails the stream, so that memory is bounded; a carriage return counts towards
  /// the limit. All else is as for ``bytes(from:)``.
  public func lines(
    from descriptor: Int32, longest limit: Int = 1 << 20
  ) -> EventStream<String, DescriptorError> {
    let source = bytes(from: descriptor)
    return .unguarded { observer in
      var partialLine: [UInt8] = []
      source.start(
        Observer(
          next: { piece in
            var rest = piece[...]
            while observer.isActive, let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
              guard partialLine.count + end - rest.startIndex <= limit else {
                return observer.failed(.lineTooLong(limit: limit))
              }
              let line = partialLine.isEmpty ? rest[..<end] : partialLine[...] + rest[..<end]
              partialLine.removeAll()
              rest = rest[(end + 1)...]
              observer.next(String(line: line))
            }
            guard observer.isActive else { return }
            guard partialLine.count + rest.count <= limit else {
              return observer.failed(.lineTooLong(limit: limit))
            }
            partialLine += rest
          },
          end: { termination in
            if case .completed = termination, !partialLine.isEmpty {
              observer.next(String(line: partialLine[...]))
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
