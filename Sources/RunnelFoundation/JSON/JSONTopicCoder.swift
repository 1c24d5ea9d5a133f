import Foundation
import RunnelBus

/// A coder for the payloads of topics in JSON.
///
///     let bus = EventBus(coder: .json)
///     try bus.publish(21.5, on: "home.kitchen.temperature")
public struct JSONTopicCoder: TopicCoder {
  private let encoder: JSONEncoder
  private let decoder: JSONDecoder

  /// Creates a coder that uses the given encoder and decoder.
  public init(encoder: JSONEncoder = JSONEncoder(), decoder: JSONDecoder = JSONDecoder()) {
    self.encoder = encoder
    self.decoder = decoder
  }

  /// Returns a payload as JSON.
  public func encode<Payload: Encodable>(_ payload: Payload) throws -> [UInt8] {
    Array(try encoder.encode(payload))
  }

  /// Returns the payload that JSON represents.
  public func decode<Payload: Decodable>(
    _ type: Payload.Type, from bytes: [UInt8]
  ) throws -> Payload {
    try decoder.decode(type, from: Data(bytes))
  }
}

extension TopicCoder where Self == JSONTopicCoder {
  /// A coder with the default settings of Foundation's JSON encoder and decoder.
  public static var json: JSONTopicCoder { JSONTopicCoder() }
}
