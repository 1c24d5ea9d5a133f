import CLinux
import Glibc
import RunnelFiles
import RunnelLoop
import TestSupport
import Testing

/// An access control list in the encoding of the system.
private struct AccessList {
  static let attribute = "system.posix_acl_access"
  static let inherited = "system.posix_acl_default"

  /// User 12 may read and write; the group of the file has no rights.
  static let private12: [UInt8] = entries([
    (0x01, 6, .max), (0x02, 6, 12), (0x04, 0, .max), (0x10, 6, .max), (0x20, 0, .max),
  ])

  private static func entries(_ all: [(tag: UInt16, rights: UInt16, id: UInt32)]) -> [UInt8] {
    func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
      withUnsafeBytes(of: number.littleEndian, Array.init)
    }
    return bytes(UInt32(2)) + all.flatMap { bytes($0.tag) + bytes($0.rights) + bytes($0.id) }
  }

  static func set(_ list: [UInt8], _ path: String, as name: String = attribute) -> Bool {
    setxattr(path, name, list, list.count, 0) == 0
  }

  static func get(_ path: String) -> [UInt8]? {
    var list = [UInt8](repeating: 0, count: 1_000)
    let count = getxattr(path, attribute, &list, list.count)
    return count < 0 ? nil : Array(list.prefix(count))
  }

  static let areSupported: Bool = {
    let folder = TemporaryFolder()
    folder.write("a")
    return set(private12, folder["a"])
  }()
}

@Suite(.enabled(if: AccessList.areSupported, "The file system has no access control lists."))
struct FileRightsTests {
  private let folder = TemporaryFolder()
  private var file: SafeFile { SafeFile(folder["a.txt"]) }
  private var mode: mode_t { folder.status("a.txt").st_mode & 0o7777 }

  private func makeFile() throws {
    try file.create([1], mode: 0o600)
    #expect(AccessList.set(AccessList.private12, file.path))
    #expect(mode == 0o660)
  }

  @Test(arguments: FaultyCalls.Ability.allCases)
  func keepsAccessList(_ ability: FaultyCalls.Ability) throws {
    try makeFile()
    let file = SafeFile(file.path, calls: FaultyCalls().calls(nil, on: ability))
    try file.save([2], over: [1])
    try file.update { $0 + [3] }
    #expect(AccessList.get(file.path) == AccessList.private12 && mode == 0o660)
    // A copy, and the file that replaces it.
    try file.save([4], over: [0])
    for name in try folder.names() {
      #expect(AccessList.get(folder[name]) == AccessList.private12, "\(name)")
    }
  }

  @Test(arguments: [EOPNOTSUPP, EPERM, EINVAL])
  func unsettableAccessListReducesRights(_ code: Int32) throws {
    try makeFile()
    var calls = FileCalls.system
    calls.setAccessList = { _, _ throws(SystemError) in throw SystemError(code) }
    try SafeFile(file.path, calls: calls).save([2], over: [1])
    #expect(AccessList.get(file.path) == nil && mode == 0o600)
  }

  @Test func doesNotInheritAccessListOfFolder() throws {
    try file.create([1], mode: 0o600)
    chmod(file.path, 0o660)
    #expect(AccessList.set(AccessList.private12, folder.path, as: AccessList.inherited))
    try file.save([2], over: [1])
    #expect(AccessList.get(file.path) == nil && mode == 0o660)
  }

  @Test(.enabled(if: getuid() == 0)) func unreadableAccessListReducesRights() throws {
    try file.create([1])
    #expect(AccessList.set(AccessList.private12, file.path))
    chmod(file.path, 0o260)
    chmod(folder.path, 0o777)
    _ = chown(file.path, 65_534, 65_534)
    try asNobody { () throws(FileError) in _ = try file.save([2], over: [1]) }
    #expect(AccessList.get(file.path) == nil && mode == 0o200)
  }

  /// A process that may write the file of another group can only create one of its own group.
  @Test(.enabled(if: getuid() == 0)) func otherGroupGetsRightsOfOthers() throws {
    try file.create([1])
    chmod(file.path, 0o676)
    chmod(folder.path, 0o777)
    _ = chown(file.path, 12, 4_321)
    try asNobody { () throws(FileError) in _ = try file.save([2], over: [1]) }
    #expect(folder.status("a.txt").st_gid == 65_534 && mode == 0o666)
  }

  /// Members of the old group are others after the save.
  @Test(
    .enabled(if: getuid() == 0),
    arguments: [(0o606, 0o600), (0o646, 0o644), (0o626, 0o622), (0o677, 0o677)]
      as [(mode_t, mode_t)])
  func anotherGroupGainsNothing(_ old: mode_t, _ new: mode_t) throws {
    try file.create([1])
    chmod(file.path, old)
    chmod(folder.path, 0o777)
    _ = chown(file.path, 12, 4_321)
    try asNobody { () throws(FileError) in _ = try file.save([2], over: [1]) }
    #expect(mode == new)
  }
}
