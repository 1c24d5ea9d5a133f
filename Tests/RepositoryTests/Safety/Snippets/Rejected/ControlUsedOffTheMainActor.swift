// expect: main actor-isolated property 'tap' can not be referenced from a nonisolated context
import RunnelDesk
import RunnelStreams

func listen(to button: Button) {
  button.rx.tap.observeNext { print("pressed") }
}
