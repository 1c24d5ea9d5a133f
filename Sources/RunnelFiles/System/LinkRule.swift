/// A rule for saving a text where there is a link by now.
///
/// A text goes where it was read. Another process may put a link in the place of a file at any time,
/// and what that leads to has nothing to do with the text.
package struct LinkRule: Sendable, Hashable {
  private enum Kind: Hashable {
    case any
    /// Where the link led to; nil if there was none.
    case only(PathBytes?)
  }

  private let kind: Kind

  /// Every link is followed.
  package static let any = LinkRule(kind: .any)
  /// No link is followed.
  package static let none = LinkRule(kind: .only(nil))

  private init(kind: Kind) {
    self.kind = kind
  }

  /// The rule for what is at a path now: a link is followed as long as it leads to the same file.
  init(at path: PathBytes) {
    let isLink = path.status?.isLink == true
    kind = .only(isLink ? try? path.followed.get() : nil)
  }

  /// Returns the path at which a text is to be saved by this rule: that of the link itself where it is
  /// not followed.
  func target(of path: PathBytes) throws(SystemError) -> PathBytes {
    guard kind != .only(nil), path.status?.isLink == true else { return path }
    switch kind {
    case .any: return try path.followed.get()
    case .only(let known):
      let target = try? path.followed.get()
      return target == known ? target ?? path : path
    }
  }
}
