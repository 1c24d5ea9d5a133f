// expect: invalid conversion from throwing function
import RunnelStreams

struct Bad: Error {}

func check(_ names: PushStream<String>) {
  names.map { name in
    if name.isEmpty { throw Bad() }
    return name
  }.observeNext { print($0) }
}
