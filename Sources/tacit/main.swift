import Commands
import REPL
import SystemIO

Program.run(Array(CommandLine.arguments.dropFirst()), environment: ProcessEnvironment.variables(), session: REPL.run)
