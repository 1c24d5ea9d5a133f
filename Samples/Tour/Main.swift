/// Runs the chapters in order, each under its title. With arguments, runs only the chapters whose
/// titles contain one of them.
@main
struct Main {
  static func main() {
    let wanted = CommandLine.arguments.dropFirst()
    for chapter in Chapter.all where wanted.isEmpty || wanted.contains(where: chapter.matches) {
      print("== \(chapter.title)")
      chapter.run { print($0) }
      print()
    }
  }
}
