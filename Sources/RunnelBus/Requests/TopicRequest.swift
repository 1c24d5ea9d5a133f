/// A type of requests that may be asked and answered in different programs.
///
///     struct Price: TopicRequest {
///       typealias Reply = Int
///       static let topic = "prices.of"
///       let title: String
///     }
///
/// Give requests topics that no pattern of events matches: a program that subscribes to them as events
/// hides from a broker that nobody answers.
public protocol TopicRequest: BusRequest, Codable where Reply: Codable {
  /// The topic of all requests of this type.
  static var topic: String { get }
}
