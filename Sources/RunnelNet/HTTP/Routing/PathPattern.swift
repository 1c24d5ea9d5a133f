import RunnelStreams

/// The path of a route, such as `/topics/:name` or `/files/*path`.
struct PathPattern {
  private enum Part {
    case text(String)
    /// One segment.
    case parameter(String)
    /// The rest of the path.
    case rest(String)
  }

  /// The path as it was given.
  let text: String
  private let parts: [Part]

  init(_ path: String) {
    text = path
    require(
      path.utf8.first == UInt8(ascii: "/"), "The path of a route begins with \"/\": \"/\(path)\".")
    parts = Self.segments(of: path[...]).map { segment in
      switch segment.first {
      case ":": .parameter(String(segment.dropFirst()))
      case "*": .rest(String(segment.dropFirst()))
      default: .text(String(segment))
      }
    }
    let restIsLast = parts.dropLast().allSatisfy { if case .rest = $0 { false } else { true } }
    require(restIsLast, "\"*\" stands at the end of a route: \(path).")
  }

  /// True if the path has no parameters.
  var isFixed: Bool { parts.allSatisfy { if case .text = $0 { true } else { false } } }

  /// Returns the parts between the slashes of a path.
  static func segments(of path: Substring) -> [Substring] {
    path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
  }

  /// Returns the parameters of a path; nil if it does not match. The parameters are
  /// percent-decoded, so a slash in one is not a separator.
  func match(_ segments: [Substring]) -> [(name: String, value: String)]? {
    var parameters: [(name: String, value: String)] = []
    for (index, part) in parts.enumerated() {
      if case .rest(let name) = part {
        guard index <= segments.count else { return nil }
        parameters.append((name, segments[index...].joined(separator: "/")))
        return parameters
      }
      guard index < segments.count else { return nil }
      switch part {
      case .text(let text): if segments[index] != text { return nil }
      case .parameter(let name):
        guard let value = segments[index].percentDecoded, !value.isEmpty else { return nil }
        parameters.append((name, value))
      case .rest: break
      }
    }
    return parts.count == segments.count ? parameters : nil
  }
}
