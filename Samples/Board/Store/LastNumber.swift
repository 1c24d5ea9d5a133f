import Glibc

/// The number of the newest post, in a small file in the folder of the posts.
///
/// It is written after each batch, but the disk need not confirm it: after a crash of the machine it
/// may be too small. If it is larger than the last number in the file of the posts, posts are missing.
final class LastNumber: Sendable {
  private let descriptor: Int32

  /// Opens the file, or creates it.
  init(_ path: String) throws(PostFileError) {
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o640)
    guard descriptor >= 0 else { throw .unusable(path, errno) }
  }

  deinit {
    close(descriptor)
  }

  /// The number, or 0 if the file has none or is damaged.
  var value: Int {
    var buffer = [UInt8](repeating: 0, count: 64)
    let count = pread(descriptor, &buffer, buffer.count, 0)
    let line = buffer.prefix(max(0, count)).prefix { $0 != 0x0A }
    let id = Post(record: line)?.id ?? 0
    return id < Post.largestID / 2 ? id : 0
  }

  /// Writes a number. If that fails, only the report of missing posts may be incomplete.
  func set(_ id: Int) {
    let line = Post(id: id, time: 0, topic: "-", text: "").record
    _ = pwrite(descriptor, line, line.count, 0)
  }
}
