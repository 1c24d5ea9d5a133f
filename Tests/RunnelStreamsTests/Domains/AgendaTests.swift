import RunnelStreams
import Testing

@Suite struct AgendaTests {
  /// More than half are taken back while the agenda goes, which would have it tidy its heap.
  @Test func whatDiesWithAnAgendaMayTakeTheOthersBack() async {
    await #expect(processExitsWith: .success) {
      var agenda: Agenda? = Agenda()
      let others = Others()
      let death = Death { for other in others.tickets { other.dispose() } }
      _ = agenda?.add(at: .zero) { [death] in withExtendedLifetime(death) {} }
      for number in 1...200 {
        if let ticket = agenda?.add(at: .seconds(number), {}) { others.tickets.append(ticket) }
      }
      _ = consume death
      agenda = nil
      let areDisposed = others.tickets.allSatisfy { $0.isDisposed }
      require(areDisposed, "The agenda has gone without its actions.")
    }
  }
}

private final class Others {
  var tickets: [Disposable] = []
}

/// Calls back when it is released.
private final class Death {
  private let action: () -> Void

  init(_ action: @escaping () -> Void) {
    self.action = action
  }

  deinit { action() }
}
