import Glibc

/// A place for data that a program could not save before it has to end.
///
///     let path = try Rescue(of: "notes").keep(Array("two bottles".utf8), as: "Milk.txt")
///     print("Milk.txt could not be saved: it is in \(path) now.")
///
/// The first choice is a folder of the program in `$XDG_STATE_HOME` or `~/.local/state`. Otherwise
/// it is a new folder in `$TMPDIR`, `/var/tmp` or `/tmp`, whichever works first. Files in
/// `/var/tmp` outlive a restart. `$XDG_RUNTIME_DIR` is not used, because it is emptied when the
/// user logs out. Only the user may read the files.
public struct Rescue: Sendable {
  struct Place: Equatable {
    let path: String
    /// True if other users may create files in the parent folder.
    var isShared = false
  }

  /// The candidates in order of preference.
  let places: [Place]

  init(in places: [Place]) {
    self.places = places
  }

  /// Creates a rescue for a program.
  public init(of program: String) {
    func variable(_ name: String) -> String? {
      // Relative paths and invalid UTF-8 are ignored.
      environmentVariable(name).flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    let state = variable("XDG_STATE_HOME") ?? variable("HOME").map { "\($0)/.local/state" }
    let temporary = [variable("TMPDIR"), "/var/tmp", "/tmp"].compactMap { folder in
      // The random name prevents other users from creating the folder first.
      folder.map { "\($0)/\(program)-\(String(UInt64.random(in: 0...(.max)), radix: 36))" }
    }
    places =
      (state.map { [Place(path: "\($0)/\(program)")] } ?? [])
      + temporary.map { Place(path: $0, isShared: true) }
  }

  /// Writes a new file and returns its path. A number is appended to a name that exists.
  public func keep(_ bytes: [UInt8], as name: FileName) throws(FileError) -> String {
    var problem: FileError?
    for place in places {
      do throws(FileError) {
        try make(place)
        return try keep(bytes, as: name, in: Folder(place.path))
      } catch {
        problem = problem ?? error
      }
    }
    throw problem ?? .missing("/tmp")
  }

  /// Creates a folder if it is missing. The folder must belong to this user, because its owner can
  /// delete the files in it.
  private func make(_ place: Place) throws(FileError) {
    try Folder(place.path).make(mode: 0o700)
    var status = stat()
    let found = place.isShared ? lstat(place.path, &status) : stat(place.path, &status)
    guard found == 0, status.isFolder, status.st_uid == geteuid() else {
      throw .notAllowed(place.path)
    }
  }

  private func keep(
    _ bytes: [UInt8], as name: FileName, in folder: Folder
  ) throws(FileError) -> String {
    var number = 1
    while true {
      let file = folder.file(name.lastComponent.adding(before: number == 1 ? "" : " \(number)"))
      do throws(FileError) {
        try file.create(bytes, mode: 0o600)
        return file.path
      } catch {
        switch error {
        case .exists: number += 1
        case .unconfirmed: return file.path
        default:
          // Succeeds only if the folder is empty.
          rmdir(folder.path)
          throw error
        }
      }
    }
  }
}
