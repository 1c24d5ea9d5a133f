/// A type of requests that may be asked and answered in different programs.
///
///     struct PriceOf: TopicRequest {
///       typealias Reply = Int
///       static let topic = "price.of"
///       let title: String
///     }
///
/// Give requests topics that no pattern of events matches. Otherwise a broker takes a subscriber of the
/// events for an answerer, and `ask` waits instead of failing with ``AskFailure/nobodyAnswers``. Give
/// each type its own topic.
public protocol TopicRequest: BusRequest, Codable where Reply: Codable {
  /// The topic of all requests of this type.
  static var topic: String { get }
}
