import RunnelProxies
import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

private final class Player {
  var onFinished: ((String, Int) -> Void)?
  var onStopped: (() -> Void)?
  var onVolume: ((Int) -> Void)?
}

/// A C library that calls a function with a context pointer.
private struct Sensor {
  var function: @convention(c) (Int32, UnsafeMutableRawPointer?) -> Void
  var context: UnsafeMutableRawPointer?

  func read(_ value: Int32) { function(value, context) }
}

@Suite struct CallbackProxyTests {
  @Test func aSlotBecomesAStreamOfAnyParameters() {
    let player = Player()
    var log: [String] = []
    let finished = CallbackProxy(of: player) { $0.onFinished = $1 }
    let stopped = CallbackProxy(of: player) { $0.onStopped = $1 }
    let volume = CallbackProxy(of: player) { (player: Player, send: @escaping (Int) -> Void) in
      player.onVolume = send
    }
    finished.stream.observeNext { song, seconds in log.append("\(song) \(seconds)") }
    stopped.stream.observeNext { log.append("stopped") }
    volume.stream.observeNext { log.append("volume \($0)") }
    player.onFinished?("Emma", 3)
    player.onStopped?()
    player.onVolume?(7)
    #expect(log == ["Emma 3", "stopped", "volume 7"])
  }

  @Test func thePreviousClosureCanBeCalledToo() {
    let player = Player()
    var log: [String] = []
    player.onFinished = { song, _ in log.append("former \(song)") }
    let finished = CallbackProxy(of: player) {
      (player: Player, send: @escaping (String, Int) -> Void) in
      let former = player.onFinished
      player.onFinished = {
        send($0, $1)
        former?($0, $1)
      }
    }
    finished.stream.observeNext { song, _ in log.append("stream \(song)") }
    player.onFinished?("Emma", 3)
    #expect(log == ["stream Emma", "former Emma"])
  }

  @Test func releasingTheProxyCompletesItsStream() {
    let player = Player()
    var events: [String] = []
    var stopped: CallbackProxy<Void>? = CallbackProxy(of: player) { $0.onStopped = $1 }
    stopped?.stream.observe(next: { events.append("stopped") }, completed: { events.append("end") })
    stopped = nil
    player.onStopped?()
    #expect(events == ["end"])
  }

  @Test func aCFunctionFindsItsProxyByContext() {
    let readings = CallbackProxy<Int32>()
    let sensor = Sensor(
      function: { CallbackProxy<Int32>.at($1).send($0) }, context: readings.context)
    var values: [Int32] = []
    readings.stream.observeNext { value in
      values.append(value)
      if value == 1 { sensor.read(2) }
    }
    readings.stream.observeNext { values.append(-$0) }
    sensor.read(1)
    #expect(values == [1, -1, 2, -2])
  }

  @Test func aMissingContextTraps() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      Sensor(function: { CallbackProxy<Int32>.at($1).send($0) }, context: nil).read(1)
    }
    #expect(result.says("The C function got no context."))
  }

  @Test func theContextOfAnotherProxyTraps() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let texts = CallbackProxy<String>()
      Sensor(function: { CallbackProxy<Int32>.at($1).send($0) }, context: texts.context).read(1)
    }
    #expect(result.says("The C function got the context of a CallbackProxy<String>"))
  }

  @Test func aCallbackMayReplaceItsProxy() {
    let player = Player()
    var log: [String] = []
    var stopped: CallbackProxy<Void>? = CallbackProxy(of: player) { $0.onStopped = $1 }
    stopped?.stream.observe(
      next: {
        log.append("stopped")
        stopped = CallbackProxy(of: player) { $0.onStopped = $1 }
        stopped?.stream.observeNext { log.append("again") }
        player.onStopped?()
      }, completed: { log.append("end") })
    player.onStopped?()
    #expect(log == ["stopped", "again", "end"])
  }

  @Test func aCallFromAnotherThreadTraps() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = await ManualContext.onThread { _ in
        // Safety: this is the misuse that the test expects to trap.
        nonisolated(unsafe) let readings = CallbackProxy<Int32>()
        let elsewhere = ThreadContext()
        elsewhere.run { readings.send(1) }
      }
    }
    #expect(result.says("was called on another thread than that of its observers"))
  }

  @Test func aRemoteBringsCallsFromOtherThreads() async {
    let values = await ManualContext.onThread { home in
      let readings = CallbackProxy<Int>()
      let remote = Remote(readings)
      var values: [Int] = []
      readings.stream.observeNext { values.append($0) }
      let elsewhere = ThreadContext()
      elsewhere.run { for value in 1...3 { remote.send { $0.send(value) } } }
      elsewhere.join()
      home.run()
      return values
    }
    #expect(values == [1, 2, 3])
  }
}
