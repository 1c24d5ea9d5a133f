import RunnelProxies
import RunnelStreams

/// A requirement of the kit with an answer: its name, its key, a call, and the expected answers.
@MainActor
struct AnswerCase {
  let name: String
  let defaultAnswer: String?
  let targetsAnswer: String
  let closuresAnswer: String
  /// Calls the requirement and returns its answer.
  let call: (any EditorDelegate, Editor) -> String
  let listen: (EditorDelegateProxy, @escaping (String) -> Void) -> Disposable
  let answer: (EditorDelegateProxy) -> Disposable
  /// Returns a stream that sends the arguments and whose closure answers.
  let stream: (EditorDelegateProxy) -> EventStream<String, Never>

  init<Value, each Argument>(
    _ name: String,
    _ key: KeyPath<
      EditorDelegateProxy.Requirements, AnswerRequirement<Value, Never, repeat each Argument>
    >,
    default value: Value? = nil, target: Value, answer: Value,
    call: @escaping @MainActor (any EditorDelegate, Editor) -> Value
  ) {
    self.name = name
    defaultAnswer = value.map { "\($0)" }
    targetsAnswer = "\(target)"
    closuresAnswer = "\(answer)"
    self.call = { "\(call($0, $1))" }
    listen = { proxy, log in
      proxy.stream(key).observeNext { (argument: (repeat each Argument)) in
        log(arguments(repeat each argument))
      }
    }
    self.answer = { proxy in
      proxy.answer(key) { (argument: repeat each Argument) in answer }
    }
    stream = { proxy in
      proxy.stream(key) { (push: PushStream<String>, argument: repeat each Argument) in
        push.next(arguments(repeat each argument))
        return answer
      }
    }
  }

  static let all = [
    AnswerCase(
      "scrollViewShouldScrollToTop(_:)", \.scrollViewShouldScrollToTop, default: true,
      target: false, answer: true
    ) {
      $0.scrollViewShouldScrollToTop($1)
    },
    AnswerCase(
      "tableView(_:shouldSelectRowAt:)", \.tableView_shouldSelectRowAt, default: true,
      target: false, answer: true
    ) {
      $0.tableView($1, shouldSelectRowAt: 3)
    },
    AnswerCase(
      "tableView(_:willSelectRowAt:)", \.tableView_willSelectRowAt, default: .some(nil), target: 7,
      answer: 8
    ) {
      $0.tableView($1, willSelectRowAt: 3)
    },
    AnswerCase(
      "tableView(_:selectionFor:)", \.tableView_selectionFor, default: [Int](), target: [7],
      answer: [8]
    ) {
      $0.tableView($1, selectionFor: [1, 2])
    },
    AnswerCase("numberOfRows(in:)", \.numberOfRows_in, target: 7, answer: 8) {
      $0.numberOfRows(in: $1)
    },
    AnswerCase("tableView(_:cellFor:row:)", \.tableView_cellFor_row, target: "T", answer: "A") {
      $0.tableView($1, cellFor: "C", row: 3)
    },
    AnswerCase(
      "tableView(_:heightOfRow:)", \.tableView_heightOfRow, default: 20.0, target: 7.5, answer: 8.5
    ) {
      $0.tableView($1, heightOfRow: 3)
    },
    AnswerCase(
      "tableView(_:isGroupRow:)", \.tableView_isGroupRow, default: false, target: true,
      answer: false
    ) {
      $0.tableView($1, isGroupRow: 3)
    },
    AnswerCase(
      "tableView(_:shouldEdit:row:)", \.tableView_shouldEdit_row, default: true, target: false,
      answer: true
    ) {
      $0.tableView($1, shouldEdit: "C", row: 3)
    },
    AnswerCase(
      "tableView(_:shouldMove:to:)", \.tableView_shouldMove_to, default: true, target: false,
      answer: true
    ) {
      $0.tableView($1, shouldMove: 3, to: 3)
    },
    AnswerCase(
      "tableView(_:typeSelectTextFor:)", \.tableView_typeSelectTextFor, default: .some(nil),
      target: "T", answer: "A"
    ) {
      $0.tableView($1, typeSelectTextFor: 3)
    },
    AnswerCase(
      "tableView(_:acceptDropAt:operation:)", \.tableView_acceptDropAt_operation, target: true,
      answer: false
    ) {
      $0.tableView($1, acceptDropAt: 3, operation: .on)
    },
    AnswerCase(
      "outlineView(_:numberOfChildrenOf:)", \.outlineView_numberOfChildrenOf, target: 7, answer: 8
    ) {
      $0.outlineView($1, numberOfChildrenOf: "C")
    },
    AnswerCase("outlineView(_:child:of:)", \.outlineView_child_of, target: "T", answer: "A") {
      $0.outlineView($1, child: 3, of: "C")
    },
    AnswerCase(
      "outlineView(_:isExpandable:)", \.outlineView_isExpandable, default: false, target: true,
      answer: false
    ) {
      $0.outlineView($1, isExpandable: "S")
    },
    AnswerCase(
      "outlineView(_:shouldExpand:)", \.outlineView_shouldExpand, default: true, target: false,
      answer: true
    ) {
      $0.outlineView($1, shouldExpand: "S")
    },
    AnswerCase(
      "outlineView(_:shouldCollapse:)", \.outlineView_shouldCollapse, default: true, target: false,
      answer: true
    ) {
      $0.outlineView($1, shouldCollapse: "S")
    },
    AnswerCase(
      "outlineView(_:tipFor:)", \.outlineView_tipFor, default: .some(nil), target: "T", answer: "A"
    ) {
      $0.outlineView($1, tipFor: "S")
    },
    AnswerCase(
      "textShouldBeginEditing(_:)", \.textShouldBeginEditing, default: true, target: false,
      answer: true
    ) {
      $0.textShouldBeginEditing($1)
    },
    AnswerCase(
      "textShouldEndEditing(_:)", \.textShouldEndEditing, default: true, target: false, answer: true
    ) {
      $0.textShouldEndEditing($1)
    },
    AnswerCase(
      "textView(_:willSelect:insteadOf:)", \.textView_willSelect_insteadOf, target: 7..<9,
      answer: 8..<9
    ) {
      $0.textView($1, willSelect: 1..<4, insteadOf: 1..<4)
    },
    AnswerCase(
      "textView(_:doCommand:)", \.textView_doCommand, default: false, target: true, answer: false
    ) {
      $0.textView($1, doCommand: "S")
    },
    AnswerCase(
      "textView(_:menuAt:)", \.textView_menuAt, default: [String](), target: ["T"], answer: ["A"]
    ) {
      $0.textView($1, menuAt: 3)
    },
    AnswerCase(
      "editorShouldClose(_:)", \.editorShouldClose, default: true, target: false, answer: true
    ) {
      $0.editorShouldClose($1)
    },
    AnswerCase("title(of:)", \.title_of, target: "T", answer: "A") { $0.title(of: $1) },
  ]
}
