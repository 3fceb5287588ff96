/// How programs on one machine ask an open store for something: JSON-RPC 2.0, one message a line, over a Unix socket.
///
/// A ``ControlServer`` listens where only its own user can reach it, and makes sure of that with every connection. What the
/// requests mean is decided above: this target knows lines, their form, descriptors that come with them, and nothing of
/// messengers. A ``ControlClient`` is the other end, for commands that wait for their answer.
