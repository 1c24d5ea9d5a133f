import CLibevent
import Glibc
import RunnelStreams

/// The queue of the main actor and of `DispatchQueue.main`, run by the main loop.
enum MainQueue {
  /// Makes the descriptor that tells of jobs, which Dispatch makes when it is first asked for it. Traps
  /// where none is to be had: Dispatch would end the process without a reason.
  static func prepare() {
    Descriptor.requireSpare(1)
    _ = _dispatch_get_main_queue_handle_4CF()
  }

  /// Lets a loop run what comes into the queue.
  static func watch(on loop: EventLoop) throws(DescriptorError) -> Watch {
    try Watch(_dispatch_get_main_queue_handle_4CF(), for: .arrivals, on: loop) {
      _dispatch_main_queue_callback_4CF(nil)
    }
  }
}
