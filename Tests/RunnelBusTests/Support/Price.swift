import RunnelBus

/// A request of the tests that crosses between programs.
struct Price: TopicRequest {
  typealias Reply = Int
  static let topic = "prices.of"
  let title: String
}
