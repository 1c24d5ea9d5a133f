/// A watched folder and its place in the tree.
///
/// Its path is computed from the names above it, so that moving a folder also moves everything
/// below it.
final class WatchedFolder {
  enum Place {
    /// The parent of the watched path. Only the entry with this name is relevant.
    case around(PathBytes)
    /// The watched path, if its parent cannot be watched.
    case top
    /// An entry of its parent, with this name.
    case inside(PathBytes)
  }

  /// A name in a watched folder, which need not exist.
  struct Spot: Hashable {
    let folder: Int32
    let name: PathBytes
  }

  /// The watch descriptor of inotify.
  let number: Int32
  private(set) var place: Place
  private(set) weak var parent: WatchedFolder?
  private(set) var folders: [PathBytes: WatchedFolder] = [:]
  /// The names in it that were reported, if it was read while notices waited. Such notices may be
  /// known already or out of date. Otherwise nil: each notice is new.
  var reportedNames: Set<PathBytes>?

  init(_ number: Int32, at place: Place) {
    self.number = number
    self.place = place
  }

  /// True if no watched folder reports its removal.
  var isOutermost: Bool { parent == nil }

  /// True if it is the parent of the watched path.
  var isAround: Bool {
    if case .around = place { true } else { false }
  }

  func includes(_ name: PathBytes) -> Bool {
    guard case .around(let only) = place else { return true }
    return name == only
  }

  /// The number of watched folders above it.
  var depth: Int { sequence(first: self, next: \.parent).reduce(-1) { depth, _ in depth + 1 } }

  /// Returns true if it is `other` or below it.
  func isWithin(_ other: WatchedFolder) -> Bool {
    sequence(first: self, next: \.parent).contains { $0 === other }
  }

  var withAllBelow: [WatchedFolder] {
    var all = [self]
    var next = 0
    while next < all.count {
      all += all[next].folders.values
      next += 1
    }
    return all
  }

  /// Its name in the parent.
  var name: PathBytes? {
    if case .inside(let name) = place { name } else { nil }
  }

  /// Records that an entry was reported. Returns false if it had been before.
  func markReported(_ name: PathBytes) -> Bool {
    reportedNames?.insert(name).inserted ?? true
  }

  /// Records that the removal of an entry was reported. Returns false if the entry was not known.
  func markRemoved(_ name: PathBytes) -> Bool {
    reportedNames == nil || reportedNames?.remove(name) != nil
  }

  func insert(_ folder: WatchedFolder, as name: PathBytes) {
    folder.leave()
    folder.place = .inside(name)
    folder.parent = self
    folders[name] = folder
  }

  func leave() {
    guard let parent, case .inside(let name) = place else { return }
    parent.folders[name] = nil
  }

  func spot(of name: PathBytes) -> Spot { Spot(folder: number, name: name) }

  /// Returns the path of the folder, or of the watched path for its parent, given the path of the
  /// top.
  func path(below top: PathBytes) -> PathBytes {
    guard let parent, case .inside(let name) = place else { return top }
    return parent.path(of: name, below: top)
  }

  func path(of name: PathBytes, below top: PathBytes) -> PathBytes {
    isAround ? top : path(below: top).appending(name)
  }
}
