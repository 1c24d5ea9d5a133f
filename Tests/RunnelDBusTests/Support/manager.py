"""A service whose objects change at random. Arguments: the address of the bus, a name, and a seed.

It serves org.freedesktop.DBus.ObjectManager at /devices on two connections, which have objects of their own
and take the name from each other. It writes "ready" when it has the name. The methods of
org.example.Manager are:
- Steps: makes a number of changes, announced by signals.
- Move: gives the name to the other connection. Leave and Return: gives the name away, and takes it again.
- Die: makes a number of changes and ends without a reply.
- State: returns all objects with org.example.Device.
It ends when its standard input is closed, or with the bus.
"""

import os
import random
import sys

import dbus
import dbus.bus
from dbus.lowlevel import (
    HANDLER_RESULT_HANDLED, HANDLER_RESULT_NOT_YET_HANDLED, ErrorMessage, MethodCallMessage,
    MethodReturnMessage, SignalMessage)
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

DBusGMainLoop(set_as_default=True)
ADDRESS, NAME, SEED = sys.argv[1:]
random.seed(int(SEED))

DEVICE, OTHER = "org.example.Device", "org.example.Other"
MANAGER, PROPERTIES = "org.freedesktop.DBus.ObjectManager", "org.freedesktop.DBus.Properties"
OBJECTS = "a{oa{sa{sv}}}"
PATHS = [f"/devices/{number}" for number in range(12)]
NAMES = ["A", "B", "C"]


def typed(values):
    return dbus.Dictionary(values, signature="sv")


class Service:
    def __init__(self, others):
        self.others = others
        self.objects = {}
        self.bus = dbus.bus.BusConnection(ADDRESS)
        self.bus.call_on_disconnection(lambda _: os._exit(0))
        self.bus.add_message_filter(self.receive)

    def send(self, message, signature, *values):
        if signature:
            message.append(*values, signature=signature)
        self.bus.send_message(message)

    def signal(self, path, interface, name, signature, *values):
        self.send(SignalMessage(path, interface, name), signature, *values)

    def ask_bus(self, method, signature, *values):
        message = MethodCallMessage(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", method)
        message.set_no_reply(True)
        self.send(message, signature, *values)

    def copy(self):
        return {path: {name: dict(values) for name, values in interfaces.items()}
                for path, interfaces in self.objects.items()}

    # Changes

    def step(self):
        path = random.choice(PATHS)
        interface = random.choice([DEVICE, DEVICE, DEVICE, OTHER])
        interfaces = self.objects.get(path, {})
        kind = random.random()
        if interface not in interfaces:
            if kind < 0.2:
                # A change of what does not exist.
                self.signal(path, PROPERTIES, "PropertiesChanged", "sa{sv}as", interface, {"A": 1}, ["B"])
            else:
                added = {interface: self.values()}
                if not interfaces and random.random() < 0.2:
                    added = {DEVICE: self.values(), OTHER: self.values()}
                self.objects.setdefault(path, {}).update(added)
                self.signal(
                    "/devices", MANAGER, "InterfacesAdded", "oa{sa{sv}}", path,
                    {name: typed(values) for name, values in added.items()})
        elif kind < 0.25:
            removed = list(interfaces) if random.random() < 0.5 else [interface]
            for name in removed:
                del interfaces[name]
            if not interfaces:
                del self.objects[path]
            self.signal("/devices", MANAGER, "InterfacesRemoved", "oas", path, removed)
        elif kind < 0.35:
            # The whole interface is announced again.
            interfaces[interface] = self.values()
            self.signal(
                "/devices", MANAGER, "InterfacesAdded", "oa{sa{sv}}", path,
                {interface: typed(interfaces[interface])})
        else:
            changed = self.values()
            interfaces[interface].update(changed)
            hidden = [name for name in changed if random.random() < 0.3]
            shown = {name: value for name, value in changed.items() if name not in hidden}
            self.signal(path, PROPERTIES, "PropertiesChanged", "sa{sv}as", interface, typed(shown), hidden)

    def values(self):
        return {name: random.choice([random.randrange(4), "text", True])
                for name in NAMES if random.random() < 0.6}

    # Calls

    def receive(self, _, message):
        if message.get_type() != 1:
            return HANDLER_RESULT_NOT_YET_HANDLED
        arguments = message.get_args_list()
        name = message.get_member()
        if name == "GetManagedObjects":
            objects = self.reply_among_changes(self.copy)
            self.send(MethodReturnMessage(message), OBJECTS, dbus.Dictionary(
                {path: {name: typed(values) for name, values in interfaces.items()}
                 for path, interfaces in objects.items()}, signature="oa{sa{sv}}"))
        elif name == "GetAll":
            path = message.get_path()
            objects = self.reply_among_changes(self.copy)
            values = objects.get(path, {}).get(arguments[0])
            if values is None:
                self.send(ErrorMessage(
                    message, "org.freedesktop.DBus.Error.UnknownObject", "no object"), "")
            else:
                self.send(MethodReturnMessage(message), "a{sv}", typed(values))
        elif name == "Steps":
            for _ in range(arguments[0]):
                self.step()
            self.send(MethodReturnMessage(message), "")
        elif name == "Move":
            # The other connection waits for the name.
            self.ask_bus("ReleaseName", "s", NAME)
            self.ask_bus("RequestName", "su", NAME, dbus.UInt32(0))
            self.send(MethodReturnMessage(message), "")
        elif name == "Leave":
            for service in self.others:
                if service is not self:
                    service.ask_bus("ReleaseName", "s", NAME)
                    service.bus.flush()
            self.ask_bus("ReleaseName", "s", NAME)
            self.send(MethodReturnMessage(message), "")
        elif name == "Return":
            for service in random.sample(self.others, 2):
                service.ask_bus("RequestName", "su", NAME, dbus.UInt32(0))
                service.bus.flush()
            self.send(MethodReturnMessage(message), "")
        elif name == "Die":
            for _ in range(arguments[0]):
                self.step()
            self.bus.flush()
            os._exit(1)
        elif name == "State":
            self.send(MethodReturnMessage(message), "a{oa{sv}}", dbus.Dictionary(
                {path: typed(interfaces[DEVICE]) for path, interfaces in self.objects.items()
                 if DEVICE in interfaces}, signature="oa{sv}"))
        else:
            return HANDLER_RESULT_NOT_YET_HANDLED
        return HANDLER_RESULT_HANDLED

    def reply_among_changes(self, make):
        """Returns a reply that is older than some signals which are sent before it, or newer."""
        kind = random.random()
        if kind < 0.3:
            reply = make()
            for _ in range(random.randrange(4)):
                self.step()
            return reply
        if kind < 0.6:
            for _ in range(random.randrange(4)):
                self.step()
        return make()


services = []
services += [Service(services), Service(services)]
for service in services:
    for _ in range(10):
        service.step()
    service.bus.request_name(NAME)
loop = GLib.MainLoop()
GLib.io_add_watch(sys.stdin, GLib.IO_IN | GLib.IO_HUP, lambda *_: loop.quit())
print("ready", services[0].bus.get_unique_name(), flush=True)
loop.run()
