import Runnel
import RunnelDesk
import RunnelGTK

/// The screen, which knows no backend.
@MainActor
final class Converter {
  let celsius = TextField(placeholder: "Degrees")
  let fahrenheit = Label()

  func show(in application: Application) {
    celsius.rx.text
      .map { text in Double(text).map { "\($0 * 9 / 5 + 32) °F" } ?? "" }
      .bind(to: fahrenheit.rx.text)
    let form = Form(["Celsius": celsius, "Fahrenheit": fahrenheit])
    let window = Window(title: "Temperature", content: form)
    window.makeFirstResponder(celsius)
    application.show(window)
  }
}

let backend = try GTKBackend(identifier: "org.example.Temperature", keepsSize: true)
let application = Application(backend: backend)
let converter = Converter()
converter.show(in: application)
EventLoop.main.run(until: application.rx.terminated)
print("The last temperature was \(converter.fahrenheit.text).")

// Output:
// The last temperature was 68.0 °F.
