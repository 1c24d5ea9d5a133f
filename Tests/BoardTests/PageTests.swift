import TestSupport
import Testing

/// The page in a real browser.
@Suite struct PageTests {
  /// The posts that a page shows, in lines.
  private static let posts =
    "[...document.querySelectorAll('article p')].map(p => p.textContent).join('|')"

  private static func shows(_ text: String) -> String { "\(posts).endsWith('\(text)')" }

  @Test(
    "A post of one page appears in another, in the list of topics too, and after a restart",
    .enabled(if: Browser.isInstalled))
  func pagesTalk() async {
    let folder = TemporaryFolder()
    folder.write("board.conf", "token = first-token\n")
    let number = BoardProgram.freePort()
    let options = [
      "--data", folder["posts"], "--config", folder["board.conf"], "--port", "\(number)",
    ]
    await Browser.run { browser in
      let reader = BoardProgram.serve(options) { server, port in
        let url = "http://127.0.0.1:\(port)"
        #expect(
          BoardPeer(port: port)?.publish("<b>one</b>", in: "kitchen", token: "first-token")?.status
            == 201)
        let (writer, reader) = (
          browser.tab(at: "\(url)/#kitchen"), browser.tab(at: "\(url)/#kitchen")
        )
        for tab in [writer, reader] { tab.wait(for: Self.shows("<b>one</b>")) }

        // Without a token, the form asks for one. The text stays.
        writer.run("document.getElementById('text').focus()")
        writer.type("Tea 🍵!")
        writer.wait(for: "document.activeElement.id == 'token'")
        #expect(
          writer.run("document.getElementById('problem').textContent")
            == "Publishing needs a token.")
        #expect(writer.run("document.getElementById('text').value") == "Tea 🍵!")
        writer.type("first-token")
        for tab in [writer, reader] { tab.wait(for: Self.shows("Tea 🍵!")) }
        writer.wait(for: "document.getElementById('text').value == ''")
        #expect(reader.run(Self.posts) == "<b>one</b>|Tea 🍵!")

        // Another topic is listed with its posts, and marked as new until it is read.
        #expect(
          BoardPeer(port: port)?.publish("Rain", in: "weather", token: "first-token")?.status
            == 201)
        reader.wait(for: "document.querySelectorAll('#topics li').length == 2")
        #expect(
          reader.run("document.getElementById('topics').textContent") == "kitchen2weather1")
        reader.run("document.querySelectorAll('#topics a')[1].click()")
        reader.wait(for: Self.shows("Rain"))
        #expect(reader.run("document.title") == "weather – Board")
        server.send(.kill)
        reader.wait(for: "document.getElementById('state').textContent.startsWith('Not connected')")
        return reader
      }
      guard let reader else { return }
      _ = BoardProgram.serve(options) { _, port in
        let sent = BoardPeer(port: port)?.publish("Sun", in: "weather", token: "first-token")
        #expect(sent?.status == 201)
        reader.wait(for: Self.shows("Sun"))
        #expect(reader.run(Self.posts) == "Rain|Sun")
      }
    }
  }

  @Test(
    "Ten pages of a host share one stream, and all can publish", .enabled(if: Browser.isInstalled))
  func manyPagesShareAStream() async {
    let folder = TemporaryFolder()
    await Browser.run { browser in
      _ = BoardProgram.serve(["--data", folder["posts"]]) { _, port in
        let url = "http://127.0.0.1:\(port)"
        // Each topic has two pages.
        let tabs = (0..<10).map { browser.tab(at: "\(url)/#topic\($0 / 2)") }
        for (number, tab) in tabs.enumerated() {
          tab.wait(for: "document.getElementById('state').textContent == 'Live'")
          tab.run("document.getElementById('text').focus()")
          tab.type("from \(number)")
          tab.wait(for: Self.shows("from \(number)"))
        }
        for (number, tab) in tabs.enumerated() {
          let first = number & ~1
          tab.wait(for: "\(Self.posts) == 'from \(first)|from \(first + 1)'")
          tab.wait(for: "document.querySelectorAll('#topics li').length == 5")
        }
        let metrics = BoardPeer(port: port)?
          .answer(to: "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")?.body
        #expect(metrics?.contains("\nboard_subscribers 5\n") == true)
        // A page that changes its topic gets the posts that others have, and new ones.
        tabs[0].run("location.hash = 'topic4'")
        tabs[0].wait(for: "\(Self.posts) == 'from 8|from 9'")
        tabs[9].type("more")
        for tab in [tabs[0], tabs[8], tabs[9]] { tab.wait(for: Self.shows("more")) }
        #expect(tabs[1].run(Self.posts) == "from 0|from 1")
        // A page with a name that no topic can have does not disturb the others.
        tabs[2].run("location.hash = 'to do'")
        tabs[9].type("last")
        for tab in [tabs[0], tabs[9]] { tab.wait(for: Self.shows("last")) }
        #expect(tabs[9].run("document.getElementById('state').textContent") == "Live")
      }
    }
  }
}
