import RunnelStreams

@MainActor final class Model {
  let names = PushStream<String>()
  var shown: [String] = []

  func follow() async {
    for await name in names.values(buffering: .newest(1)) { shown.append(name) }
  }
}
