import Glibc
import RunnelFiles
import RunnelLoop
import TestSupport
import Testing

/// Each system call fails once or from then on, with each error, in each kind of save.
@Suite struct SavingFaultTests {
  static let old = Array("old contents".utf8)
  static let theirs = Array("contents of another process".utf8)
  static let new = Array("new contents, which are longer".utf8)

  enum Situation: CaseIterable {
    case unchanged
    case changed
    case deleted
    case created

    /// The contents of the file before the save.
    var before: [UInt8]? {
      switch self {
      case .unchanged: SavingFaultTests.old
      case .changed: SavingFaultTests.theirs
      case .deleted, .created: nil
      }
    }

    func save(_ file: SafeFile) throws(FileError) {
      if self == .created { return try file.create(SavingFaultTests.new) }
      try file.save(SavingFaultTests.new, over: SavingFaultTests.old)
    }
  }

  @Test(arguments: Situation.allCases, FaultyCalls.Ability.allCases)
  func faultLosesNoContents(_ situation: Situation, _ ability: FaultyCalls.Ability) throws {
    try FaultyCalls.failEach([ENOSPC, EIO, EACCES, EINTR, ENOENT], "\(situation) \(ability)") {
      try check(situation, ability, $0)
    }
  }

  /// Saves with one fault. Returns false when the save ended before the fault.
  private func check(
    _ situation: Situation, _ ability: FaultyCalls.Ability, _ fault: FaultyCalls.Fault
  ) throws -> Bool {
    let folder = TemporaryFolder()
    let path = folder["a.txt"]
    if let before = situation.before {
      folder.write("a.txt", String(decoding: before, as: UTF8.self))
    }
    let faulty = FaultyCalls()
    var error: FileError?
    do throws(FileError) {
      try situation.save(SafeFile(path, calls: faulty.calls(fault, on: ability)))
    } catch let thrown {
      error = thrown
    }
    let context: Comment =
      """
      \(situation) \(ability) \(faulty.failed) \(fault.code): \(error.map { "\($0)" } ?? "saved"), \
      \(try folder.names())
      """
    checkResult(situation, folder, error, faulty.failed, context)
    if fault.code == EINTR && faulty.failed != ["open"] { #expect(error == nil, context) }
    if let error, fault.code == ENOSPC, error != .unconfirmed(path) {
      #expect(error == .full(path) || error == .full(folder.path), context)
    }
    try checkCleanUp(situation, folder, context)
    return !faulty.failed.isEmpty
  }

  /// Checks the conditions that hold after any fault.
  private func checkResult(
    _ situation: Situation, _ folder: TemporaryFolder, _ error: FileError?, _ failed: [String],
    _ context: Comment
  ) {
    let path = folder["a.txt"]
    let text = try? SafeFile(path).contents().text
    let isDone = error == nil || error == .unconfirmed(path)
    let expected = isDone ? Self.new : situation.before
    #expect(text == expected.map { String(decoding: $0, as: UTF8.self) }, context)
    let names = (try? folder.names()) ?? []
    if failed.contains("unlink") || failed.filter({ $0 == "exchange" }).count > 0 { return }
    #expect(names.allSatisfy { !$0.hasPrefix(".") }, context)
  }

  /// A failed save may leave files behind; cleaning up handles them.
  private func checkCleanUp(
    _ situation: Situation, _ folder: TemporaryFolder, _ context: Comment
  ) throws {
    try Folder(folder.path).cleanUp()
    let names = try folder.names()
    let all = try names.map { try SafeFile(folder[$0]).contents().bytes }
    #expect(names.allSatisfy { !$0.hasPrefix(".") }, context)
    #expect(all.allSatisfy { [Self.old, Self.theirs, Self.new].contains($0) }, context)
    if situation == .changed { #expect(all.contains(Self.theirs), context) }
  }
}
