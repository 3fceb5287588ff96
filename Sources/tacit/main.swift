import Commands
import REPL
import SystemIO

Program.run(session: REPL.run)
