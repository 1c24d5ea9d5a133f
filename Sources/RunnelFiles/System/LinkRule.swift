/// A rule for saving a text to a path that may have become a link.
///
/// A text is saved to the file that it was read from. Another process may replace the file by a
/// link at any time, and the link's target has nothing to do with the text.
package struct LinkRule: Sendable, Hashable {
  private enum Kind: Hashable {
    case any
    /// The target of the link; nil if there was none.
    case only(PathBytes?)
  }

  private let kind: Kind

  /// Follows every link.
  package static let any = LinkRule(kind: .any)
  /// Follows no link.
  package static let none = LinkRule(kind: .only(nil))

  private init(kind: Kind) {
    self.kind = kind
  }

  /// Creates a rule that follows a link at the path while it has its present target.
  init(at path: PathBytes) {
    let isLink = path.status?.isLink == true
    kind = .only(isLink ? try? path.followed.get() : nil)
  }

  /// Returns the path at which a text is saved by this rule. It is the path of the link if the link
  /// is not followed.
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
