/// The state of a service, which is a name on the bus.
public enum ServiceState: Hashable, Sendable {
  /// The bus has not answered yet, or the connection is lost.
  case unknown
  /// No program has the name.
  case absent
  /// The bus was asked to start the service, which has not taken the name yet.
  case starting
  /// A program has the name. The owner is its unique name, such as `:1.42`.
  case present(owner: String)

  /// The unique name of the program, if there is one.
  public var owner: String? {
    if case .present(let owner) = self { return owner }
    return nil
  }
}
