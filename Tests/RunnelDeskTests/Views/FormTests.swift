import RunnelDesk
import RunnelStreams
import RunnelTesting
import Testing

@MainActor
@Suite struct FormTests {
  private let name = TextField("Emma")
  private let email = TextField("emma")
  private let terms = Checkbox("Agree")
  private let form: Form
  private let desk: Desk

  init() {
    form = Form(["Name": name, "E-mail": email, "": terms])
    desk = Desk(form, width: 24, height: 6)
  }

  // MARK: - Layout

  @Test func flexibleControlsShareTheHeight() {
    let (one, other) = (TextView("1\n2\n3\n4\n5"), TextView("6\n7\n8\n9\n0"))
    let desk = Desk(Form(["A": one, "B": other], spacing: 0), width: 8, height: 7)
    #expect(desk.lines == ["A  1", "   2", "   3", "   4", "B  6", "   7", "   8"])
  }

  @Test func labelsAndControlsShareColumns() {
    #expect(desk.text == "  Name  Emma\n\nE-mail  emma\n\n        [ ] Agree")
    form.labelAlignment = .leading
    #expect(desk.text == "Name    Emma\n\nE-mail  emma\n\n        [ ] Agree")
    form.spacing = 0
    #expect(desk.text == "Name    Emma\nE-mail  emma\n        [ ] Agree")
    // A control takes the whole width, unless it wants another one.
    #expect([name, terms].map(\.frame.width) == [16, 9])
  }

  @Test func hiddenAndRemovedControlsHaveNoRow() {
    email.isHidden = true
    #expect(desk.text == "Name  Emma\n\n      [ ] Agree")
    email.isHidden = false
    name.removeFromSuperview()
    form.addRow("世界", Label("end"))
    #expect(desk.text == "E-mail  emma\n\n        [ ] Agree\n\n  世界  end")
    form.setLabel("Mail", of: email)
    #expect(form.label(of: email) == "Mail")
    #expect(desk.lines[0] == "Mail  emma")
  }

  @Test func freeRowsGiveWayWhenSpaceIsScarce() {
    form.addRow("Notes", TextView("a\nb\nc"))
    #expect(
      desk.text == "  Name  Emma\nE-mail  emma\n        [ ] Agree\n Notes  a\n        b\n        c")
    desk.backend.send(.resize(Size(width: 24, height: 9)))
    #expect(desk.lines[1] == "" && desk.lines[8] == "        c")
  }

  @Test func longLabelsAreTruncated() {
    form.setLabel("A very long name for it", of: name)
    #expect(desk.lines[0] == "A very l…  Emma")
  }

  @Test func wantsTheExtentOfItsRows() {
    let room = Size(width: 40, height: 20)
    #expect(form.wantedExtent(in: room) == Extent(width: nil, height: 5))
    name.width = 10
    email.width = 20
    name.validationMessage = "no"
    terms.validationMessage = "needed"
    #expect(form.wantedExtent(in: room) == Extent(width: 28, height: 6))
    form.addRow("Notes", TextView())
    #expect(form.wantedExtent(in: room) == Extent())
    #expect(Form().wantedExtent(in: room) == Extent(width: 0, height: 0))
  }

  @Test(arguments: [0, 1, 3, 7, 12], [0, 1, 2, 4])
  func worksAtSmallSizes(_ width: Int, _ height: Int) {
    for control in form.subviews { control.validationMessage = "世界 is wrong here" }
    form.spacing = -3
    desk.backend.send(.resize(Size(width: width, height: height)))
    desk.click(0, 0)
    desk.press("tab", "x")
    #expect(desk.lines.count == height)
  }

  // MARK: - Validation

  @Test func messagesAreBelowTheirControls() {
    email.rx.validationMessage.send("An @ is missing.")
    // The message takes a free row, so that the other controls keep their places.
    #expect(
      desk.text == "  Name  Emma\n\nE-mail  emma\n        An @ is missing.\n        [ ] Agree")
    let theme = Theme.standard
    #expect(desk.style(x: 8, y: 0) == theme.field)
    #expect(desk.style(x: 8, y: 2) == theme.invalid.adding(theme.field.effects))
    #expect(desk.style(x: 8, y: 3) == theme.invalid)
    email.validationMessage = nil
    #expect(desk.text == "  Name  Emma\n\nE-mail  emma\n\n        [ ] Agree")
  }

  @Test func messagesKeepTheFocusAndWrap() {
    form.spacing = 0
    desk.window.makeFirstResponder(email)
    email.validationMessage = "Write it as name@place."
    #expect(email.isFirstResponder)
    #expect(
      desk.text
        == "  Name  Emma\nE-mail  emma\n        Write it as\n        name@place.\n        [ ] Agree"
    )
    // An empty message is none, and a disabled control cannot be wrong.
    email.validationMessage = ""
    terms.validationMessage = "Needed"
    #expect(desk.text == "  Name  Emma\nE-mail  emma\n        [ ] Agree\n        Needed")
    terms.isEnabled = false
    #expect(desk.text == "  Name  Emma\nE-mail  emma\n        [ ] Agree")
  }

  @Test func aMessageOfANestedControlIsShown() {
    let pair = TextField("a")
    form.addRow("Both", StackView(.horizontal, spacing: 1, [pair, Button("…")]))
    form.spacing = 0
    pair.validationMessage = "no"
    #expect(desk.lines[3...] == ["  Both  a          [ … ]", "        no", ""])
  }

  @Test func allMessagesOfARowAreShown() {
    let (day, month) = (TextField("x"), TextField("y"))
    let row = StackView(.horizontal, spacing: 1, [day, month])
    form.addRow("Date", row)
    form.spacing = 0
    month.validationMessage = "Month?"
    day.validationMessage = "Day?"
    desk.backend.send(.resize(Size(width: 24, height: 7)))
    #expect(desk.lines[4...] == ["        Day?", "        Month?", ""])
    row.validationMessage = "Date?"
    #expect(desk.lines[4...] == ["        Date?", "        Day?", "        Month?"])
    // The same message is shown once, and not for a view that cannot be used.
    row.validationMessage = nil
    month.validationMessage = "Day?"
    #expect(desk.lines[4...] == ["        Day?", "", ""])
    day.isEnabled = false
    month.isHidden = true
    #expect(desk.lines[4...] == ["", "", ""])
  }

  @Test func aFormInAFormShowsItsMessagesItself() {
    let (street, city) = (TextField("s"), TextField("c"))
    let inner = Form(["Street": street, "City": city], spacing: 0)
    let outer = Form(["Name": TextField("n"), "Home": inner, "Note": TextField("o")], spacing: 0)
    let desk = Desk(outer, width: 24, height: 7)
    street.validationMessage = "needed"
    #expect(
      desk.text == """
        Name  n
        Home  Street  s
                      needed
                City  c
        Note  o
        """)
    inner.validationMessage = "wrong"
    #expect(desk.lines[4] == "      wrong" && desk.lines[5] == "Note  o")
    desk.backend.click("City")
    #expect(city.isFirstResponder)
    desk.backend.click("Home")
    #expect(street.isFirstResponder)
    #expect(desk.backend.readLines().last == "Street, text field: s, needed")
    for size in [Size(width: 9, height: 2), Size(width: 1, height: 1), .zero] {
      desk.backend.send(.resize(size))
      #expect(desk.lines.count == size.height)
    }
  }

  @Test func outsideOfAFormAFieldShowsItsMessage() {
    let field = TextField("emma", placeholder: "E-mail")
    let desk = Desk(field, width: 20, height: 1)
    field.validationMessage = "needs an @"
    #expect(desk.text == "emma      needs an @")
    #expect(desk.style(x: 19, y: 0) == Theme.standard.invalid.adding(.underline))
    field.text = ""
    #expect(desk.text == "E-mail    needs an @")
    field.text = "somebody"
    #expect(desk.text == "somebody  needs an @")
    field.text = "somebody "
    #expect(desk.text == "somebody   needs an…")
    field.text = "somebody somewhere"
    #expect(desk.text == "somebody somewhere")
    field.isEnabled = false
    #expect(desk.style(x: 1, y: 0) == Theme.standard.disabled)
  }

  // MARK: - Mouse

  @Test func aClickOnALabelMovesTheFocusToItsControl() {
    desk.backend.click("E-mail")
    #expect(email.isFirstResponder)
    desk.click(2, 1)
    #expect(email.isFirstResponder)
    name.isEnabled = false
    desk.backend.click("Name")
    #expect(email.isFirstResponder)
    #expect(desk.style(x: 3, y: 0) == Theme.standard.disabled)
  }
}
