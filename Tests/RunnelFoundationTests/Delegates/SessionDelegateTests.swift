import Foundation
import FoundationNetworking
import RunnelProxies
import RunnelStreams
import TestSupport
import Testing

@Proxied
private protocol TransferEvents: NSObjectProtocol, Sendable, URLSessionDataDelegate {
  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data)
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?)
  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void)
}

@Proxied
private protocol CacheEvents: NSObjectProtocol, NSCacheDelegate {
  func cache(_ cache: NSCache<AnyObject, AnyObject>, willEvictObject object: Any)
}

/// The proxy of a protocol that inherits from `NSObjectProtocol` is an `NSObject`, as the delegate
/// of a session must be. A session calls it on its delegate queue.
@Suite @MainActor struct SessionDelegateTests {
  private let proxy = TransferEventsProxy()
  private let session: URLSession

  init() {
    session = URLSession(configuration: .ephemeral, delegate: proxy, delegateQueue: .main)
  }

  /// Sends a request, and returns the error after the transfer.
  private func transfer(_ url: URL) async -> (any Error)? {
    let ended = proxy.stream(\.urlSession_task_didCompleteWithError)
    session.dataTask(with: url).resume()
    defer { session.finishTasksAndInvalidate() }
    return await ended.first()?.2
  }

  @Test func streamsReceiveTheBody() async {
    let server = await startServer()
    var body = Data()
    proxy.stream(\.urlSession_dataTask_didReceive).observeNext { body.append($2) }
    #expect(await transfer(server.url("/big/100000")) == nil)
    #expect(body.count == 100_000)
  }

  @Test func streamsReceiveTheError() async {
    let server = await startServer()
    let error = await transfer(server.refusing) as? URLError
    #expect(error?.code == .cannotConnectToHost)
  }

  @Test func aStreamAnswersACompletionHandler() async {
    let server = await startServer()
    var paths: [String] = []
    proxy.stream(\.urlSession_task_willPerformHTTPRedirection_newRequest_completionHandler)
      .observeNext { _, _, _, request, answer in
        paths.append(request.url?.path ?? "")
        answer(request)
      }
    #expect(await transfer(server.url("/redirect/2")) == nil)
    #expect(paths == ["/redirect/1", "/echo"])
  }

  @Test func aCallFromAnotherQueueTraps() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { @MainActor in
      let proxy = TransferEventsProxy()
      let session = URLSession(configuration: .ephemeral, delegate: proxy, delegateQueue: nil)
      session.dataTask(with: noURL).resume()
      _ = await proxy.stream(\.urlSession_task_didCompleteWithError).first()
    }
    #expect(result.says("TransferEventsProxy was called on another thread"))
  }

  @Test func anObjectProxyNeedNotBeSendable() {
    let proxy = CacheEventsProxy()
    let cache = NSCache<NSString, NSString>()
    cache.countLimit = 1
    cache.delegate = proxy
    var evicted: [String] = []
    proxy.stream(\.cache_willEvictObject).observeNext { evicted.append("\($1)") }
    cache.setObject("Blue", forKey: "first")
    cache.setObject("Red", forKey: "second")
    #expect(evicted.count == 1)
  }
}
