import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct RecoverTests {
  private let source = Subject<Int, ContractFailure>()

  @Test func replacesTheFailureWithAnElement() {
    let recorder: Recorder<Int, Never> = source.recover(with: 0).record()
    source.next(1)
    source.failed(ContractFailure())
    #expect(recorder.events == [.next(1), .next(0), .completed])
  }

  @Test func continuesWithAnInfallibleStream() {
    let recorder: Recorder<Int, Never> = source.recover(with: .sequence([8, 9])).record()
    source.next(1)
    source.failed(ContractFailure())
    #expect(recorder.events == [.next(1), .next(8), .next(9), .completed])
    #expect(!source.isObserved)
  }

  @Test func passesOnCompletion() {
    let recorder = source.recover(with: 0).record()
    source.completed()
    #expect(recorder.events == [.completed])
  }

  @Test func keepsTheContracts() {
    expectContracts([.handlesFailure, .outlivesSource]) { source, probe in
      source
        .filter { _ in
          probe.touch()
          return true
        }
        .recover(with: ContractElement(0))
    }
    expectContracts([.handlesFailure, .outlivesSource]) { source, probe in
      source
        .filter { _ in
          probe.touch()
          return true
        }
        .recover(with: .sequence([ContractElement(0), ContractElement(1)]))
    }
  }
}
