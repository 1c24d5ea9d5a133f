import Glibc
import RunnelFiles
import RunnelLoop
import RunnelStreams
import TestSupport
import Testing

/// Each system call fails once or from then on, in an update with interference by another process.
/// Each change is made once, and no other file is left in the folder.
@Suite struct UpdateFaultTests {
  /// The action of the other process after the file was read.
  enum Situation: CaseIterable {
    case unchanged
    case missing
    case changed
    case deleted
    case created
    case changedTwice

    var before: String? { [.missing, .created].contains(self) ? nil : "old " }

    /// The contents that the other process has left after the given number of reads.
    func texts(_ count: Int) -> Set<String> {
      switch self {
      // Without a read, the other process has done nothing.
      case _ where count == 0: [before ?? ""]
      case .unchanged: ["old "]
      case .missing: [""]
      // The deleted file may have been restored.
      case .deleted: ["", "old "]
      case .changed, .created: ["theirs 1 "]
      case .changedTwice: ["theirs \(min(count, 2)) "]
      }
    }

    func interfere(_ count: Int, in folder: TemporaryFolder) {
      switch self {
      case .unchanged, .missing: break
      case .changed, .created: if count == 1 { folder.write("a.txt", "theirs 1 ") }
      case .deleted: if count == 1 { folder.delete("a.txt") }
      case .changedTwice: if count <= 2 { folder.write("a.txt", "theirs \(count) ") }
      }
    }
  }

  @Test(arguments: Situation.allCases, FaultyCalls.Ability.allCases)
  func faultAppliesChangeOnce(_ situation: Situation, _ ability: FaultyCalls.Ability) throws {
    try FaultyCalls.failEach([ENOSPC, EINTR, ENOENT], "\(situation) \(ability)") {
      try check(situation, ability, $0)
    }
  }

  /// Updates with one fault. Returns false when the update ended before the fault.
  private func check(
    _ situation: Situation, _ ability: FaultyCalls.Ability, _ fault: FaultyCalls.Fault
  ) throws -> Bool {
    let folder = TemporaryFolder()
    let path = folder["a.txt"]
    if let before = situation.before { folder.write("a.txt", before) }
    let faulty = FaultyCalls()
    var (error, count) = (nil as FileError?, 0)
    let add: ([UInt8]) -> [UInt8] = { $0 + Array("mine".utf8) }
    do throws(FileError) {
      try SafeFile(path, calls: faulty.calls(fault, on: ability)).update { old in
        count += 1
        situation.interfere(count, in: folder)
        return add(old)
      }
    } catch let thrown {
      error = thrown
    }
    let context: Comment =
      """
      \(situation) \(ability) \(faulty.failed) \(fault.code): \(error.map { "\($0)" } ?? "done"), \
      \(try folder.names())
      """
    let isDone = error == nil || error == .unconfirmed(path)
    let text = (try? SafeFile(path).contents().text) ?? ""
    if isDone {
      #expect(text.hasSuffix("mine") && text.count { $0 == "m" } == 1, context)
    } else {
      #expect(!text.contains("mine"), context)
      try SafeFile(path, calls: FaultyCalls().calls(nil)).update(add)
    }
    let mayHaveCopy = fault.lasts && faulty.failed.contains("exchange")
    try checkEnd(situation.texts(count), folder, mayHaveCopy, context)
    return !faulty.failed.isEmpty
  }

  /// Checks that the change is made once, to the contents of the other process, and that no copy is
  /// left. A copy is allowed if restoring the file failed.
  private func checkEnd(
    _ texts: Set<String>, _ folder: TemporaryFolder, _ mayHaveCopy: Bool, _ context: Comment
  ) throws {
    // A process that another test is starting holds all locks for a moment.
    for _ in 0..<10_000 {
      try Folder(folder.path).cleanUp()
      if try folder.names().allSatisfy({ !$0.hasPrefix(".") }) { break }
      sched_yield()
    }
    let names = try folder.names()
    let all = try names.map { try SafeFile(folder[$0]).contents().text }
    #expect(all.count { $0.hasSuffix("mine") } == 1, "\(context) \(all)")
    let known = Set(all.map { $0.replacing("mine", with: "") })
    #expect(!known.isDisjoint(with: texts), "\(context) \(all)")
    if !mayHaveCopy { #expect(names == ["a.txt"], "\(context) \(all)") }
  }

  /// Another process keeps the file open and continues to write.
  @Test func contentsOfOpenWriterAreKept() throws {
    let folder = TemporaryFolder()
    folder.write("a.txt", "theirs ")
    let file = open(folder["a.txt"], O_WRONLY | O_APPEND | O_CLOEXEC)
    defer { close(file) }
    let new = try SafeFile(folder["a.txt"]).update { $0 + Array("mine".utf8) }
    #expect(new == Array("theirs mine".utf8))
    write(file, "and more", 8)
    let texts = try folder.names().map { try SafeFile(folder[$0]).contents().text }
    #expect(texts.contains { $0.contains("mine") } && texts.contains { $0.contains("and more") })
  }
}
