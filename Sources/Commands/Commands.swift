/// The git-style command line.
///
/// - ``Program``: from words and environment to an exit code; the only thing that the executable calls.
/// - ``Leaf``: one command, which is its declaration and what it does. There is a file for each.
/// - ``Invocation``: what one run was asked for, and where it writes.
/// - ``StoreSession``: an open store during one command.
/// - ``Report``: a result in its three forms: text, plain and JSON.
/// - ``Reason``: the one place that turns errors into words and exit codes.
///
/// A command that uses the store makes ``CoreCommand`` values and prints the answers, and does nothing else.
