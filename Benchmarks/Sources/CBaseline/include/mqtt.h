// Clients of MQTT 5 with libmosquitto, and the broker that they and the clients of Runnel use.
#pragma once

// Starts mosquitto with a configuration, on the first processor. It ends with the calling thread.
// Returns its process, or -1.
int mqtt_start_broker(const char *configuration);
void mqtt_end_broker(int process);
// Returns 1 if something listens on a port of the loopback address.
int mqtt_can_connect(int port);

// Publish messages on a topic, at most `window` of them unconfirmed, until the broker has all. Returns
// nanoseconds for each message.
double mqtt_publish(int port, int qos, int size, int window, long count);

// Sends events as JSON from one client to another, at most `window` of them not received. Both clients are
// on the calling thread. Returns nanoseconds for each event.
double mqtt_exchange(int port, int qos, int window, long count);
