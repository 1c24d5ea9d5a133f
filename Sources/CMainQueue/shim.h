#pragma once

// The main queue of libdispatch, for an event loop that runs it.
int _dispatch_get_main_queue_handle_4CF(void);
void _dispatch_main_queue_callback_4CF(void *message);
