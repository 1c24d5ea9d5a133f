import CMainQueue
import Glibc
import RunnelStreams

/// The queue of the main actor and of `DispatchQueue.main`, which the main loop runs.
enum MainQueue {
  /// Creates Dispatch's descriptor for the main queue. Traps if no descriptor is available, because
  /// Dispatch would end the process without a message.
  static func prepare() {
    Descriptor.requireSpare(1)
    _ = _dispatch_get_main_queue_handle_4CF()
  }

  /// Watches the queue on a loop, which runs its jobs.
  static func watch(on loop: EventLoop) throws(DescriptorError) -> Watch {
    try Watch(_dispatch_get_main_queue_handle_4CF(), for: .arrivals, on: loop) {
      _dispatch_main_queue_callback_4CF(nil)
    }
  }
}
