// The small world that the examples of controls and of the terminal live in. It is compiled with them,
// and is no part of the tests: nothing here is ever run. What an example needs beyond it, it declares.

import RunnelCollections
import RunnelDesk
import RunnelProxies
import RunnelStreams
import RunnelTerminal

/// What `self` is in the examples.
@MainActor final class Screen {}

// MARK: - An application

@MainActor let backend = HeadlessBackend(Size(width: 80, height: 24))
@MainActor let application = Application(backend: backend)
@MainActor let window = Window()

// MARK: - What is in its window

@MainActor let searchField = TextField()
@MainActor let nameField = TextField()
@MainActor let saveButton = Button("Save")
@MainActor let list = TableView()
@MainActor let table = TableView()
@MainActor let editor = TextView()
@MainActor let statusBar = StatusBar()
@MainActor let fileMenu = Menu("File")
@MainActor let editMenu = Menu("Edit")

// MARK: - What it shows

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

@MainActor final class Mail: TableViewDataSource {
  func tableView(_ table: TableView, numberOfRowsInSection section: Int) -> Int { 0 }
  func tableView(_ table: TableView, cellFor column: TableColumn, row: Int) -> TableCell {
    TableCell("")
  }
}

@MainActor let inbox = Mail()

// MARK: - What is done with what comes

@MainActor func open(_ text: String) {}
@MainActor func show<each Value>(_ values: repeat each Value) {}
