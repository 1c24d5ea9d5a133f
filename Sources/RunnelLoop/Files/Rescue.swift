import Glibc

/// Where a program puts what it could not save where it belongs, before it has to end.
///
///     let path = try Rescue(of: "notes").keep(Array("two bottles".utf8), as: "Milk.txt")
///     print("Milk.txt could not be saved: it is in \(path) now.")
///
/// That is a folder of the program in `$XDG_STATE_HOME`, or in `~/.local/state`; or else a folder of
/// its own among the temporary ones. Nobody else may look into it.
public struct Rescue: Sendable {
  /// The folders that are tried, one after the other.
  let folders: [String]

  init(in folders: [String]) {
    self.folders = folders
  }

  /// The rescue of a program.
  public init(of program: String) {
    func variable(_ name: String) -> String? {
      // What is no absolute path does not count.
      getenv(name).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    let state = variable("XDG_STATE_HOME") ?? variable("HOME").map { "\($0)/.local/state" }
    let temporary = Set([variable("TMPDIR") ?? "/tmp", "/tmp", "/var/tmp"]).sorted().map {
      // Others may put files there, too, but cannot guess this one.
      "\($0)/\(program)-\(String(UInt64.random(in: 0...(.max)), radix: 36))"
    }
    folders = (state.map { ["\($0)/\(program)"] } ?? []) + temporary
  }

  /// Writes a new file, with a number in its name if there is one of that name. Returns its path.
  public func keep(_ bytes: [UInt8], as name: FileName) throws(FileError) -> String {
    var problem: FileError?
    for path in folders {
      do throws(FileError) {
        let folder = Folder(path)
        try folder.make(mode: 0o700)
        return try keep(bytes, as: name, in: folder)
      } catch {
        rmdir(path)
        problem = problem ?? error
      }
    }
    throw problem ?? .missing("/tmp")
  }

  private func keep(
    _ bytes: [UInt8], as name: FileName, in folder: Folder
  ) throws(FileError) -> String {
    var number = 1
    while true {
      let file = folder.file(name.adding(before: number == 1 ? "" : " \(number)"))
      do throws(FileError) {
        try file.create(bytes)
        return file.path
      } catch {
        switch error {
        case .exists: number += 1
        case .unconfirmed: return file.path
        default: throw error
        }
      }
    }
  }
}
