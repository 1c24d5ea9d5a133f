import Glibc

/// The lines of the log on a descriptor that is shared with other programs.
///
/// Writing never waits for a reader. The mode of the shared descriptor must not change, so a pipe or a terminal is
/// opened once more for each line, in non-blocking mode.
package struct StandardError {
  private static let shared = Monitor(
    StandardError(STDERR_FILENO, journal: getenv("JOURNAL_STREAM").map { String(cString: $0) }))

  /// The identity of an open file.
  private struct Identity: Equatable {
    let device: dev_t
    let inode: ino_t
  }

  /// The format that the program has chosen, or nil.
  package var format: LogFormat?
  /// The number of lines that were not written.
  package private(set) var droppedCount = 0

  private let descriptor: Int32
  /// The device and the inode of the journal's stream, in the form of systemd.
  private let journal: String?
  private var droppedSinceReport = 0
  /// The end of a line that was written in part, and the file that has its beginning.
  private var rest: (bytes: [UInt8], file: Identity)?

  package init(_ descriptor: Int32, journal: String? = nil) {
    self.descriptor = descriptor
    self.journal = journal
  }

  // MARK: - The standard error of the process

  /// Writes the line of an entry to the standard error, or drops it.
  static func write(_ entry: LogEntry) {
    // The descriptions of values are code of the program, which may log: no lock is held meanwhile.
    let format = shared.withLock { $0.lineFormat }
    let line = format.bytes(entry)
    shared.withLock { $0.write(line, in: format) }
  }

  static var format: LogFormat? {
    get { shared.withLock { $0.format } }
    set { shared.withLock { $0.format = newValue } }
  }

  static var droppedCount: Int { shared.withLock { $0.droppedCount } }

  // MARK: - Lines

  /// The format of the next line.
  package var lineFormat: LogFormat {
    if let format { return format }
    guard let journal, let status else { return .text }
    return journal == "\(status.st_dev):\(status.st_ino)" ? .journal : .text
  }

  /// Writes a line, or drops it.
  package mutating func write(_ line: [UInt8], in format: LogFormat) {
    guard let status else { return drop() }
    let file = Identity(device: status.st_dev, inode: status.st_ino)
    if let rest, rest.file != file {
      self.rest = nil
      drop()
    }
    let access = Access(descriptor, status)
    defer { access.close() }
    if let rest {
      let count = access.write(rest.bytes)
      guard count == rest.bytes.count else {
        self.rest?.bytes.removeFirst(count)
        return drop()
      }
      self.rest = nil
    }
    guard start(line, access, file) else { return drop() }
    reportDropped(in: format, access, file)
  }

  private var status: stat? {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? status : nil
  }

  private mutating func drop() {
    droppedCount += 1
    droppedSinceReport += 1
  }

  /// Writes a line if there is room for its beginning. Returns false if not.
  private mutating func start(_ line: [UInt8], _ access: Access, _ file: Identity) -> Bool {
    let count = access.write(line)
    if count == 0 { return false }
    if count < line.count { rest = (Array(line[count...]), file) }
    return true
  }

  /// Reports dropped lines after the next line, because the report may fit where a line does not.
  private mutating func reportDropped(in format: LogFormat, _ access: Access, _ file: Identity) {
    guard droppedSinceReport > 0, rest == nil else { return }
    let report = LogEntry(
      level: .warning, name: "runnel.log", message: "Lines before the last one were dropped.",
      fields: [.init("lines", droppedSinceReport)])
    if start(format.bytes(report), access, file) { droppedSinceReport = 0 }
  }
}

/// A way to write to an open file without waiting, for one line.
private enum Access {
  /// A file, which has no reader to wait for.
  case file(Int32)
  case socket(Int32)
  /// Another descriptor of the same pipe or terminal, in non-blocking mode.
  case reopened(Int32)
  /// A pipe or a terminal that cannot be opened again, for example without a free descriptor or with the
  /// terminal of another user. It is written in pieces of a size for which there is room when it says so,
  /// unless another program fills it at the same moment.
  case polled(Int32, piece: Int)

  init(_ descriptor: Int32, _ status: stat) {
    let kind = status.st_mode & S_IFMT
    if kind == S_IFREG { self = .file(descriptor); return }
    if kind == S_IFSOCK { self = .socket(descriptor); return }
    let number = open(
      "/proc/self/fd/\(descriptor)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    let piece = kind == S_IFIFO ? LogFormat.longestLine : 256
    self = number >= 0 ? .reopened(number) : .polled(descriptor, piece: piece)
  }

  func close() {
    if case .reopened(let number) = self { _ = Glibc.close(number) }
  }

  /// Writes bytes. Returns how many, which are fewer if there is no more room, or after an error.
  func write(_ bytes: [UInt8]) -> Int {
    // Safety: the size passed is the size of the array, and the pointer does not escape.
    bytes.withUnsafeBytes { bytes in
      var written = 0
      while written < bytes.count {
        let count = attempt(UnsafeRawBufferPointer(rebasing: bytes[written...]))
        if count > 0 { written += count } else if count == 0 || errno != EINTR { break }
      }
      return written
    }
  }

  private func attempt(_ bytes: UnsafeRawBufferPointer) -> Int {
    switch self {
    case .file(let number): return Glibc.write(number, bytes.baseAddress, bytes.count)
    case .socket(let number):
      return send(number, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
    case .reopened(let number):
      return withoutBrokenPipe { Glibc.write(number, bytes.baseAddress, bytes.count) }
    case .polled(let number, let piece):
      var state = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
      guard poll(&state, 1, 0) > 0 else { return 0 }
      return withoutBrokenPipe {
        Glibc.write(number, bytes.baseAddress, min(bytes.count, piece))
      }
    }
  }

  /// Runs a write that does not end the program (SIGPIPE) if the pipe has no reader.
  private func withoutBrokenPipe(_ write: () -> Int) -> Int {
    var (signals, previous, pending) = (sigset_t(), sigset_t(), sigset_t())
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    sigpending(&pending)
    pthread_sigmask(SIG_BLOCK, &signals, &previous)
    let count = write()
    let code = errno
    if count < 0, code == EPIPE, sigismember(&pending, SIGPIPE) == 0 {
      var noTime = timespec()
      while sigtimedwait(&signals, nil, &noTime) < 0, errno == EINTR {}
    }
    pthread_sigmask(SIG_SETMASK, &previous, nil)
    errno = code
    return count
  }
}
