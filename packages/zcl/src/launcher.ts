// How zcl itself is started, for wrappers of tools that call it.

/** The Node that runs now, and the script of the program. */
export interface Launcher {
  node: string
  script: string
}

/** For the command tree, which is a part of the entry. */
export function ownLauncher(): Launcher {
  return { node: process.execPath, script: process.argv[1] ?? '' }
}
