import RunnelStreams

/// The streams of a text control's `rx`. They report the user's actions independently of the
/// delegate.
@MainActor
public struct TextSignals {
  /// Sends an event after the user has changed the text.
  let text = PushStream<Void>()
  /// Sends an event after the user has changed the selection.
  let selection = PushStream<Void>()
  /// Sends an event after the control got the focus.
  let beginning = PushStream<Void>()
  /// Sends an event after the control lost the focus.
  let end = PushStream<Void>()
}
