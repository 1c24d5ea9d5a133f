import Runnel

struct Place: JSONWritable {
  let row, column: Int

  func write(to json: inout JSONWriter) {
    json.object { json in
      json.field("row", row)
      json.field("column", column)
    }
  }
}

let text = JSONWriter.text { json in
  json.object { json in
    json.field("name", "Chess")
    json.field("places", [Place(row: 1, column: 5), Place(row: 8, column: 5)])
    json.array("notes") { json in
      json.write("both kings")
      json.writeNull()
    }
  }
}
print(text)

// Output:
// {"name":"Chess","places":[{"row":1,"column":5},{"row":8,"column":5}],"notes":["both kings",null]}
