"""Adds a use of a file to a list of recently used files with GLib, and prints its MIME type and its programs.

Arguments: the list, the file, and the name of a program, which has no command of its own.
"""
import ctypes
import os
import sys

glib = ctypes.CDLL("libglib-2.0.so.0")
for name in ("g_bookmark_file_new", "g_filename_to_uri", "g_bookmark_file_get_mime_type", "g_bookmark_file_get_applications"):
    getattr(glib, name).restype = ctypes.c_void_p


def text(pointer):
    return ctypes.string_at(pointer).decode()


path, file, program = (os.fsencode(argument) for argument in sys.argv[1:])
bookmarks = ctypes.c_void_p(glib.g_bookmark_file_new())
address = ctypes.c_void_p(glib.g_filename_to_uri(file, None, None))
if not glib.g_bookmark_file_load_from_file(bookmarks, path, None):
    sys.exit("GLib cannot read the list.")
print(text(glib.g_bookmark_file_get_mime_type(bookmarks, address, None)))
count = ctypes.c_size_t()
names = glib.g_bookmark_file_get_applications(bookmarks, address, ctypes.byref(count), None)
for name in ctypes.cast(names, ctypes.POINTER(ctypes.c_char_p))[: count.value]:
    command, uses, time = ctypes.c_char_p(), ctypes.c_uint(), ctypes.c_long()
    glib.g_bookmark_file_get_app_info(
        bookmarks, address, name, ctypes.byref(command), ctypes.byref(uses), ctypes.byref(time), None
    )
    print(name.decode(), uses.value, command.value.decode())
glib.g_bookmark_file_add_application(bookmarks, address, program, b"edit %f")
if not glib.g_bookmark_file_to_file(bookmarks, path, None):
    sys.exit("GLib cannot write the list.")
