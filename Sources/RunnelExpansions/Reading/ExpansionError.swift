import SwiftDiagnostics
import SwiftSyntax

/// An error that a macro reports. Its cases are the identifiers of the diagnostics.
protocol ExpansionError: DiagnosticMessage {}

extension ExpansionError {
  var severity: DiagnosticSeverity { .error }

  var diagnosticID: MessageID {
    MessageID(domain: "Runnel", id: String("\(self)".prefix { $0 != "(" }))
  }

  func diagnostic(at node: some SyntaxProtocol, fix: SourceFix? = nil) -> Diagnostic {
    Diagnostic(node: node, message: self, fixIts: fix.map { [$0.fixIt] } ?? [])
  }
}

/// A fix for an ``ExpansionError``, which replaces one node by another.
struct SourceFix: FixItMessage {
  let message: String
  let changes: [FixIt.Change]

  init(_ message: String, replacing old: some SyntaxProtocol, with new: some SyntaxProtocol) {
    self.message = message
    changes = [.replace(oldNode: Syntax(old), newNode: Syntax(new))]
  }

  /// Removes a modifier of a requirement.
  init(removing modifier: DeclModifierSyntax) {
    let nothing = DeclModifierSyntax(leadingTrivia: modifier.leadingTrivia, name: .identifier(""))
    self.init("remove '\(modifier.name.text)'", replacing: modifier, with: nothing)
  }

  var fixItID: MessageID { MessageID(domain: "Runnel", id: message) }
  var fixIt: FixIt { FixIt(message: self, changes: changes) }
}
