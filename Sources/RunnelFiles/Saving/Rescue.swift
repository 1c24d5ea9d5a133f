import Glibc

/// Where a program puts what it could not save where it belongs, before it has to end.
///
///     let path = try Rescue(of: "notes").keep(Array("two bottles".utf8), as: "Milk.txt")
///     print("Milk.txt could not be saved: it is in \(path) now.")
///
/// That is a folder of the program in `$XDG_STATE_HOME`, or in `~/.local/state`; or else one of its own
/// in `$TMPDIR`, `/var/tmp` or `/tmp`, the first of them where it can be. What is in `/var/tmp` outlives
/// a restart; `$XDG_RUNTIME_DIR` is not among them, as it is emptied when the user logs out. Nobody else
/// may read what is kept.
public struct Rescue: Sendable {
  /// A folder that is tried.
  struct Place: Equatable {
    let path: String
    /// Whether others may put things into the folder that it is in.
    var isShared = false
  }

  /// Those that are tried, one after the other.
  let places: [Place]

  init(in places: [Place]) {
    self.places = places
  }

  /// The rescue of a program.
  public init(of program: String) {
    func variable(_ name: String) -> String? {
      // What is no absolute path does not count, nor what is not UTF-8.
      getenv(name).flatMap { String(validatingCString: $0) }.flatMap {
        $0.hasPrefix("/") ? $0 : nil
      }
    }
    let state = variable("XDG_STATE_HOME") ?? variable("HOME").map { "\($0)/.local/state" }
    let temporary = [variable("TMPDIR"), "/var/tmp", "/tmp"].compactMap { folder in
      // Nobody can guess this one, and make it first.
      folder.map { "\($0)/\(program)-\(String(UInt64.random(in: 0...(.max)), radix: 36))" }
    }
    places =
      (state.map { [Place(path: "\($0)/\(program)")] } ?? [])
      + temporary.map { Place(path: $0, isShared: true) }
  }

  /// Writes a new file, with a number in its name if there is one of that name. Returns its path.
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

  /// Makes a folder where it is not there yet. It must be of this user: who owns it may take away what
  /// is in it.
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
      let file = folder.file(name.adding(before: number == 1 ? "" : " \(number)"))
      do throws(FileError) {
        try file.create(bytes, mode: 0o600)
        return file.path
      } catch {
        switch error {
        case .exists: number += 1
        case .unconfirmed: return file.path
        default:
          // If it is empty.
          rmdir(folder.path)
          throw error
        }
      }
    }
  }
}
