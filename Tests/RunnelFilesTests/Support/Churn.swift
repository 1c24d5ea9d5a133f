import Glibc
import RunnelTesting
import TestSupport

/// A generator of random file operations, which tracks the existing names.
final class Churn {
  private let folder: TemporaryFolder
  private var folders: Set<String> = []
  private var files: Set<String> = []

  init(in folder: TemporaryFolder) {
    self.folder = folder
  }

  /// All existing names.
  var names: Set<String> { folders.union(files) }

  func step(_ random: inout SeededGenerator) {
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<3:
      guard let name = unusedPath(&random) else { return }
      folder.makeFolder(name)
      folders.insert(name)
    case 3..<6:
      guard let name = unusedPath(&random) else { return }
      folder.write(name)
      files.insert(name)
    case 6..<8:
      guard let old = names.sorted().randomElement(using: &random),
        let new = unusedPath(&random), !new.hasPrefix(old + "/")
      else { return }
      folder.move(old, to: new)
      rename(old, to: new)
    case 8:
      guard let name = files.sorted().randomElement(using: &random) else { return }
      folder.delete(name)
      files.remove(name)
    default:
      guard let name = folders.sorted().randomElement(using: &random) else { return }
      for gone in names.filter({ $0.hasPrefix(name + "/") }).sorted(by: >) { folder.delete(gone) }
      folder.delete(name)
      folders = folders.filter { $0 != name && !$0.hasPrefix(name + "/") }
      files = files.filter { !$0.hasPrefix(name + "/") }
    }
  }

  /// Returns an unused path. There are few names, so that they are reused.
  private func unusedPath(_ random: inout SeededGenerator) -> String? {
    let name = ["a", "b", "c", "d"].randomElement(using: &random) ?? ""
    let parent = folders.sorted().randomElement(using: &random)
    let isTop = Int.random(in: 0..<4, using: &random) == 0
    let path = parent.map { isTop ? name : "\($0)/\(name)" } ?? name
    return names.contains(path) ? nil : path
  }

  private func rename(_ old: String, to new: String) {
    func renamed(_ name: String) -> String {
      name == old || name.hasPrefix(old + "/") ? new + name.dropFirst(old.count) : name
    }
    folders = Set(folders.map(renamed))
    files = Set(files.map(renamed))
  }
}

/// The names that an observer derives from changes in text form.
struct NameModel {
  private(set) var names: Set<String> = []

  init(_ changes: [String]) {
    for change in changes {
      let words = change.split(separator: " ").map(String.init)
      switch words[0] {
      case "created": names.insert(words[1])
      case "modified", "rescan": break
      case "deleted": names = names.filter { !Self.isWithin($0, words[1]) }
      default:
        let moved = names.filter { Self.isWithin($0, words[0]) }
        names = names.filter { !Self.isWithin($0, words[0]) && !Self.isWithin($0, words[2]) }
        for name in moved { names.insert(words[2] + name.dropFirst(words[0].count)) }
      }
    }
  }

  private static func isWithin(_ name: String, _ folder: String) -> Bool {
    name == folder || name.hasPrefix(folder + "/")
  }
}
