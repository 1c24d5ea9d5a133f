/// The program that makes a call.
public struct BusCaller: Hashable, Sendable {
  /// The unique name of the connection. It is nil without a bus.
  public let name: String?
  /// The number of the user. It is nil if the object has no policy, because the bus is asked for it.
  public let user: UInt32?
  /// The number of the process. It is nil if the object has no policy, or if the bus does not know it.
  ///
  /// The process can have ended, and another one can have its number. Decide by ``user``.
  public let process: UInt32?

  init(name: String?, user: UInt32? = nil, process: UInt32? = nil) {
    self.name = name
    self.user = user
    self.process = process
  }
}
