import Foundation

/// JSON that could not be read or written.
public enum JSONFailure: Error {
  /// This is no JSON, or not that of the type that was asked for; the error says where.
  case unreadable(Data, any Error)
  /// A value cannot be written as JSON, such as a number that is not finite.
  case unwritable(any Error)
}

extension JSONFailure: CustomStringConvertible {
  /// What is wrong, and where.
  public var description: String {
    switch self {
    case .unreadable(let json, let error): "\(json.count) bytes cannot be read as JSON: \(error)"
    case .unwritable(let error): "A value cannot be written as JSON: \(error)"
    }
  }
}
