import Foundation
import RunnelBus

/// Writes the payloads of topics as JSON, and reads them.
///
///     let bus = EventBus(coder: .json)
///     try bus.publish(21.5, on: "home.kitchen.temperature")
public struct JSONTopicCoder: TopicCoder {
  private let encoder: JSONEncoder
  private let decoder: JSONDecoder

  /// A coder that works as an encoder and a decoder are set up.
  public init(encoder: JSONEncoder = JSONEncoder(), decoder: JSONDecoder = JSONDecoder()) {
    self.encoder = encoder
    self.decoder = decoder
  }

  /// Returns the JSON of a payload.
  public func encode<Payload: Encodable>(_ payload: Payload) throws -> [UInt8] {
    Array(try encoder.encode(payload))
  }

  /// Returns the payload that JSON stands for.
  public func decode<Payload: Decodable>(
    _ type: Payload.Type, from bytes: [UInt8]
  ) throws -> Payload {
    try decoder.decode(type, from: Data(bytes))
  }
}

extension TopicCoder where Self == JSONTopicCoder {
  /// JSON as Foundation writes and reads it by default.
  public static var json: JSONTopicCoder { JSONTopicCoder() }
}
