import Foundation
import RunnelLoop
import RunnelNet
import RunnelStreams
import TestSupport
import Testing

/// A real browser without a window, driven over the DevTools protocol with Runnel's own client.
/// Its methods block.
struct Browser {
  private let loop: EventLoop
  private let port: Int

  /// True if the browser is installed. Its package is large, so that `Scripts/setup` does not
  /// install it.
  static let isInstalled = access("/usr/bin/chromium", X_OK) == 0

  /// Runs a body with a browser that is ended afterwards.
  static func run(_ body: @escaping @Sendable (Browser) -> Void) async {
    let folder = TemporaryFolder()
    // The shell ends all processes of the browser when its input ends, also after a crash of the
    // tests.
    let script = """
      setsid chromium --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage \\
      --remote-debugging-port=0 --user-data-dir="$0" about:blank 2>&1 &
      read -r line
      kill -9 -- -$!
      wait
      """
    await withLoop { loop in
      withProcessHere(["/bin/bash", "-c", script, folder["profile"]]) { process in
        defer {
          process.write("end")
          _ = process.wait()
        }
        while let line = process.readLine() {
          guard line.hasPrefix("DevTools listening on "),
            let port = line.split(separator: ":").last?.prefix(while: \.isNumber)
          else { continue }
          return body(Browser(loop: loop, port: Int(port) ?? 0))
        }
        Issue.record("The browser does not start.")
      }
    }
  }

  /// Opens a tab.
  func tab(at url: String) -> Tab {
    let answers = EventLog<String>()
    let loop = loop
    let client = loop.wait { Confined(HTTPClient(on: loop)) }
    let address = "http://127.0.0.1:\(port)/json/new?about:blank"
    loop.wait {
      let request = HTTPRequest(.put, address)
      _ = client.value.response(request).mapFailure { $0 as any Error }
        .flatMap { $0.body.text() }.observe(
          succeeded: { answers.add($0) }, failed: { answers.add("\($0)") })
    }
    let answer = answers.wait(for: 1)[0]
    let fields = try? JSONDecoder().decode(TabDescription.self, from: Data(answer.utf8))
    let tab = Tab(at: fields?.webSocketDebuggerUrl ?? answer, on: loop)
    // The page hides nothing from a tab that is behind another.
    tab.call("Emulation.setFocusEmulationEnabled", ["enabled": true])
    tab.call("Page.navigate", ["url": url])
    return tab
  }

  private struct TabDescription: Decodable {
    let webSocketDebuggerUrl: String
  }
}

/// A tab of a ``Browser``.
final class Tab: Sendable {
  private let loop: EventLoop
  private let socket = Confined<WebSocket?>(nil)
  private let number = Confined(0)
  private let answers = EventLog<String>()

  init(at url: String, on loop: EventLoop) {
    self.loop = loop
    let opened = EventLog<String?>()
    loop.wait { [socket, answers] in
      _ = WebSocket.connect(to: url, on: loop).observe(
        succeeded: {
          socket.value = $0
          $0.texts.observe(next: { answers.add($0) }, failed: { answers.add("\($0)") })
          opened.add(nil)
        }, failed: { opened.add("\($0)") })
    }
    let failure = opened.wait(for: 1)[0]
    #expect(failure == nil)
  }

  private struct Answer: Decodable {
    struct Result: Decodable {
      struct Value: Decodable {
        let value: String?
      }
      let result: Value?
    }
    let id: Int?
    let result: Result?
  }

  /// Calls a method of the protocol, and returns the text that a script has computed.
  @discardableResult
  func call(_ method: String, _ parameters: [String: Any]) -> String? {
    number.value += 1
    let id = number.value
    let message: [String: Any] = ["id": id, "method": method, "params": parameters]
    guard let bytes = try? JSONSerialization.data(withJSONObject: message) else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    var read = answers.count
    loop.wait { [socket] in _ = socket.value?.send(text) } as Void
    while true {
      for answer in answers.wait(for: read + 1)[read...] {
        read += 1
        let decoded = try? JSONDecoder().decode(Answer.self, from: Data(answer.utf8))
        if decoded?.id == id { return decoded?.result?.result?.value }
      }
    }
  }

  /// Runs a script, and returns its value as a text.
  @discardableResult
  func run(_ script: String) -> String? {
    call(
      "Runtime.evaluate",
      ["expression": "(async () => String(\(script)))()", "awaitPromise": true])
  }

  /// Waits in the page until a condition of it is true.
  func wait(for condition: String) {
    run(
      "await new Promise(end => { const f = () => \(condition) ? end() : setTimeout(f, 10); f(); })"
    )
  }

  /// Types a text as a keyboard with input method does, and presses Return.
  func type(_ text: String) {
    call("Input.insertText", ["text": text])
    let key: [String: Any] = ["key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13]
    call("Input.dispatchKeyEvent", key.merging(["type": "keyDown", "text": "\r"]) { $1 })
    call("Input.dispatchKeyEvent", key.merging(["type": "keyUp"]) { $1 })
  }
}
