/// Runs the chapters in order, each under its title. With arguments, only the chapters whose title
/// contains one of them.
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
