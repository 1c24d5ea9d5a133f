// expect: main actor-isolated property 'text' can not be referenced on a nonisolated actor instance
import RunnelDesk
import RunnelStreams

actor Meter {
  let values = Property("")

  func show(in label: Label) { values.bind(to: label.rx.text) }
}
