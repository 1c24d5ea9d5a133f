// Declarations that the examples of controls and of the terminal use. The file is compiled with the
// examples. An example declares whatever else it needs.

import RunnelCollections
import RunnelDesk
import RunnelProxies
import RunnelStreams
import RunnelTerminal

/// The type of `self` in the examples.
@MainActor final class Screen {}

// MARK: - Application

@MainActor let backend = HeadlessBackend(Size(width: 80, height: 24))
@MainActor let application = Application(backend: backend)
@MainActor let window = Window()

// MARK: - Controls in its window

@MainActor let searchField = TextField()
@MainActor let nameField = TextField()
@MainActor let saveButton = Button("Save")
@MainActor let list = TableView()
@MainActor let table = TableView()
@MainActor let editor = TextView()
@MainActor let statusBar = StatusBar()
@MainActor let fileMenu = Menu("File")
@MainActor let editMenu = Menu("Edit")

// MARK: - Data

@MainActor final class Note {
  var title = ""
  var folder = ""
  var date = 0
  let text = Property("")
}

@MainActor let note = Note()
@MainActor let notes = CollectionProperty([note])
@MainActor let shelf = CollectionProperty(["Emma", "Dune", "It"])
@MainActor let query = Property("")
@MainActor let isValid = Property(true)
@MainActor let scanned = Property(0)

// MARK: - Actions

@MainActor func open(_ text: String) {}
@MainActor func show<each Value>(_ values: repeat each Value) {}
