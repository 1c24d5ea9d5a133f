/// A rule for saving a text to a path on which a component may have become a link.
///
/// A text is saved to the file that it was read from. Another process may replace the file, or a
/// folder above it, by a link at any time, and the link's target has nothing to do with the text.
package struct LinkRule: Sendable, Hashable {
  private enum Kind: Hashable {
    case any
    /// Links to folders are followed.
    case notLast
    case only(Known)
  }

  private struct Known: Hashable {
    /// The folder of the path, without links; nil if it did not exist or is not UTF-8.
    var folder: PathBytes?
    /// The target of the link at the path; nil if there was none.
    let target: PathBytes?
  }

  /// The place at which a text is saved.
  struct Place {
    let path: PathBytes
    /// The folder in which the file is, if no component of its path may be a link now.
    let folder: PathBytes?
  }

  private var kind: Kind

  package static let any = LinkRule(kind: .any)
  /// Follows links to folders, but no link at the path itself.
  package static let none = LinkRule(kind: .notLast)

  private init(kind: Kind) {
    self.kind = kind
  }

  /// Creates a rule that follows only the links that the path has at present. A folder that was
  /// resolved before is not resolved again.
  init(at path: PathBytes, in folder: PathBytes? = nil) {
    let isLink = path.status?.isLink == true
    kind = .only(
      Known(
        folder: folder ?? path.parts?.folder.linkFree,
        target: isLink ? try? path.followed.get() : nil))
  }

  /// Creates a rule for a file that is no link, in a folder that was resolved. It follows no link.
  init(toFileIn folder: PathBytes?) {
    kind = .only(Known(folder: folder, target: nil))
  }

  /// Returns the place at which a text is saved by this rule. It is the path of the link if the
  /// link is not followed.
  func place(of path: PathBytes) throws(SystemError) -> Place {
    let isLink = kind != .notLast && path.status?.isLink == true
    switch kind {
    case .any: return Place(path: isLink ? try path.followed.get() : path, folder: nil)
    case .notLast: return Place(path: path, folder: nil)
    case .only(let known):
      if isLink, let target = known.target, (try? path.followed.get()) == target {
        return Place(path: target, folder: target.parts?.folder)
      }
      return Place(path: path, folder: known.folder)
    }
  }

  /// Makes rules of files in one folder share the memory of its path.
  mutating func share(_ folders: inout Set<PathBytes>) {
    guard case .only(var known) = kind, let folder = known.folder else { return }
    known.folder = folders.insert(folder).memberAfterInsert
    kind = .only(known)
  }
}
