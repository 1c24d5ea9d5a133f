import Foundation
import RunnelBus

/// A coder for the payloads of topics in JSON, with the strategies of Foundation's encoder and decoder.
///
///     let encoder = JSONEncoder()
///     encoder.dateEncodingStrategy = .iso8601
///     let bus = EventBus(coder: .json(encoder: encoder, decoder: JSONDecoder()))
///     try bus.publish(21.5, on: "home.kitchen.temperature")
public struct FoundationTopicCoder: TopicCoder {
  private let encoder: JSONEncoder
  private let decoder: JSONDecoder

  /// Creates a coder that uses the given encoder and decoder.
  public init(encoder: JSONEncoder, decoder: JSONDecoder) {
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

extension TopicCoder where Self == FoundationTopicCoder {
  /// A coder that uses an encoder and a decoder of Foundation.
  public static func json(encoder: JSONEncoder, decoder: JSONDecoder) -> FoundationTopicCoder {
    FoundationTopicCoder(encoder: encoder, decoder: decoder)
  }
}
