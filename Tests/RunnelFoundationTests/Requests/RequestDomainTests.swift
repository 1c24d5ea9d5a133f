import Foundation
import FoundationNetworking
import RunnelFoundation
import RunnelLoop
import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

/// Results arrive in the context of their observer.
@Suite struct RequestDomainTests {
  @Test(arguments: ["/status/200", "/status/404", "/half"])
  func deliversOnLoop(_ path: String) async {
    let server = await startServer()
    let url = server.url(path)
    let isOnLoop: Bool = await onLoop { loop, finish in
      session().rx.data(url: url).observe(
        succeeded: { _ in finish(loop.isCurrent && EventLoop.current === loop) },
        failed: { _ in finish(loop.isCurrent && EventLoop.current === loop) })
    }
    #expect(isOnLoop)
  }

  @MainActor @Test func deliversOnMainActor() async {
    let server = await startServer()
    let url = server.url("/status/200")
    let text = await withCheckedContinuation { continuation in
      session().rx.string(url: url).observe(
        succeeded: { text in
          MainActor.preconditionIsolated()
          continuation.resume(returning: text)
        })
    }
    #expect(text == "status 200")
  }

  private actor Reader {
    private var texts: [String] = []

    func read(_ url: URL) async -> [String] {
      await withCheckedContinuation { continuation in
        session().rx.string(url: url).observe(succeeded: { text in
          self.preconditionIsolated()
          self.texts.append(text)
          continuation.resume(returning: self.texts)
        })
      }
    }
  }

  @Test func deliversOnActor() async {
    let server = await startServer()
    let url = server.url("/status/200")
    #expect(await Reader().read(url) == ["status 200"])
  }

  @MainActor @Test func taskMayAwaitResult() async throws {
    let server = await startServer()
    let url = server.url("/json/12")
    #expect(try await session().rx.json(Int.self, url: url).value() == 12)
  }

  /// Runs a separate program, because the process of the tests has no main loop.
  @Test func deliversOnMainLoop() async {
    let lines = await withServer { server, _ in
      let program = Child([
        "\(Fixture.folder)/FoundationFixture", server.url("/json/12").absoluteString,
      ])
      return [program.readLine(), program.readLine()]
    }
    #expect(lines == ["12 on the main loop", nil])
  }

  @Test func observingWithoutContextTraps() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      session().rx.data(request: noURL).observe()
    }
    #expect(result.says("This thread has no context for results to return to."))
  }
}
