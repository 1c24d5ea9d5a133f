/// Another main loop in the process, such as that of GLib. An ``EventLoop`` serves its sources.
///
/// The guest watches its descriptors on the event loop and sets a timer for its deadline, so that the
/// event loop wakes up when the guest has work.
package protocol GuestLoop: AnyObject {
  /// Does the work that is due. Called in each turn of the event loop, before it waits. Returns true
  /// if there was work: then the event loop does not wait.
  func serve() -> Bool
}
