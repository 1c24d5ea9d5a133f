import CLibevent
import RunnelStreams

/// The queue of the main actor and of `DispatchQueue.main`, run by the main loop.
enum MainQueue {
  /// Lets a loop run what comes into the queue.
  static func watch(on loop: EventLoop) throws(DescriptorError) -> Watch {
    try Watch(_dispatch_get_main_queue_handle_4CF(), for: .arrivals, on: loop) {
      _dispatch_main_queue_callback_4CF(nil)
    }
  }
}
