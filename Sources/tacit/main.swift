import Commands
import SystemIO

Program.run(Array(CommandLine.arguments.dropFirst()), environment: ProcessEnvironment.variables())
