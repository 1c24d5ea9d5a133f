import Runnel

struct Saved { let title: String }

let app = EventBus(name: "app")
let document = EventBus(name: "document", within: app)
app.events(Saved.self).observeNext { print("Saved \($0.title)") }
document.publish(Saved(title: "Emma"))
print(document.path)  // app/document

// Output:
// Saved Emma
// app/document
