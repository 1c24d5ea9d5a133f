/// A pattern of topics that cross a transport, with what the program needs of the transport for
/// them.
///
///     try bus.join(
///       broker, prefix: "shop", exporting: ["orders.#", .retained("prices.*")],
///       importing: ["stock.#"])
///
/// A string is a pattern for which the link uses all that the transport has. Other patterns insist on
/// a capability, and do not compile for a transport without it.
public struct JoinPattern<Transport> {
  /// The pattern in Runnel's syntax, without the prefix of the link.
  public let pattern: String
  let content: JoinContent

  init(_ pattern: String, _ content: JoinContent) {
    self.pattern = pattern
    self.content = content
  }

  /// Events on matching topics. They are acknowledged if the transport can do that. Sticky ones are
  /// retained if it can, and refused otherwise: publishing one throws
  /// ``TopicError/notRetained(topic:transport:)``.
  public static func events(_ pattern: String) -> Self {
    Self(pattern, .events(.retainedIfPossible, isAcknowledged: nil))
  }

  /// Events on matching topics, of which sticky ones cross as if they were not sticky.
  public static func unretained(_ pattern: String) -> Self {
    Self(pattern, .events(.plain, isAcknowledged: nil))
  }

  /// Events on matching topics, which are sent once and not confirmed. Events that are on the way when
  /// a connection is lost are lost, and no event arrives twice.
  public static func unacknowledged(_ pattern: String) -> Self {
    Self(pattern, .events(.retainedIfPossible, isAcknowledged: false))
  }
}

extension JoinPattern: ExpressibleByStringLiteral, ExpressibleByUnicodeScalarLiteral,
  ExpressibleByExtendedGraphemeClusterLiteral
{
  /// Creates the same pattern as ``events(_:)``.
  public init(stringLiteral pattern: String) {
    self = .events(pattern)
  }
}

extension JoinPattern where Transport: RetainingTransport {
  /// Events on matching topics, of which the peer retains sticky ones.
  public static func retained(_ pattern: String) -> Self {
    Self(pattern, .events(.retained, isAcknowledged: nil))
  }
}

extension JoinPattern where Transport: AcknowledgingTransport {
  /// Events on matching topics, which the peer confirms.
  public static func acknowledged(_ pattern: String) -> Self {
    Self(pattern, .events(.retainedIfPossible, isAcknowledged: true))
  }
}

extension JoinPattern where Transport: AskingTransport {
  /// Requests on matching topics: exported ones that nobody on the bus answers are asked there, and
  /// imported ones are answered by the bus.
  public static func requests(_ pattern: String) -> Self { Self(pattern, .requests) }
}

/// Patterns for a transport whose type is not known: `join(untyped:)` throws
/// ``JoinError/lacks(_:transport:)`` if it cannot do what a pattern needs.
extension JoinPattern where Transport == any BusTransport {
  /// Events on matching topics, of which the peer retains sticky ones.
  public static func retained(_ pattern: String) -> Self {
    Self(pattern, .events(.retained, isAcknowledged: nil))
  }

  /// Events on matching topics, which the peer confirms.
  public static func acknowledged(_ pattern: String) -> Self {
    Self(pattern, .events(.retainedIfPossible, isAcknowledged: true))
  }

  /// Requests on matching topics.
  public static func requests(_ pattern: String) -> Self { Self(pattern, .requests) }
}

/// The messages that cross by a pattern.
enum JoinContent {
  /// The treatment of sticky events.
  enum Sticky {
    /// The peer retains them if the transport can; otherwise they are refused.
    case retainedIfPossible
    /// The peer retains them.
    case retained
    /// They cross as events that are not sticky.
    case plain
  }

  /// Events, acknowledged or not; nil if the transport decides.
  case events(Sticky, isAcknowledged: Bool?)
  case requests
}
