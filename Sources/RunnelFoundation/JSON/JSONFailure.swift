import Foundation

/// An error in decoding or encoding JSON.
public enum JSONFailure: Error {
  /// The data is not valid JSON, or not of the requested type. The error contains the position.
  case unreadable(Data, any Error)
  /// The value cannot be encoded as JSON. An example is a number that is not finite.
  case unwritable(any Error)
}

extension JSONFailure: CustomStringConvertible {
  /// A description of the problem and its position.
  public var description: String {
    switch self {
    case .unreadable(let json, let error): "\(json.count) bytes cannot be read as JSON: \(error)"
    case .unwritable(let error): "A value cannot be written as JSON: \(error)"
    }
  }
}
