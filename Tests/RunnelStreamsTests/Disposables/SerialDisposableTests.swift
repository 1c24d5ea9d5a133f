import RunnelStreams
import RunnelTesting
import Testing

@Suite struct SerialDisposableTests {
  // MARK: Values

  @Test func settingItDisposesThePreviousDisposable() {
    let serial = SerialDisposable()
    #expect(serial.current == nil)
    let first = Disposable()
    let second = Disposable()
    serial.current = first
    #expect(serial.current === first)
    serial.current = second
    #expect(first.isDisposed)
    #expect(!second.isDisposed)
    serial.current = nil
    #expect(second.isDisposed)
    #expect(!serial.isDisposed)
  }

  @Test func settingTheSameDisposableKeepsIt() {
    let serial = SerialDisposable()
    let disposable = Disposable()
    serial.current = disposable
    serial.current = disposable
    #expect(!disposable.isDisposed)
  }

  // MARK: Disposal

  @Test func disposesCurrentAndLaterDisposables() {
    let serial = SerialDisposable()
    let first = Disposable()
    let second = Disposable()
    serial.current = first
    serial.dispose()
    serial.dispose()
    serial.current = second
    #expect(first.isDisposed)
    #expect(second.isDisposed)
    #expect(serial.isDisposed)
    #expect(serial.current == nil)
  }

  @Test func isDisposedWithItsParent() {
    let serial = SerialDisposable()
    let disposable = Disposable()
    serial.current = disposable
    let observation = Disposable()
    observation.add(serial)
    observation.dispose()
    #expect(disposable.isDisposed)
  }

  // MARK: Reentrancy

  @Test func aReplacedDisposableMaySetAnother() {
    let serial = SerialDisposable()
    let third = Disposable()
    let second = Disposable()
    serial.current = Disposable { serial.current = third }
    serial.current = second
    #expect(serial.current === third)
    #expect(second.isDisposed)
    #expect(!third.isDisposed)
  }

  @Test func aDisposedDisposableMaySetAnother() {
    let serial = SerialDisposable()
    let late = Disposable()
    serial.current = Disposable {
      serial.current = late
      serial.dispose()
    }
    serial.dispose()
    #expect(late.isDisposed)
    #expect(serial.current == nil)
  }
}
