import Glibc

/// The name of a board for others, in a small file whose path is the path of the posts with `.name`.
///
/// The numbers of posts belong to the name, so a board whose posts were removed needs another one.
struct BoardName {
  let text: String

  /// Reads the name, or chooses one at random if there is none yet.
  init(beside file: PostFile) throws(PostFileError) {
    let path = "\(file.path).name"
    if file.isNew { unlink(path) }
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o640)
    guard descriptor >= 0 else { throw .unusable(path, errno) }
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 16)
    let count = pread(descriptor, &buffer, buffer.count, 0)
    guard count >= 0 else { throw .unusable(path, errno) }
    if count > 0 {
      // An editor adds a line feed.
      let found = String(decoding: buffer.prefix(count), as: UTF8.self)
      let name = found.hasSuffix("\n") ? String(found.dropLast()) : found
      // With another name, the other boards would store all posts of this board a second time.
      guard Self.isName(name) else { throw .foreignName(path) }
      text = name
      return
    }
    text = String(decoding: Post.hexadecimal(.random(in: .min ... .max)), as: UTF8.self)
    // A post may not get the name of another board after a crash.
    guard ftruncate(descriptor, 0) == 0, pwrite(descriptor, text, 8, 0) == 8,
      fsync(descriptor) == 0
    else { throw .unwritten(path, errno) }
  }

  /// True for the name of a board: eight hexadecimal digits.
  static func isName(_ text: String) -> Bool {
    text.utf8.count == 8 && text.utf8.allSatisfy { digits.contains($0) }
  }

  private static let digits = Array("0123456789abcdef".utf8)
}
