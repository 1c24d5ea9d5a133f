/// What shows an application to a person, and hears that person.
///
/// The controls keep all state. A backend reads it when it has been told that something looks different,
/// and hands in what the person does: as it comes, to ``Application/handle(_:)``, where it is keys and a
/// mouse; where it has controls of its own, as proposals to those of the application, such as
/// ``Button/press()``, ``Checkbox/propose(isOn:)`` and ``TableView/propose(selectedRows:)``, which say what
/// has come of them. So delegates may refuse things, and their proxies see them, on every backend.
@MainActor
public protocol Backend: AnyObject {
  /// From now on it shows the application, which it does not keep.
  func start(_ application: Application)

  /// Something looks different now: show it soon. Called often, so several calls are one.
  func needsDisplay()

  /// What a person has copied, there or elsewhere, as far as that can be known.
  var clipboard: String { get set }

  /// Makes a person look or hear.
  func ring()

  /// The application has ended: nothing is shown or heard any more.
  func stop()
}
