import Glibc

/// The number of the newest post, in a small file whose path is the path of the posts with `.last`.
///
/// It is written after each batch, but the disk need not confirm it: after a crash of the machine it
/// may be too small. If it is larger than the last number in the file of the posts, posts are missing.
struct LastNumber: Sendable {
  let path: String

  /// The largest size of the file. A larger one is not a file of Board.
  private static let longest = 64

  /// The number, or 0 if there is none or it is damaged.
  var value: Int {
    guard let file = open(O_RDONLY) else { return 0 }
    defer { close(file) }
    var buffer = [UInt8](repeating: 0, count: Self.longest)
    let count = pread(file, &buffer, buffer.count, 0)
    let id = Post(record: buffer.prefix(max(0, count)).prefix { $0 != 0x0A })?.id ?? 0
    return id < Post.largestID / 2 ? id : 0
  }

  /// Writes a number. If that fails, the next start may not notice that posts are missing, and may use
  /// their numbers again.
  func set(_ id: Int) {
    guard let file = open(O_WRONLY | O_CREAT) else { return }
    defer { close(file) }
    let line = Post(id: id, time: 0, topic: "-", text: "").record
    _ = pwrite(file, line, line.count, 0)
  }

  /// Opens the file, unless it is another kind of file, which must not be changed.
  private func open(_ mode: Int32) -> Int32? {
    let file = Glibc.open(path, mode | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o640)
    guard file >= 0 else { return nil }
    var status = stat()
    let isOwn =
      fstat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      && status.st_size <= Self.longest
    if isOwn { return file }
    close(file)
    return nil
  }
}
