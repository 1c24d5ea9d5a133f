import RunnelBus
import RunnelStreams

extension EventBus {
  /// Creates a bus for tests: the identities and numbers of its events are the same in each run.
  ///
  ///     let scheduler = TestScheduler()
  ///     let shop = EventBus(name: "shop", coder: .json, on: scheduler, seed: 7)
  ///     shop.publish(1)
  ///
  /// Numbers follow the time of the scheduler. Give buses that are joined different names or seeds.
  public convenience init(
    name: String = "bus", coder: (any TopicCoder)? = nil, on scheduler: any Scheduler, seed: UInt64
  ) {
    var hash = seed
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    let random = Box(SeededGenerator(seed: hash))
    self.init(
      name: name, coder: coder,
      stamps: StampInputs(
        clock: { UInt64(max(scheduler.now / .microseconds(1), 0)) },
        makeIdentity: { .random(in: 1 ... .max, using: &random.generator) }))
  }
}

private final class Box {
  var generator: SeededGenerator

  init(_ generator: SeededGenerator) {
    self.generator = generator
  }
}
