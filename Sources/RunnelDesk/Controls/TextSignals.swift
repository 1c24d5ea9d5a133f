import RunnelStreams

/// What a control with text tells those who observe it, beside its delegate: the streams of its `rx`.
@MainActor
public struct TextSignals {
  /// A person has changed the text.
  let text = PushStream<Void>()
  /// A person has changed the selection.
  let selection = PushStream<Void>()
  /// It has got the focus.
  let beginning = PushStream<Void>()
  /// It has lost the focus.
  let end = PushStream<Void>()
}
