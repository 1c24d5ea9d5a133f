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
  /// The end of the pieces, which follows the rest.
  private var ending: Termination<DescriptorError>?
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
    guard ending == nil else { return }
    pieces = Delivery.source
    rest = piece[...]
    sendLines()
  }

  /// A reader of a descriptor does not end while it is paused, but a child may.
  func end(_ termination: Termination<DescriptorError>) {
    if rest.isEmpty { finish(termination) } else { ending = termination }
  }

  private func finish(_ termination: Termination<DescriptorError>) {
    if case .completed = termination, !partialLine.isEmpty {
      observer.next(String(line: partialLine[...]))
    }
    observer.end(termination)
  }

  private func sendLines() {
    Delivery.from(self) {
      while pauses == 0, observer.isActive, sendLine() {}
    }
    guard pauses == 0, observer.isActive else { return }
    partialLine += rest
    rest = []
    if let ending { return finish(ending) }
    guard piecesArePaused else { return }
    piecesArePaused = false
    pieces?.resume()
  }

  /// Sends the next line, or the next part of one that is too long. Returns false if there is none.
  private func sendLine() -> Bool {
    let room = limit - partialLine.count
    let feed = rest.prefix(room + 1).firstIndex(of: UInt8(ascii: "\n"))
    if let feed {
      send(to: feed, isWhole: true)
      return true
    }
    guard rest.count > room else { return false }
    guard divides else {
      observer.failed(.lineTooLong(limit: limit))
      return false
    }
    let end = rest.index(rest.startIndex, offsetBy: room)
    send(to: rest.characterStart(before: end), isWhole: false)
    return true
  }

  private func send(to end: Int, isWhole: Bool) {
    let line = partialLine.isEmpty ? rest[..<end] : partialLine[...] + rest[..<end]
    partialLine.removeAll()
    // First, because the observer may end this reader.
    rest = rest[(isWhole ? end + 1 : end)...]
    observer.next(isWhole ? String(line: line) : String(decoding: line, as: UTF8.self))
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

extension ArraySlice<UInt8> {
  /// Returns the index at or before another one where a character begins; the other one if that leaves
  /// nothing, or if the bytes are not UTF-8.
  fileprivate func characterStart(before end: Int) -> Int {
    var index = end
    while index > startIndex, end - index < 3, self[index] & 0xC0 == 0x80 { index -= 1 }
    return index > startIndex && self[index] & 0xC0 != 0x80 ? index : end
  }
}
