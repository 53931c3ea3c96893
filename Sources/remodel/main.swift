import RemodelCommands

await RemodelCommand.runAndExit()
