import Runnel
import RunnelDesk

let file: [UInt8] = Array("P6 2 1 255\n".utf8) + [200, 30, 60, 255, 255, 255]
let cover = ImageView(try PixelImage(ppm: file))
cover.height = 10

let backend = HeadlessBackend(Size(width: 20, height: 12))
let application = Application(backend: backend)
application.show(Window(content: StackView(.vertical, [cover, View()])))
print(backend.text)

// Output:
//
//
//           ██████████
//           ██████████
//           ██████████
//           ██████████
//           ██████████
