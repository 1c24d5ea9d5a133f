/// A call of a method, or of a property, that this program serves.
public struct BusCall {
  /// The access that the caller asks for.
  public enum Access: Hashable, Sendable {
    /// Calls a method.
    case call
    /// Reads a property.
    case read
    /// Writes a property.
    case write
  }

  /// The caller. Its user and process are nil if the object has no policy.
  public let caller: BusCaller
  /// The object.
  public let path: ObjectPath
  /// The interface that declares the method or the property.
  public let interface: String
  /// The name of the method or of the property.
  public let name: String
  /// The access to the method or the property.
  public let access: Access
  /// The arguments.
  public let body: BusBody
}
