import Runnel

@MainActor final class ProgressBar {
  var fraction = 0.0
}

let searchText = Property("Emma")
let title = Property("")
let progress = Property(0.0)
let bar = ProgressBar()
let editorText = Property("")
let noteText = Property("Milk")

searchText.map { "Results for \($0)" }.bind(to: title)
progress.bind(to: bar, \.fraction)
editorText.bindTwoWay(to: noteText)

progress.value = 0.5
editorText.value = "Milk, bread"
print(title.value, bar.fraction, noteText.value, separator: "; ")

// Output:
// Results for Emma; 0.5; Milk, bread
