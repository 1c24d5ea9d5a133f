import RunnelBus
import RunnelCollections
import RunnelDesk
import RunnelProxies
import RunnelStreams

private struct Price: BusRequest {
  typealias Reply = [Int]
}

@Proxied
@MainActor private protocol Listener: AnyObject {
  func listen(to number: Int)
}

@MainActor let collectionScenarios = [
  Scenario(name: "list, observations of derived lists are disposed") {
    let list = CollectionProperty(Array(0..<20))
    let derived = list.filter { $0 % 2 == 0 }.sorted { $0 > $1 }.map { [$0] }
    let observations = [derived.observe { _ in }, list.observe { _ in }]
    list.append(20)
    return Round(releasing: list) { for observation in observations { observation.dispose() } }
  },
  Scenario(name: "derived list, its source is edited") {
    let list = CollectionProperty(Array(0..<20))
    let derived = list.filter { $0 % 2 == 0 }.sorted { $0 > $1 }.map { [$0] }
    derived.observe { _ in }
    return Round(releasing: derived) {
      list.append(20)
      list.remove(at: 0)
    }
  },
  Scenario(name: "set and dictionary, observations are disposed") {
    let (set, dictionary) = (CollectionProperty(Set([1, 2])), CollectionProperty([1: "a"]))
    let observations = [
      set.observe { _ in }, dictionary.mapValues { $0 + "!" }.observe { _ in },
    ]
    set.insert(3)
    return Round(releasing: (set, dictionary)) {
      for observation in observations { observation.dispose() }
    }
  },
  Scenario(name: "bus, observations and answers are disposed") {
    let bus = EventBus()
    let observations = [
      bus.events(Int.self).observeNext { _ in }, bus.answer(Price.self) { _ in [1] },
      bus.events(String.self, priority: .high).observeNext { _ in },
    ]
    bus.publish(1)
    return Round(releasing: bus) { for observation in observations { observation.dispose() } }
  },
  Scenario(name: "proxy, observations are disposed") {
    let proxy = ListenerProxy()
    let observations = (0..<2).map { _ in
      proxy.stream(\.listen_to) { (push: PushStream<Int>, number) in push.next(number) }
        .observeNext { _ in }
    }
    proxy.listen(to: 1)
    return Round(releasing: proxy) { for observation in observations { observation.dispose() } }
  },
  Scenario(name: "callback, observations are disposed") {
    let proxy = CallbackProxy<Int>()
    let observations = (0..<2).map { _ in proxy.stream.observeNext { _ in } }
    proxy.send(1)
    return Round(releasing: proxy) { for observation in observations { observation.dispose() } }
  },
  Scenario(name: "table, its rows are edited", hits: 500) {
    let list = CollectionProperty(["a", "b"])
    let table = TableView(columns: [TableColumn("name")])
    table.rx.rows(list.map { "\($0)!" }) { row, text in row["name"].text = text }
    return Round(releasing: table) {
      list.append("c")
      list.remove(at: 0)
    }
  },
  Scenario(name: "text field, its property is set", hits: 500) {
    let text = Property("a")
    let field = TextField()
    text.bind(to: field.rx.text)
    let observation = field.rx.text.observeNext { _ in }
    return Round(releasing: field) {
      text.value = "b"
      observation.dispose()
    }
  },
]
