import CSockets
import Glibc

extension BoundSocket {
  /// Joins or leaves a multicast group on a network interface, or on the one that the system
  /// chooses.
  func changeMembership(
    in group: IPAddress, on interface: String?, joins: Bool
  ) throws(SocketError) {
    let place = interface.map { "\(group) on \($0)" } ?? "\(group)"
    let operation: SocketError.Operation = joins ? .join : .leave
    guard group.isMulticast else {
      throw SocketError(operation, place, .membership(.notMulticast))
    }
    var index: UInt32 = 0
    if let interface {
      index = runnel_interface_index(interface)
      if index == 0 { throw SocketError(operation, place, .membership(.noInterface)) }
    }
    do throws(SystemError) {
      try change(group, joins: joins, onInterface: index)
    } catch {
      let cause: SocketError.Cause =
        switch error.code {
        case ENODEV: .membership(.noInterface)
        case EADDRINUSE: .membership(.alreadyJoined)
        case EADDRNOTAVAIL: .membership(joins ? .noInterface : .notJoined)
        default: error.cause
        }
      throw SocketError(operation, place, cause)
    }
  }
}
