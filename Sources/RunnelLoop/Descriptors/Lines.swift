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
    lines(of: bytes(from: descriptor), longest: limit, dividing: false)
  }

  /// Divides pieces of this loop into lines. A line that is too long is divided, or fails the stream.
  func lines(
    of source: EventStream<[UInt8], DescriptorError>, longest limit: Int, dividing divides: Bool
  ) -> EventStream<String, DescriptorError> {
    require(limit > 0, "A line needs room for at least one byte.")
    return .unguarded { observer in
      let reader = LineReader(on: self, longest: limit, dividing: divides, into: observer)
      observer.observation.add(reader)
      source.start(
        Observer(
          next: { reader.take($0) }, end: { reader.end($0) }, observation: observer.observation))
    }
  }
}

/// Divides pieces into lines. A place that the lines fill pauses this reader between two lines, so
/// that a piece of many lines does not overflow it.
private final class LineReader: Teardown {
  private let limit: Int
  private let divides: Bool
  private let observer: Observer<String, DescriptorError>
  private var partialLine: [UInt8] = []
  /// The part of the last piece that is not yet divided.
  private var rest: ArraySlice<UInt8> = []
  /// The reader of the pieces.
  private weak var pieces: (any PausableSource)?
  private var piecesArePaused = false
  /// The number of full places for which this reader waits.
  private var pauses = 0
  private let nextLines: RestartableTimer

  init(
    on loop: EventLoop, longest limit: Int, dividing divides: Bool,
    into observer: Observer<String, DescriptorError>
  ) {
    self.limit = limit
    self.divides = divides
    self.observer = observer
    nextLines = RestartableTimer(on: loop)
  }

  func take(_ piece: [UInt8]) {
    pieces = Delivery.source
    rest = piece[...]
    sendLines()
  }

  /// The last piece is divided by now, because no reader ends while it is paused.
  func end(_ termination: Termination<DescriptorError>) {
    if case .completed = termination, !partialLine.isEmpty {
      observer.next(String(line: partialLine[...]))
    }
    observer.end(termination)
  }

  private func sendLines() {
    Delivery.from(self) {
      while pauses == 0, observer.isActive {
        let feed = rest.firstIndex(of: UInt8(ascii: "\n"))
        let room = limit - partialLine.count
        let isTooLong = (feed ?? rest.endIndex) - rest.startIndex > room
        if isTooLong && !divides { return observer.failed(.lineTooLong(limit: limit)) }
        guard let end = isTooLong ? rest.startIndex + room : feed else { return }
        let line = partialLine.isEmpty ? rest[..<end] : partialLine[...] + rest[..<end]
        partialLine.removeAll()
        rest = rest[(isTooLong ? end : end + 1)...]
        observer.next(String(line: line))
      }
    }
    guard pauses == 0, observer.isActive else { return }
    partialLine += rest
    rest = []
    guard piecesArePaused else { return }
    piecesArePaused = false
    pieces?.resume()
  }

  func tearDown() {
    nextLines.tearDown()
    rest = []
  }
}

extension LineReader: PausableSource {
  func pause() {
    pauses += 1
    if piecesArePaused { return }
    piecesArePaused = true
    pieces?.pause()
  }

  func resume() {
    pauses -= 1
    // Later, because the place is being emptied now.
    if pauses == 0 { nextLines.set(after: .zero) { self.sendLines() } }
  }
}

extension String {
  fileprivate init(line: ArraySlice<UInt8>) {
    self.init(
      decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
  }
}
