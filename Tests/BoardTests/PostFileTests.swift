import Glibc
import RunnelTesting
import TestSupport
import Testing

@testable import Board

/// The file of the posts, with damage at every byte.
@Suite struct PostFileTests {
  // A combining character joins the space or the escape before it into one `Character`.
  private static let texts =
    ["Tea!", "Two\nlines \\ and \\n", "ü 🫖"]
    + ["\u{301}", "\u{FE0F}", "\u{200D}", "\u{1F3FD}", "\u{93E}"].map {
      "\($0)begins, \\\($0) \n\($0)"
    }

  private static func samples() -> [Post] {
    texts.enumerated().map { Post(id: $0 + 1, time: 1_000, topic: "kitchen", text: $1) }
  }

  private static let header = Array("board 1\n".utf8)

  private func write(_ bytes: [UInt8], to path: String) {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    _ = Glibc.write(file, bytes, bytes.count)
    close(file)
  }

  private func bytes(at path: String) -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(file, &buffer, buffer.count)
    return Array(buffer.prefix(max(0, count)))
  }

  @Test func recordIsReadBack() {
    for post in Self.samples() {
      #expect(Post(record: post.record.dropLast()) == post)
    }
  }

  @Test(arguments: [UInt64.random(in: 0...UInt64.max)])
  func recordOfAnyScalarsIsReadBack(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for id in 1...2_000 {
      var text = ""
      for _ in 0...Int.random(in: 0...4, using: &generator) {
        let bound: UInt32 = Bool.random(using: &generator) ? 0x1000 : 0x11_0000
        let scalar = Unicode.Scalar(UInt32.random(in: 0x20..<bound, using: &generator))
        text.unicodeScalars.append(scalar ?? "\u{301}")
      }
      let post = Post(id: id, time: 1, topic: "a", text: text)
      let read = Post(record: post.record.dropLast())
      #expect(read.map { Array($0.text.utf8) } == Array(text.utf8))
    }
  }

  @Test func damagedRecordIsRefused() {
    for post in Self.samples() {
      let record = post.record.dropLast()
      for count in record.indices { #expect(Post(record: record[..<count]) == nil) }
      for index in record.indices {
        var damaged = record
        damaged[index] ^= 1
        #expect(Post(record: damaged) == nil)
      }
    }
  }

  @Test("A file that is cut at any byte keeps the whole posts before, and can be written again")
  func tornFileKeepsWholePosts() throws {
    let folder = TemporaryFolder()
    let path = folder["posts"]
    let records = Self.samples().map(\.record)
    let whole = Self.header + records.joined()
    for count in 0...whole.count {
      write(Array(whole.prefix(count)), to: path)
      var end = Self.header.count
      var kept: [Post] = []
      for (post, record) in zip(Self.samples(), records) {
        guard end + record.count <= count else { break }
        end += record.count
        kept.append(post)
      }
      var found: [Post] = []
      let file = try PostFile(path)
      #expect(try file.recover { found.append($0.post) } == (end, 0))
      #expect(found == kept)
      #expect(bytes(at: path).count == end)
      let next = Post(id: 9, time: 1, topic: "a", text: "next")
      try file.append(next.record, at: end)
      withExtendedLifetime(file) {}
      #expect(bytes(at: path) == Array(whole.prefix(end)) + next.record)
    }
  }

  @Test("A damaged byte loses one post. Those after it stay, and so do the bytes")
  func damageLosesOnePost() throws {
    let folder = TemporaryFolder()
    let path = folder["posts"]
    let records = Self.samples().map(\.record)
    let whole = Self.header + records.joined()
    let middle = Self.header.count + records[0].count
    // The line feed of the record is damaged last, and joins it with the next one.
    for index in middle..<(middle + records[1].count - 1) {
      var damaged = whole
      damaged[index] ^= 0x40
      write(damaged, to: path)
      #expect(try posts(at: path) == Self.samples().filter { $0.id != 2 })
      #expect(bytes(at: path) == damaged)
      #expect(try PostFile(path).recover { _ in }.damaged == 1)
    }
  }

  @Test("The folder of the file is confirmed at each start, that of the target for a link")
  func folderIsConfirmed() throws {
    let folder = TemporaryFolder()
    mkdir(folder["real"], 0o700)
    symlink("real/posts", folder["link"])
    let folders = Log<String?>()
    var calls = DiskCalls()
    calls.synchronizeFolder = { descriptor in
      folders.add(realpath("/proc/self/fd/\(descriptor)", nil).map { String(cString: $0) })
      return folders.count < 3 ? 0 : -1
    }
    for path in ["link", "real/posts"] { _ = try PostFile(folder[path], calls: calls) }
    let real = realpath(folder["real"], nil).map { String(cString: $0) }
    #expect(folders.all == [real, real])
    errno = EIO
    #expect(throws: PostFileError.self) { try PostFile(folder["link"], calls: calls) }
  }

  @Test func foreignFileIsNotChanged() throws {
    let folder = TemporaryFolder()
    folder.write("photo", "no board")
    #expect(throws: PostFileError.foreign(folder["photo"])) { try posts(at: folder["photo"]) }
    #expect(bytes(at: folder["photo"]) == Array("no board".utf8))
  }

  @Test("More damage than a crash can cause is not cut off")
  func largeDamageIsRefused() throws {
    let folder = TemporaryFolder()
    let path = folder["posts"]
    let rest = [UInt8](repeating: 0x78, count: PostFile.longestBatch + 1)
    write(Self.header + Self.samples()[0].record + rest, to: path)
    let end = Self.header.count + Self.samples()[0].record.count
    #expect(throws: PostFileError.damaged(path, offset: end)) { try posts(at: path) }
    // No more than that is cut off.
    write(Self.header + Self.samples()[0].record + rest.dropLast(), to: path)
    #expect(try posts(at: path) == [Self.samples()[0]])
  }

  @Test func secondProcessIsRefused() throws {
    let folder = TemporaryFolder()
    let path = folder["posts"]
    let first = try PostFile(path)
    #expect(throws: PostFileError.inUse(path)) { try PostFile(path) }
    withExtendedLifetime(first) {}
    #expect(throws: PostFileError.unusable(folder["none/posts"], ENOENT)) {
      try PostFile(folder["none/posts"])
    }
  }

  @Test func postsAreReadInPieces() throws {
    let folder = TemporaryFolder()
    let file = try PostFile(folder["posts"])
    var end = try file.recover { _ in }.size
    var places: [(id: Int, offset: Int)] = []
    for id in 1...9 {
      let text = String(repeating: "\\", count: id == 5 ? Post.longestText : 20_000)
      let record = Post(id: id, time: 1, topic: "a", text: text).record
      places.append((id, end))
      try file.append(record, at: end)
      end += record.count
    }
    var ids: [[Int]] = []
    while ids.joined().count < 9 {
      let rest = Array(places[ids.joined().count...])
      ids.append(try file.posts(at: rest).map(\.id))
    }
    #expect(ids.count > 1 && ids.allSatisfy { !$0.isEmpty })
    #expect(Array(ids.joined()) == Array(1...9))
    #expect(throws: PostFileError.damaged(folder["posts"], offset: 3)) {
      try file.posts(at: [(1, 3)])
    }
  }
}
