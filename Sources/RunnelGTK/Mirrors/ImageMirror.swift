#if GTK
import CGTK
import RunnelDesk

/// A picture in the resolution of the screen.
final class ImageMirror: ViewMirror {
  private let imageView: ImageView
  private let body = Container(name: "picture", role: GTK_ACCESSIBLE_ROLE_IMG)
  private let picture = made(gtk_picture_new())
  private var shown: PixelImage?

  init(_ imageView: ImageView, in window: WindowMirror) {
    self.imageView = imageView
    super.init(imageView, in: window, body: body)
    gtk_picture_set_can_shrink(cast(picture), 1)
    gtk_picture_set_content_fit(cast(picture), GTK_CONTENT_FIT_FILL)
    body.add(picture)
    // Safety: `Container.end()` releases the closure before this object is released.
    body.place = { [unowned self] in placePicture(width: $0, height: $1) }
  }

  override func update() {
    super.update()
    show(imageView.image)
    gtk_widget_set_visible(
      picture, (shown?.size.isEmpty == false && !imageView.bounds.isEmpty).gboolean)
    gtk_widget_queue_allocate(body.widget)
  }

  private func show(_ image: PixelImage?) {
    if image == shown { return }
    shown = image
    gtk_picture_set_paintable(cast(picture), nil)
    guard let image, !image.size.isEmpty else { return }
    let pixels = image.rgba
    let bytes = g_bytes_new(pixels, gsize(pixels.count))
    defer { g_bytes_unref(bytes) }
    let texture = made(
      gdk_memory_texture_new(
        gint(image.size.width), gint(image.size.height), GDK_MEMORY_R8G8B8A8, bytes,
        gsize(image.size.width * 4)))
    gtk_picture_set_paintable(cast(picture), texture)
    g_object_unref(UnsafeMutableRawPointer(texture))
  }

  /// Gives the picture the largest area with its proportions.
  private func placePicture(width: Int, height: Int) {
    guard let size = shown?.size, !size.isEmpty, width > 0, height > 0 else { return }
    let fit = min(Double(width) / Double(size.width), Double(height) / Double(size.height))
    let scale = imageView.scaling == .down ? min(fit, 1) : fit
    let area = (
      width: max(Int(Double(size.width) * scale), 1),
      height: max(Int(Double(size.height) * scale), 1)
    )
    let left = Double(width - area.width) * Double(imageView.alignment.fraction)
    Container.give(
      GtkAllocation(
        x: gint(left), y: gint((height - area.height) / 2), width: gint(area.width),
        height: gint(area.height)), to: picture)
  }
}
#endif
