#if GTK
import CGTK
import RunnelDesk
import Testing

@testable import RunnelGTK

extension GTKTests {
  /// The pictures of a window for scripts.
  @MainActor
  @Suite struct PictureTests {
    @Test func pictureShowsTheLastChange() throws {
      let label = Label("")
      let app = try TestApp(label)
      defer { app.end() }
      let empty = app.backend.picture
      for text in ["one", "two", "three"] {
        label.text = text
        // The picture of the same state, drawn again, is the reference.
        let picture = app.backend.picture
        app.settle()
        #expect(picture != empty && picture == app.backend.picture, "\(text)")
      }
      label.text = ""
      #expect(app.backend.picture == empty)
    }

    @Test(arguments: [Size(width: 50, height: 15), Size(width: 30, height: 8)])
    func pictureHasTheSizeThatAScriptSets(_ size: Size) throws {
      let app = try TestApp(Label("text"), size: Size(width: 40, height: 12))
      defer { app.end() }
      let before = try PixelImage(png: app.backend.picture).size
      app.backend.send(.resize(size))
      let after = try PixelImage(png: app.backend.picture).size
      #expect(after.width * 40 == before.width * size.width)
      #expect(after.height * 12 == before.height * size.height)
      // The window has this size already.
      app.backend.send(.resize(size))
      #expect(try PixelImage(png: app.backend.picture).size == after)
    }

    /// The desktop gives the window its first size after the script has changed it.
    @Test(arguments: [Size(width: 50, height: 15), Size(width: 30, height: 8)])
    func aWindowThatHasJustBeenShownIsResized(_ size: Size) throws {
      let other = try TestApp(Label("text"), size: size)
      let expected = try PixelImage(png: other.backend.picture).size
      other.end()
      let backend = try GTKBackend(
        identifier: "org.runnel.Tests", size: Size(width: 40, height: 12))
      let application = Application(backend: backend)
      defer {
        application.end()
        backend.sync()
      }
      application.show(Window(title: "Size", content: Label("text")))
      backend.send(.resize(size))
      #expect(try PixelImage(png: backend.picture).size == expected)
      #expect(backend.windows.last?.size == size && backend.grid.size == size)
    }

    @Test func hiddenWindowHasNoPicture() throws {
      let app = try TestApp(Label("text"))
      let window = try #require(app.backend.windows.last)
      gtk_widget_set_visible(window.widget, 0)
      #expect(app.backend.picture == [])
      gtk_widget_set_visible(window.widget, 1)
      #expect(app.backend.picture != [])
      app.end()
      #expect(app.backend.picture == [] && !window.draw(within: .zero))
    }

    @Test func windowThatIsNotDrawnInTimeHasNotBeenDrawn() throws {
      let app = try TestApp(Label("text"))
      defer { app.end() }
      let window = try #require(app.backend.windows.last)
      #expect(!window.draw(within: .zero))
      #expect(window.nextFrame(within: .milliseconds(1), until: { false }) == nil)
    }
  }
}
#endif
