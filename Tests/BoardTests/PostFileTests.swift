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

  /// Writes a file of posts, and removes the file with the number of the newest post.
  private func write(_ bytes: [UInt8], to path: String) {
    unlink("\(path).last")
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    _ = Glibc.write(file, bytes, bytes.count)
    close(file)
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
      let recovery = try file.recover { found += $0.post.map { [$0] } ?? [] }
      #expect((recovery.moved != nil || recovery.size == end) && recovery.damagedCount == 0)
      #expect(found == kept)
      // What was cut is kept, and no number of it is used again.
      let moved = count > Self.header.count && count > end
      #expect((recovery.moved != nil) == moved)
      if let file = recovery.moved {
        #expect(bytes(at: file.path) == Array(whole[end..<count]))
        #expect(recovery.lastID > kept.count)
        unlink(file.path)
      } else {
        #expect(recovery.lastID == kept.count)
      }
      let before = bytes(at: path)
      #expect(before.count == recovery.size && before.starts(with: whole.prefix(end)))
      let next = Post(id: 9_999, time: 1, topic: "a", text: "next")
      try file.append(next.record, at: recovery.size)
      withExtendedLifetime(file) {}
      #expect(bytes(at: path) == before + next.record)
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
      #expect(try PostFile(path).recover { _ in }.damagedCount == 1)
    }
  }

  @Test("The folder of the file is confirmed at each start, that of the target for a link")
  func folderIsConfirmed() throws {
    let folder = TemporaryFolder()
    mkdir(folder["real"], 0o700)
    symlink("real/posts", folder["link"])
    let folders = EventLog<String?>()
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
    #expect(throws: PostFileError.damagedEnd(path, offset: end)) { try posts(at: path) }
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
      ids.append(try file.posts(at: rest).posts.map(\.id))
    }
    #expect(ids.count > 1 && ids.allSatisfy { !$0.isEmpty })
    #expect(Array(ids.joined()) == Array(1...9))
    let wrong = try file.posts(at: [(1, 3)])
    #expect(wrong.posts.isEmpty && wrong.damaged == [1])
    let missing = try file.posts(at: [(10, end)])
    #expect(missing.posts.isEmpty && missing.damaged == [10])
  }

  @Test("A flipped bit in the last line: its number is not used again, and its bytes are kept")
  func flippedBitAtTheEnd() throws {
    let folder = TemporaryFolder()
    let path = folder["posts"]
    let records = Self.samples().map(\.record)
    let whole = Self.header + records.joined()
    let last = whole.count - (records.last?.count ?? 0)
    for index in last..<whole.count {
      var damaged = whole
      damaged[index] ^= 0x10
      write(damaged, to: path)
      let recovery = try PostFile(path).recover { _ in }
      let moved = try #require(recovery.moved)
      #expect(bytes(at: moved.path) == Array(damaged[last...]))
      #expect(recovery.lastID >= records.count)
      // The next start knows it too.
      #expect(try PostFile(path).recover { _ in }.lastID == recovery.lastID)
      unlink(moved.path)
    }
    // Each end gets a file of its own.
    for number in 1...3 {
      write(Array(whole.dropLast()), to: path)
      let recovery = try PostFile(path).recover { _ in }
      #expect(recovery.moved?.path == "\(path).damaged-\(number)")
    }
  }

  /// Changes of the file by others while no board uses it.
  enum Change: CaseIterable {
    case removed, emptied, cutAtALine, cutInALine, replacedByAnOlderCopy
  }

  @Test(
    "Posts that others have removed are missed at the next start, and their numbers stay used",
    arguments: Change.allCases)
  func missingPosts(_ change: Change) throws {
    let folder = TemporaryFolder()
    let path = folder["posts"]
    let records = Self.samples().map(\.record)
    let start = Self.header.count + records[0].count
    try store(records, at: path)
    #expect(try recover(path).missingCount == 0)
    switch change {
    case .removed: unlink(path)
    case .emptied: truncate(path, 0)
    case .cutAtALine: truncate(path, start)
    case .cutInALine: truncate(path, start + 5)
    case .replacedByAnOlderCopy:
      unlink(path)
      // `write` removes the number too.
      folder.write("posts", String(decoding: Self.header + records[0], as: UTF8.self))
    }
    let isEmpty = change == .removed || change == .emptied
    let recovery = try recover(path)
    #expect(recovery.missingCount == records.count - (isEmpty ? 0 : 1))
    #expect(recovery.lastID >= records.count)
    #expect((recovery.moved != nil) == (change == .cutInALine))
    #expect(try posts(at: path) == (isEmpty ? [] : [Self.samples()[0]]))
    // Later starts report it again, and miss nothing more.
    let again = try recover(path)
    #expect(again.missingCount == recovery.missingCount && again.lastID == recovery.lastID)
    #expect(again.moved == nil)
    // They forget it when a whole copy is back.
    folder.write("posts", String(decoding: Self.header + records.joined(), as: UTF8.self))
    #expect(try recover(path).missingCount == again.lastID - records.count)
  }

  private func recover(_ path: String) throws -> PostFile.Recovery {
    try PostFile(path).recover { _ in }
  }

  /// Stores records as a board does.
  private func store(_ records: [[UInt8]], at path: String) throws {
    let file = try PostFile(path)
    var end = try file.recover { _ in }.size
    for (index, record) in records.enumerated() {
      try file.append(record, at: end)
      file.note(last: index + 1)
      end += record.count
    }
  }

  @Test(
    "The number of the newest post may be damaged or absent",
    arguments: [nil, "", "x", "1c2a9b04 7 0 - \n"])
  func numberIsDamaged(_ text: String?) throws {
    let folder = TemporaryFolder()
    let records = Self.samples().map(\.record)
    try store(records, at: folder["posts"])
    unlink(folder["posts.last"])
    if let text { folder.write("posts.last", text) }
    #expect(try recover(folder["posts"]).missingCount == 0)
    #expect(LastNumber(path: folder["posts.last"]).value == records.count)
  }

  @Test("A flipped bit of the header is mended. The header of another version is refused")
  func damagedHeader() throws {
    let folder = TemporaryFolder()
    let path = folder["posts"]
    let whole = Self.header + Self.samples().map(\.record).joined()
    for index in Self.header.indices {
      for bit in 0..<8 {
        var damaged = whole
        damaged[index] ^= 1 << bit
        write(damaged, to: path)
        let recovery = try recover(path)
        #expect(recovery.headerWasMended && recovery.damagedCount == 0)
        #expect(bytes(at: path) == whole)
      }
    }
    let newer = Array("board 2\n".utf8) + whole.dropFirst(Self.header.count)
    write(newer, to: path)
    #expect(throws: PostFileError.foreign(path)) { try recover(path) }
    #expect(bytes(at: path) == newer)
  }

  @Test("A file of somebody else in the place of the number is not changed")
  func foreignNumber() throws {
    let folder = TemporaryFolder()
    folder.write("other", "a text of somebody")
    symlink("other", folder["posts.last"])
    try store(Self.samples().map(\.record), at: folder["posts"])
    #expect(bytes(at: folder["other"]) == Array("a text of somebody".utf8))
    unlink(folder["posts.last"])
    let long = String(repeating: "a", count: 65)
    folder.write("posts.last", long)
    #expect(try recover(folder["posts"]).missingCount == 0)
    #expect(bytes(at: folder["posts.last"]) == Array(long.utf8))
  }

  @Test("Damage that cannot be kept changes nothing, also not the header")
  func damageIsKeptFirst() throws {
    let folder = TemporaryFolder()
    let path = folder["posts"]
    var damaged = Self.header + Self.samples().map(\.record).joined().dropLast(3)
    damaged[2] ^= 4
    write(damaged, to: path)
    var calls = DiskCalls()
    calls.write = { _, _, _ in
      errno = ENOSPC
      return -1
    }
    #expect(throws: PostFileError.self) { try PostFile(path, calls: calls).recover { _ in } }
    #expect(bytes(at: path) == damaged)
  }

  @Test("A file that is cut between the check and the writing is noticed")
  func cutWhileWriting() throws {
    let folder = TemporaryFolder()
    let path = folder["posts"]
    var calls = DiskCalls()
    calls.write = { file, bytes, offset in
      if offset > 50 { ftruncate(file, 30) }
      return pwrite(file, bytes.baseAddress, bytes.count, off_t(offset))
    }
    let file = try PostFile(path, calls: calls)
    var end = try file.recover { _ in }.size
    let records = Self.samples().map(\.record)
    for record in records[..<2] {
      try file.append(record, at: end)
      end += record.count
    }
    #expect(throws: PostFileError.changed(path)) { try file.append(records[2], at: end) }
  }

  @Test("Other errors of reading are no damage")
  func readingFails() throws {
    let folder = TemporaryFolder()
    try store(Self.samples().map(\.record), at: folder["posts"])
    for code in [ENOMEM, ESTALE] {
      var calls = DiskCalls()
      calls.read = { _, _, _ in
        errno = code
        return -1
      }
      let file = try PostFile(folder["posts"], calls: calls)
      let places = [(id: 1, offset: Self.header.count)]
      #expect(throws: PostFileError.unusable(folder["posts"], code)) { try file.posts(at: places) }
      #expect(throws: PostFileError.unusable(folder["posts"], code)) { try file.recover { _ in } }
    }
  }

  @Test("Posts that the disk cannot read are damaged, and the others are read")
  func unreadableBytes() throws {
    let folder = TemporaryFolder()
    let records = Self.samples().map(\.record)
    try store(records, at: folder["posts"])
    let offsets = records.indices.map { Self.header.count + records[..<$0].joined().count }
    let bad = offsets[2] + 3..<offsets[4] + 3
    var calls = DiskCalls()
    calls.read = { descriptor, bytes, offset in
      errno = EIO
      if bad.contains(offset) { return -1 }
      let end = offset < bad.lowerBound ? bad.lowerBound : .max
      return pread(descriptor, bytes.baseAddress, min(bytes.count, end - offset), off_t(offset))
    }
    let file = try PostFile(folder["posts"], calls: calls)
    var places = offsets.enumerated().map { (id: $0 + 1, offset: $1) }
    var (read, damaged): ([Int], [Int]) = ([], [])
    while !places.isEmpty {
      let reading = try file.posts(at: places)
      read += reading.posts.map(\.id)
      damaged += reading.damaged
      let done = reading.damaged.union(reading.posts.map(\.id))
      #expect(!done.isEmpty)
      places.removeAll { done.contains($0.id) }
    }
    #expect(read == [1, 2] + Array(6...records.count) && damaged.sorted() == [3, 4, 5])
  }

  @Test func largestNumberIsDamage() throws {
    let folder = TemporaryFolder()
    let path = folder["posts"]
    for id in [Int.max, Post.largestID + 1, -1, 0] {
      let record = Post(id: id, time: 1, topic: "a", text: "b").record
      write(Self.header + Self.samples()[0].record + record, to: path)
      var found: [Int] = []
      let recovery = try PostFile(path).recover { found.append($0.id) }
      #expect(found == [1] && recovery.lastID < 1_000)
    }
  }

  @Test("An interrupted confirmation is repeated")
  func interruptedConfirmation() throws {
    let folder = TemporaryFolder()
    let attempts = EventLog<Int>()
    var calls = DiskCalls()
    calls.synchronize = { _ in
      attempts.add(1)
      errno = EINTR
      return attempts.count % 3 == 0 ? 0 : -1
    }
    let file = try PostFile(folder["posts"], calls: calls)
    let end = try file.recover { _ in }.size
    try file.append(Self.samples()[0].record, at: end)
    #expect(attempts.count == 9)
    #expect(try file.posts(at: [(1, end)]).posts == [Self.samples()[0]])
  }

  @Test("Only the newest posts are read as a whole; the others are found too")
  func newestPostsAreWhole() throws {
    let folder = TemporaryFolder()
    let path = folder["posts"]
    let records = Self.samples().map(\.record)
    write(Self.header + records.joined(), to: path)
    var progress: [Int] = []
    _ = try PostFile(path).recover(progress: { progress.append($0) }) { _ in }
    #expect(progress == [Self.header.count + records.joined().count])
    for (memory, whole) in [(0, 0), (records.last?.count ?? 0, 1), (1_000_000, records.count)] {
      var found: [PostFile.Found] = []
      let recovery = try PostFile(path).recover(memory: memory) { found.append($0) }
      #expect(found.map(\.id) == Self.samples().map(\.id))
      #expect(found.allSatisfy { $0.topic == "kitchen" })
      #expect(found.compactMap(\.post) == Array(Self.samples().suffix(whole)))
      #expect(
        recovery
          == PostFile.Recovery(
            size: found.last.map { $0.offset + records[$0.id - 1].count } ?? 0,
            lastID: records.count))
    }
  }

  @Test("A line that is longer than what is read at once is one damaged line")
  func endlessLine() throws {
    let folder = TemporaryFolder()
    let path = folder["posts"]
    let records = Self.samples().map(\.record)
    let long = [UInt8](repeating: 0x78, count: 3 << 20) + [0x0A]
    write(Self.header + records[0] + long + records[1], to: path)
    var found: [Int] = []
    let recovery = try PostFile(path).recover { found.append($0.id) }
    #expect(found == [1, 2] && recovery.damagedCount == 1 && recovery.moved == nil)
  }

  @Test("The checksum is that of gzip", arguments: [0, 1, 7, 8, 9, 63, 64, 1_000])
  func checksum(_ count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ 7) }
    var expected = ~UInt32(0)
    for byte in bytes {
      expected ^= UInt32(byte)
      for _ in 0..<8 { expected = expected & 1 == 1 ? expected >> 1 ^ 0xEDB8_8320 : expected >> 1 }
    }
    #expect(bytes.withUnsafeBytes { Checksum.of($0) } == ~expected)
    #expect(Array("123456789".utf8).withUnsafeBytes { Checksum.of($0) } == 0xCBF4_3926)
  }
}
