import Runnel

struct Book {
  var number: Int
  var title: String
}

struct Loan {
  var reader: String
  var number: Int
}

let books = CollectionProperty([Book(number: 1, title: "Emma"), Book(number: 2, title: "Dune")])
let loans = CollectionProperty([Loan(reader: "Jim", number: 2)])
let lent = loans.joined(with: books, on: \.number, equals: \.number)
lent.observe { event in print(event.collection.map { "\($0.reader): \($1.title)" }) }
loans.append(Loan(reader: "Bones", number: 1))
books[1].title = "Dune Messiah"

// Output:
// ["Jim: Dune"]
// ["Jim: Dune", "Bones: Emma"]
// ["Jim: Dune Messiah", "Bones: Emma"]
