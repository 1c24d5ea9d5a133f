import RunnelStreams

func start() {
  let names = PushStream<String>()
  names.observeNext { print($0) }
  Task.detached { names.next("Jim") }
}
