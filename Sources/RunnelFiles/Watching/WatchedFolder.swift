/// A folder that is watched, and its place among the others.
///
/// Its path is not kept but put together from the names above it, so that moving a folder moves all
/// that is below it.
final class WatchedFolder {
  enum Place {
    /// Around what is watched: nothing in it counts but what goes by this name.
    case around(PathBytes)
    /// What is watched, where the folder that it is in cannot be.
    case top
    /// In its parent, under this name.
    case inside(PathBytes)
  }

  /// A name in a watched folder, whether something is there or not.
  struct Spot: Hashable {
    let folder: Int32
    let name: PathBytes
  }

  /// The number by which the system tells of it.
  let number: Int32
  private(set) var place: Place
  private(set) weak var parent: WatchedFolder?
  /// The watched folders in it.
  private(set) var folders: [PathBytes: WatchedFolder] = [:]
  /// The names in it that the observer knows of, while it has been looked into ahead of notices that
  /// wait: what they tell is known already, or out of date. Else nil: then each notice is news.
  var told: Set<PathBytes>?

  init(_ number: Int32, at place: Place) {
    self.number = number
    self.place = place
  }

  /// Whether no watched folder tells when it goes.
  var isOutermost: Bool { parent == nil }

  /// Whether what is watched is in it, as opposed to being it or around it.
  var isAround: Bool {
    if case .around = place { true } else { false }
  }

  /// Whether something in it under this name is watched.
  func covers(_ name: PathBytes) -> Bool {
    guard case .around(let only) = place else { return true }
    return name == only
  }

  /// How many watched folders it is in.
  var depth: Int { sequence(first: self, next: \.parent).reduce(-1) { depth, _ in depth + 1 } }

  /// Whether it is another folder, or somewhere below that.
  func isWithin(_ other: WatchedFolder) -> Bool {
    sequence(first: self, next: \.parent).contains { $0 === other }
  }

  /// It, and all that are below it.
  var withAllBelow: [WatchedFolder] {
    var all = [self]
    var next = 0
    while next < all.count {
      all += all[next].folders.values
      next += 1
    }
    return all
  }

  /// The name that it has in its parent.
  var name: PathBytes? {
    if case .inside(let name) = place { name } else { nil }
  }

  /// Notes that the observer knows of something in it. False if it was known.
  func tell(_ name: PathBytes) -> Bool {
    told?.insert(name).inserted ?? true
  }

  /// Notes that something is not in it any more. False if the observer did not know of it.
  func untell(_ name: PathBytes) -> Bool {
    told == nil || told?.remove(name) != nil
  }

  /// Puts a folder into it, under a name, from wherever that was.
  func insert(_ folder: WatchedFolder, as name: PathBytes) {
    folder.leave()
    folder.place = .inside(name)
    folder.parent = self
    folders[name] = folder
  }

  /// Takes it out of its parent.
  func leave() {
    guard let parent, case .inside(let name) = place else { return }
    parent.folders[name] = nil
  }

  func spot(of name: PathBytes) -> Spot { Spot(folder: number, name: name) }

  /// The path of it, or of what it is around, where what is watched as a whole has the given one.
  func path(below top: PathBytes) -> PathBytes {
    guard let parent, case .inside(let name) = place else { return top }
    return parent.path(of: name, below: top)
  }

  /// The path of something in it.
  func path(of name: PathBytes, below top: PathBytes) -> PathBytes {
    isAround ? top : path(below: top).appending(name)
  }
}
